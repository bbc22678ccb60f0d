/** The longest wait of a timer, in ms: one that waits longer overflows, and rings at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Resolves in so many ms; 0 is the next turn of the loop. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
