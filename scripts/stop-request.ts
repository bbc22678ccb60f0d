/** That the user, or the system, wants this process to end. */
export interface StopRequest {
  readonly isMade: boolean;
  /** Resolves when the request is made. */
  readonly made: Promise<void>;
  /** Passes a wait's result on, or rejects with StopRequested as soon as the request is made. */
  orStop<Value>(work: Promise<Value>): Promise<Value>;
  /** Rejects with StopRequested when the request was made. */
  throwIfMade(): void;
}

export class StopRequested extends Error {}

/** npm passes Ctrl-C on to a process that has had it from the terminal already: that is not a second one. */
const SAME_REQUEST_MS = 500;

/** Listens for Ctrl-C, SIGTERM and SIGHUP from now on. A second one calls `insist`. */
export function listenForStop(insist: () => void): StopRequest {
  const { promise: made, resolve } = Promise.withResolvers<void>();
  let madeAt: number | undefined;
  const listen = () => {
    if (madeAt === undefined) {
      madeAt = performance.now();
      resolve();
    } else if (performance.now() - madeAt > SAME_REQUEST_MS) insist();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listen);

  const refused = made.then((): never => {
    throw new StopRequested();
  });
  refused.catch(() => undefined);
  return {
    get isMade() {
      return madeAt !== undefined;
    },
    made,
    orStop: (work) => Promise.race([work, refused]),
    throwIfMade() {
      if (madeAt !== undefined) throw new StopRequested();
    },
  };
}
