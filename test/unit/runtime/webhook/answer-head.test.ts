import { describe, expect, it } from 'vitest';
import { parseAnswerHead } from '../../../../src/platform/deno/answer-head.ts';

describe('the head of an answer', () => {
  it.each([
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
  ])('%j is %i', (text, status, retryAfter) => expect(parseAnswerHead(text)).toEqual({ status, retryAfter }));

  it.each([
    '',
    'HTTP/1.1 200 OK\r\n',
    'HTTP/2 200\r\n\r\n',
    'SSH-2.0-OpenSSH\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
  ])('%j is none, or not whole', (text) => expect(parseAnswerHead(text)).toBeUndefined());
});
