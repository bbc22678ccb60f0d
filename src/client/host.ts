/** The platform functions that the client needs. They are Web Standards, so Node, Deno, Workers and browsers have them. */
export interface Host {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this time, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** A random number, at least 0 and less than 1. */
  random(): number;
  /** A new, unique idempotency key: 16 to 128 visible ASCII characters. */
  newIdempotencyKey(): string;
  /** A signal that aborts after this time. */
  deadline(ms: number): AbortSignal;
}

/** Aborts when either does. Node 20.0 to 20.2 have no `AbortSignal.any`. */
export function eitherSignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  if (typeof AbortSignal.any === 'function') return AbortSignal.any([first, second]);
  const controller = new AbortController();
  for (const signal of [first, second]) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal });
  }
  return controller.signal;
}

/** Sends one request: the platform's `fetch`, or a function that reaches the service in another way. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The platform's own functions. */
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
