import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { remembering } from '../../../src/platform/cloudflare/environment.ts';
import { callAgainOnce } from '../../../src/platform/cloudflare/remote-call.ts';

/* How the service handles errors of calls to Durable Objects. */

const failing = (marks: object) => {
  return vi.fn<() => Promise<never>>(() => Promise.reject(Object.assign(new Error('The object failed'), marks)));
};
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

test.each([
  ['is made once more when that may help', { retryable: true }, 2],
  ['is made once when the object is overloaded', { retryable: true, overloaded: true }, 1],
  ['is made once when nothing is known of the error', {}, 1],
])('an idempotent call %s', async (_title, marks, calls) => {
  const call = failing(marks);
  await expect(callAgainOnce(call)).rejects.toThrow('The object failed');
  expect(call).toHaveBeenCalledTimes(calls);
});

test.each([
  ['unavailable when the writer is overloaded', { overloaded: true }, { status: 'unavailable', reason: 'overloaded' }],
  ['unknown when another try may help', { retryable: true }, { status: 'unknown' }],
  ['unknown for any other error', {}, { status: 'unknown' }],
])('a commit is %s, and is never repeated', async (_title, marks, outcome) => {
  const call = failing(marks);
  expect(await remembering(call)).toEqual(outcome);
  expect(call).toHaveBeenCalledTimes(1);
});
