import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, SetupError } from './setup-error.ts';
import { type Sqld, type SqldOptions, startSqld } from './sqld.ts';

export interface LocalDatabaseOptions extends SqldOptions {
  readonly id: string;
  readonly log: (line: string) => void;
  /** Called for each sqld that starts, the first and its replacements. */
  readonly onStarted: (pid: number) => void;
  /** Called if sqld stops again and again or cannot be started again. */
  readonly onLost: (error: SetupError) => void;
}

/** An sqld that is restarted if it stops unexpectedly, on the same ports and folder and with synced commits. */
export interface LocalDatabase {
  readonly id: string;
  readonly url: string;
  readonly adminUrl: string;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Rejects with a SetupError if the first start fails. */
export async function keepDatabase(options: LocalDatabaseOptions): Promise<LocalDatabase> {
  let current = await startSqld(options);
  let isStopping = false;
  options.onStarted(current.pid);

  const watched = (async () => {
    const endedAt: number[] = [];
    for (;;) {
      const reason = await current.exited;
      if (isStopping) return;
      endedAt.push(performance.now());
      options.log(`sqld of ${options.id} stopped (${reason}); restarting it`);
      if (isTooOften(endedAt))
        throw new SetupError(`sqld of ${options.id} stops again and again; the last reason was: ${reason}.`);
      const restarted = await startAgain(options, () => isStopping);
      if (restarted === undefined) return;
      current = restarted;
      options.onStarted(current.pid);
      options.log(`sqld of ${options.id} runs again on ${current.url}`);
    }
  })().catch((error: unknown) => options.onLost(asSetupError(error)));

  return {
    id: options.id,
    url: current.url,
    adminUrl: current.adminUrl,
    kill: (signal) => current.kill(signal),
    async stop() {
      isStopping = true;
      await current.stop();
      await watched;
      // A restart may have been under way when the stop came.
      await current.stop();
    },
  };
}

/** More stops than a person causes by testing; a broken database stops at each start. */
const ENDS_MAX = 8;
const ENDS_WITHIN_MS = 60_000;

function isTooOften(endedAt: readonly number[]): boolean {
  const since = performance.now() - ENDS_WITHIN_MS;
  return endedAt.filter((instant) => instant > since).length > ENDS_MAX;
}

/** Pauses before each try. The first is at once; the others leave time for a port to become free. */
const PAUSES_MS = [0, 200, 500, 1000, 2000, 5000];

/** Undefined if it was stopped meanwhile. */
async function startAgain(options: SqldOptions, isStopping: () => boolean): Promise<Sqld | undefined> {
  let lastError: unknown;
  for (const pauseMs of PAUSES_MS) {
    await delay(pauseMs);
    if (isStopping()) return undefined;
    try {
      return await startSqld(options);
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

function asSetupError(error: unknown): SetupError {
  return error instanceof SetupError ? error : new SetupError(messageOf(error));
}
