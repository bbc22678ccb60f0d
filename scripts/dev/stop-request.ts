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

/** Listens for Ctrl-C, SIGTERM and SIGHUP, or for npm to go, from now on. A second request calls `insist`. */
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
  if (process.env.npm_lifecycle_event !== undefined)
    whenParentIsGone(() => (madeAt === undefined ? listen() : undefined));

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

const PARENT_POLL_MS = 300;

/** npm hands SIGTERM to the shell between it and this process. The shell ends, and does not pass it on. */
function whenParentIsGone(listen: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listen();
  }, PARENT_POLL_MS);
  timer.unref();
}
