/** What the client takes from its machine: Web Standards, so that Node, Deno, Workers and browsers all have it. */
export interface Host {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this long, or as soon as the signal is aborted. Does not reject. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
  /** A new idempotency key: 16 to 128 visible ASCII characters that nobody used before. */
  newIdempotencyKey(): string;
  /** Aborted after this long. */
  deadline(ms: number): AbortSignal;
}

/** The machine itself. */
export const systemHost: Host = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
      if (signal?.aborted === true) end();
    }),
  random: () => Math.random(),
  newIdempotencyKey: () => crypto.randomUUID(),
  deadline: (ms) => AbortSignal.timeout(ms),
};
