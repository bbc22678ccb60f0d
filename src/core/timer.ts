/** The longest wait of a timer in ms. A longer wait overflows, and the timer fires at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Resolves after `ms` milliseconds; 0 means the next turn of the event loop. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
