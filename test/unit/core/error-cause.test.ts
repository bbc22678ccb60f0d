import { expect, test } from 'vitest';
import { causeOf } from '../../../src/core/error-cause.ts';

const withCause = (message: string, cause: Error) => new TypeError(message, { cause });
const withCode = (error: Error, code: string) => Object.assign(error, { code });

test.each([
  // nodejs/undici#1248: the reason is in `cause`.
  [
    withCause('fetch failed', withCode(new Error('connect ECONNREFUSED ::1:1337'), 'ECONNREFUSED')),
    'TypeError: fetch failed: connect ECONNREFUSED ::1:1337',
  ],
  // Node, for a host with several addresses: no message, and each address has its own error.
  [
    withCause('fetch failed', withCode(new AggregateError([new Error('connect ECONNREFUSED ::1:9')]), 'ECONNREFUSED')),
    'TypeError: fetch failed: ECONNREFUSED: connect ECONNREFUSED ::1:9',
  ],
  // Deno names the whole address, here with the places of a route.
  [
    withCause(
      'fetch failed',
      new Error(
        'error sending request for url (http://osrm.test:5000/route/v1/driving/46.7,24.7;46.8,24.8?overview=full): client error (Connect): tcp connect error: Connection refused (os error 111)',
      ),
    ),
    'TypeError: fetch failed: error sending request for url (osrm.test:5000): client error (Connect): tcp connect error: Connection refused (os error 111)',
  ],
  // nodejs/undici#2182: a timeout of the connection.
  [
    withCause('fetch failed', new Error('Socket connection timeout')),
    'TypeError: fetch failed: Socket connection timeout',
  ],
  [new Error('https://user:password@db.test/x?token=secret: no'), 'Error: db.test no'],
  [new Error(''), 'Error: no reason was given'],
  ['text', 'no reason was given'],
])('%s', (error, text) => {
  expect(causeOf(error)).toBe(text);
});
