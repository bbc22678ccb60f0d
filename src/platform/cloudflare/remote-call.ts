/*
 * Errors of calls to Durable Objects. The runtime marks two kinds: `overloaded` means that the object refused the call
 * because too many wait, and another try makes it worse. `retryable` means that another try may succeed; whether the first
 * one ran is unknown.
 */

export function isOverloaded(error: unknown): boolean {
  return hasMark(error, 'overloaded');
}

/** Makes a call that may run twice, and once more if the runtime says that this may help. Each try needs a new stub. */
export async function callAgainOnce<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    if (isOverloaded(error) || !hasMark(error, 'retryable')) throw error;
    return call();
  }
}

function hasMark(error: unknown, mark: 'overloaded' | 'retryable'): boolean {
  return error instanceof Error && Reflect.get(error, mark) === true;
}
