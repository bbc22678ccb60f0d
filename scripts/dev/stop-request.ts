/** A request by the user or the system to stop this process. */
export interface StopRequest {
  readonly isMade: boolean;
  /** Resolves when the request is made. */
  readonly made: Promise<void>;
  /** Resolves with the result of `work`, or rejects with StopRequested as soon as the request is made. */
  orStop<Value>(work: Promise<Value>): Promise<Value>;
  /** Throws StopRequested if the request was made. */
  throwIfMade(): void;
}

export class StopRequested extends Error {}

/** The terminal and npm both send Ctrl-C to this process. Within this time, both count as one request. */
const SAME_REQUEST_MS = 500;

/** Listens for Ctrl-C, SIGTERM, SIGHUP and the end of npm. A second request calls `insist`. */
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

/** npm sends SIGTERM to the shell between npm and this process. The shell ends without forwarding it. */
function whenParentIsGone(listen: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listen();
  }, PARENT_POLL_MS);
  timer.unref();
}
