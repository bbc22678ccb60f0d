import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBytesWithin, readTextWithin } from '../../../src/core/bounded-bytes.ts';

/** A stream of these chunks that then closes, breaks or stalls. */
function streamOf(chunks: readonly Uint8Array[], after: 'end' | 'break' | 'stall' = 'end') {
  const left = [...chunks];
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        if (after === 'end') return controller.close();
        if (after === 'break') return controller.error(new Error('cut'));
        return new Promise(() => {});
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, left, isCancelled: () => isCancelled };
}

const bytes = (length: number) => new Uint8Array(length).fill(7);

describe('readBytesWithin', () => {
  it('returns the bytes of all chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 }), async (chunks) => {
        const all = chunks.flatMap((chunk) => [...chunk]);
        expect(await readBytesWithin(streamOf(chunks).stream, all.length)).toEqual(new Uint8Array(all));
        if (all.length > 0) expect(await readBytesWithin(streamOf(chunks).stream, all.length - 1)).toBe('too_long');
      }),
    );
  });

  it('stops at the first chunk beyond the limit and cancels the rest', async () => {
    const { stream, left, isCancelled } = streamOf([bytes(6), bytes(5), bytes(1), bytes(1)]);
    expect(await readBytesWithin(stream, 10)).toBe('too_long');
    expect({ left: left.length, isCancelled: isCancelled() }).toEqual({ left: 2, isCancelled: true });
  });

  it('reports a broken stream', async () => {
    expect(await readBytesWithin(streamOf([bytes(3)], 'break').stream, 10)).toBe('broken');
  });

  it('stops waiting at its deadline and cancels the stream', async () => {
    const { stream, isCancelled } = streamOf([bytes(3)], 'stall');
    expect(await readBytesWithin(stream, 10, { ended: Promise.resolve('late' as const) })).toBe('late');
    expect(isCancelled()).toBe(true);
  });

  it('treats a missing stream as empty', async () => {
    expect(await readBytesWithin(null, 0)).toEqual(new Uint8Array());
  });
});

describe('readTextWithin', () => {
  it.each([
    ['text in UTF-8, cut anywhere', [[0xd9], [0x85, 0x21]], 'م!'],
    ['nothing for bytes that are no UTF-8', [[0xff]], undefined],
    ['nothing for a text that is too long', [[0x61, 0x62, 0x63, 0x64]], undefined],
  ])('returns %s', async (_name, chunks, text) => {
    const { stream } = streamOf(chunks.map((chunk) => new Uint8Array(chunk)));
    expect(await readTextWithin(stream, 3)).toBe(text);
  });
});
