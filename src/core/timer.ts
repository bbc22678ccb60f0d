/** The longest wait of a timer, in ms: one that waits longer overflows, and rings at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;
