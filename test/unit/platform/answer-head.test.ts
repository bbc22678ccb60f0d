import { describe, expect, it, vi } from 'vitest';
import { AnswerHeadReader } from '../../../src/platform/deno/answer-head.ts';

const HEADS = [
  ['HTTP/1.1 204 No Content\r\n\r\n', 204, null],
  ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 200, null],
  ['HTTP/1.0 500\r\n\r\n', 500, null],
  ['HTTP/1.1 429 Too Many\r\nRetry-After: 120\r\nx: y\r\n\r\n', 429, '120'],
  [
    'HTTP/1.1 503 Busy\r\nX-Retry-After: 1\r\nretry-after:  Sat, 21 Nov 2026 09:10:00 GMT \r\n\r\n',
    503,
    'Sat, 21 Nov 2026 09:10:00 GMT',
  ],
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 200, null],
  ['HTTP/1.1 200 OK\r\n\r\nretry-after: 5\r\n\r\n', 200, null],
] as const;

describe('the reader of a response head', () => {
  it.each(HEADS)('reads %j as %i, in pieces of any size', (text, status, retryAfter) => {
    for (const size of [1, 3, text.length]) expect(read(text, size)).toEqual({ status, retryAfter });
  });

  it.each(['HTTP/2 200\r\n\r\n', 'SSH-2.0-OpenSSH\r\n\r\n', 'HTTP/1.1 2000 OK\r\n\r\n'])(
    'refuses %j, which is not HTTP/1.1',
    (text) => expect(read(text, 1)).toBe('malformed'),
  );

  it.each(['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'])('waits for more after %j', (text) =>
    expect(read(text, 1)).toBeUndefined(),
  );

  it('decodes each byte once when a receiver sends one byte at a time', () => {
    const text = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(16_000)}\r\n\r\n`;
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    expect(read(text, 1)).toEqual({ status: 200, retryAfter: null });
    const decoded = decode.mock.calls.reduce((sum, [bytes]) => sum + (bytes?.byteLength ?? 0), 0);
    decode.mockRestore();
    expect(decoded).toBe(text.length - 4);
  });

  it('has no room left after 16 KiB without an end of the head', () => {
    const reader = new AnswerHeadReader();
    expect(reader.take(reader.room.length)).toBeUndefined();
    expect(reader.room).toHaveLength(0);
  });
});

function read(text: string, size: number) {
  const reader = new AnswerHeadReader();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    reader.room.set(piece);
    const head = reader.take(piece.length);
    if (head !== undefined) return head;
  }
  return undefined;
}
