import { setTimeout as delay } from 'node:timers/promises';

export interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Asks again and again until there is an answer, and returns it; rejects with `what` when there is none in time.
 * What `ask` throws is not waited for: it ends the wait.
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
