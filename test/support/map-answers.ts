import { expect, it } from 'vitest';

/** The answers of `/map/streets.pmtiles`, which are the same on every runtime and from every kind of source. */
export function describeMapFile(
  ask: (headers?: Record<string, string>, method?: string) => Promise<Response>,
  file: () => Buffer,
): void {
  it('are ranges of the file with its strong tag', async () => {
    const { length } = file();
    const whole = await ask();
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(file())]).toEqual([200, true]);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const [range, first, last] of [
      ['bytes=0-126', 0, 126],
      ['bytes=-127', length - 127, length - 1],
      [`bytes=${length - 5}-`, length - 5, length - 1],
      ['bytes=100-99999999', 100, length - 1],
    ] as const) {
      const part = await ask({ range, 'if-range': etag, 'accept-encoding': 'gzip' });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/${length}`]);
      expect([part.headers.get('etag'), part.headers.get('content-encoding')]).toEqual([etag, null]);
      expect(part.headers.get('cache-control')).toContain('no-transform');
      expect(Buffer.from(await part.arrayBuffer()).equals(file().subarray(first, last + 1))).toBe(true);
    }
  });

  it('say which ranges there are', async () => {
    const behind = await ask({ range: `bytes=${file().length}-` });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, `bytes */${file().length}`]);
    const head = await ask({ range: 'bytes=0-1' }, 'HEAD');
    expect([head.status, head.headers.get('accept-ranges'), head.headers.get('content-length')]).toEqual([
      200,
      'bytes',
      String(file().length),
    ]);
    expect(head.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('save what the browser has, and give no part of another file', async () => {
    const etag = (await ask({}, 'HEAD')).headers.get('etag') ?? '';
    expect((await ask({ 'if-none-match': etag, range: 'bytes=0-1' })).status).toBe(304);
    const other = await ask({ range: 'bytes=0-1', 'if-range': '"another"' });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, file().length]);
  });
}
