import { setTimeout as delay } from 'node:timers/promises';

export interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Polls until there is an answer, and returns it. Rejects with `what` after a timeout.
 * An error that `ask` throws ends the wait.
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined> | Value | undefined,
  { withinMs = 15_000, everyMs = 20 }: Patience = {},
): Promise<Value> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
  }
}
