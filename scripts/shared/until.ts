import { setTimeout as delay } from 'node:timers/promises';

export interface Patience {
  readonly withinMs?: number;
  /** The first pause. Later ones grow, because a test that polls a busy service keeps it busy. */
  readonly everyMs?: number;
}

const PAUSE_MAX_MS = 100;

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
  for (let pauseMs = everyMs; ; pauseMs = Math.max(everyMs, Math.min(1.5 * pauseMs, PAUSE_MAX_MS))) {
    const value = await ask();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(pauseMs);
  }
}
