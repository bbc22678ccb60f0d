import { describe, expect, it, vi } from 'vitest';
import { AnswerBodyReader } from '../../../src/platform/deno/answer-body.ts';
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
  // What browsers and curl take too.
  ['HTTP/1.1 200 OK\nContent-Length: 0\n\n', 200, null],
  ['HTTP/1.1 503 Busy\nretry-after: 7\r\n\nretry-after: 8\n\n', 503, '7'],
  ['\r\n\nHTTP/1.1 202 Accepted\r\nRetry-After : 3\r\n\r\n', 202, '3'],
  ['HTTP/1.1 100 Continue\n\n\r\nHTTP/1.1 204  \r\n\r\n', 204, null],
  ['HTTP/1.1  200 OK\r\n folded: line\r\n: no name\r\nno colon\r\nx:\r\r\nretry-after: 4\r\n\r\n', 200, '4'],
] as const;

describe('the reader of a response head', () => {
  it.each(HEADS)('reads %j as %i, in pieces of any size', (text, status, retryAfter) => {
    for (const size of [1, 3, text.length]) {
      const head = headOf(text, size);
      expect([head.status, head.headers.get('retry-after')]).toEqual([status, retryAfter]);
    }
  });

  it('joins headers of one name, and leaves what follows the head', () => {
    const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nno colon\r\nx-a:2\r\n\r\nbody';
    const reader = new AnswerHeadReader();
    reader.room.set(new TextEncoder().encode(text));
    const head = reader.take(text.length);
    if (head === undefined || head === 'malformed') throw new Error('There is no head');
    expect([head.headers.get('x-a'), head.headers.get('x-b')]).toEqual(['1, 2', null]);
    expect(new TextDecoder().decode(reader.rest)).toBe('body');
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
    expect(read(text, 1)).toMatchObject({ status: 200 });
    const decoded = decode.mock.calls.reduce((sum, [bytes]) => sum + (bytes?.byteLength ?? 0), 0);
    decode.mockRestore();
    expect(decoded).toBe(text.length - 4);
  });

  it.each([
    ['HTTP/1.1 429 Slow down\r\nretry-after: 9\r\nset-cookie: ', 429, '9'],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nx: ', 200, null],
    ['HTTP/1.1 100 Continue\r\nx: ', undefined, undefined],
    ['HTTP/1.1 200 ', undefined, undefined],
    ['SSH-2.0-OpenSSH\r\nx: ', undefined, undefined],
  ])(
    'has no room left after 16 KiB without an end of the head, and knows the beginning of %j',
    (text, status, after) => {
      const reader = new AnswerHeadReader();
      const size = reader.room.length;
      reader.room.set(new TextEncoder().encode(text.padEnd(size, 'y')));
      expect(reader.take(size)).toBeUndefined();
      expect(reader.room).toHaveLength(0);
      expect([reader.beginning?.status, reader.beginning?.headers.get('retry-after')]).toEqual([status, after]);
    },
  );
});

const CHUNKED = { 'transfer-encoding': 'chunked' };
const LONG = 'x'.repeat(4096);
const WHOLE = { isOpen: false, isWhole: true };
const CUT = { isOpen: false, isWhole: false };
/** Headers, the bytes that come, the text that is kept, and whether the reader wants more and has the whole body. */
const BODIES: readonly (readonly [Readonly<Record<string, string>>, string, string, object])[] = [
  [{}, 'ok', 'ok', { isOpen: true, isWhole: false }],
  [{}, `${LONG}y`, LONG, CUT],
  [{ 'content-length': '2' }, 'ok and more', 'ok', WHOLE],
  [{ 'content-length': '0' }, 'x', '', WHOLE],
  [{ 'content-length': '4096' }, LONG, LONG, WHOLE],
  [{ 'content-length': '10000000' }, `${LONG}y`, LONG, CUT],
  [{ 'content-length': '2, 2' }, 'ok', '', CUT],
  [CHUNKED, '2;a=b\r\nok\r\n3\r\n!\r\n\r\n0\r\n\r\n', 'ok!\r\n', WHOLE],
  [CHUNKED, '2\r\nok\r\n', 'ok', { isOpen: true, isWhole: false }],
  [CHUNKED, `1001\r\n${LONG}y\r\n`, LONG, CUT],
  [CHUNKED, `2\r\nok\r\n2;${'a'.repeat(300)}`, 'ok', CUT],
  [CHUNKED, 'two\r\nok\r\n', '', CUT],
  [CHUNKED, '\r\n'.repeat(8193), '', CUT],
];

describe('the reader of a response body', () => {
  it.each(BODIES)('with %j keeps the beginning of %.40j and finds its end', (headers, text, kept, state) => {
    for (const size of [1, 7, text.length]) {
      const reader = new AnswerBodyReader({ status: 200, headers: new Headers(headers) });
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += size) reader.take(bytes.subarray(at, at + size));
      const { body, isOpen } = reader;
      expect([new TextDecoder().decode(body.bytes), { isOpen, isWhole: body.isWhole }]).toEqual([kept, state]);
    }
  });

  it('has the whole body when a connection without a length closes, and not in the middle of a length', () => {
    const endOf = (headers: Readonly<Record<string, string>>, text: string) => {
      const reader = new AnswerBodyReader({ status: 200, headers: new Headers(headers) });
      reader.take(new TextEncoder().encode(text));
      reader.end();
      return reader.body.isWhole;
    };
    expect([endOf({}, 'ok'), endOf({ 'content-length': '3' }, 'ok'), endOf(CHUNKED, '2\r\nok\r\n')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

function headOf(text: string, size: number) {
  const head = read(text, size);
  if (head === undefined || head === 'malformed') throw new Error(`No head in ${text}`);
  return head;
}

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
