import { pause } from '../../core/timer.ts';
import { expectBrokenBodies } from '../../http/body.ts';
import { logError } from '../../ports/log.ts';

/** The part of Deno that a stop uses. */
export interface SignalRuntime {
  unrefTimer(timer: unknown): void;
  exit(): never;
  addSignalListener(signal: 'SIGINT' | 'SIGTERM', listener: () => void): void;
}

export interface Stoppable {
  closeSockets(): Promise<void>;
  /** Accepts no more requests. Resolves when those in progress are answered. */
  shutDown(): Promise<void>;
  /** Ends the service's own work. */
  stop(): Promise<void>;
}

/** A stop takes ten seconds at most: nine for answers, and one for what is written last. */
const ANSWERS_MS_MAX = 9000;
const LAST_WRITES_MS = 1000;

/** At SIGINT or SIGTERM, accepts no more requests and answers those in progress, so that a deployment loses no answer. */
export function stopOnSignals(runtime: SignalRuntime, { closeSockets, shutDown, stop }: Stoppable): void {
  // A connection with half a request, or whose client reads nothing, would hold the process for ever.
  const endNow = async () => {
    logError({ error: `Connections were still open ${ANSWERS_MS_MAX / 1000} s after the stop, and are closed` });
    await Promise.race([stop(), pause(LAST_WRITES_MS)]);
    runtime.exit();
  };
  const begin = () => {
    expectBrokenBodies(Promise.all([closeSockets(), shutDown()]));
    runtime.unrefTimer(setTimeout(() => void endNow(), ANSWERS_MS_MAX));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) runtime.addSignalListener(signal, begin);
}
