import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildService } from '../shared/build-service.ts';
import type { ChildGroup } from '../shared/child-group.ts';
import { waitUntilHealthy } from '../shared/local-service.ts';
import { LOOPBACK } from '../shared/ports.ts';
import type { Runtime } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import { explainOutput, type SourceError } from '../shared/source-error.ts';
import { StopRequested } from './stop-request.ts';
import type { Sources } from './watch-sources.ts';

export interface KeepOptions {
  readonly runtime: Runtime;
  readonly port: number;
  readonly baseUrl: string;
  readonly sources: Sources;
  readonly start: () => Promise<ChildGroup>;
  /** Called for each start that answers, with the source whose change caused it. */
  readonly onHealthy: (changed: string | undefined) => void;
  readonly onBroken: (error: SourceError) => void;
}

/** A build, and the first change that it may not have seen. */
export interface Build {
  readonly error: Promise<SourceError | undefined>;
  readonly change: Promise<readonly string[]>;
}

export function startBuild({ runtime, sources }: Pick<KeepOptions, 'runtime' | 'sources'>): Build {
  return { change: sources.next(), error: buildService(runtime) };
}

export interface KeptService {
  /** Rejects with a SetupError if the service ends and no source is to blame. */
  readonly lost: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Runs the service until it is stopped. While its sources cannot be built or started, a stand-in listens on its port, and the next
 * change starts it again. `wrangler dev` reloads its Worker by itself, Deno is started again after a change.
 */
export function keepService(options: KeepOptions, firstBuild: Build): KeptService {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => undefined);
  const lost = keep(options, firstBuild, (work) => Promise.race([work, stopped]));
  return {
    lost,
    async stop() {
      reject(new StopRequested());
      await lost.catch(() => undefined);
    },
  };
}

/** Passes the result of the work on, or rejects as soon as the service is to stop. */
type OrStop = <Value>(work: Promise<Value>) => Promise<Value>;

async function keep(options: KeepOptions, firstBuild: Build, orStop: OrStop): Promise<never> {
  const { runtime, sources, start, onBroken } = options;
  let build = firstBuild;
  let changed: string | undefined;
  let service: ChildGroup | undefined;
  try {
    for (;;) {
      let error = await orStop(build.error);
      let { change } = build;
      await service?.stop();
      if (error === undefined) {
        service = await start();
        const isChanged = runtime === 'deno' ? change : undefined;
        error = await orStop(serve(options, { service, isChanged, changed }));
        // wrangler has seen the change that led to this end.
        if (error !== undefined && runtime === 'worker') change = sources.next();
      }
      if (error !== undefined) {
        await service?.stop();
        onBroken(error);
        await standIn(options.port, error, (server) => orStop(Promise.race([change, server])));
      }
      [changed] = await change;
      build = startBuild(options);
    }
  } finally {
    await service?.stop();
  }
}

interface Serving {
  readonly service: ChildGroup;
  /** Ends the wait. Undefined if the runtime reloads by itself. */
  readonly isChanged: Promise<unknown> | undefined;
  readonly changed: string | undefined;
}

/** Resolves with the reason when the service has ended, or with undefined when it has to be started again. */
async function serve(options: KeepOptions, { service, isChanged, changed }: Serving): Promise<SourceError | undefined> {
  const exited = service.exited.then((reason) => ({ reason }));
  const servedToTheEnd = waitUntilHealthy(options.baseUrl, service).then(() => {
    options.onHealthy(changed);
    return exited;
  });
  const ends: Promise<{ readonly reason: string } | undefined>[] = [exited, servedToTheEnd];
  if (isChanged !== undefined) ends.push(isChanged.then(() => undefined));
  const end = await Promise.race(ends);
  if (end === undefined) return undefined;
  const error = explainOutput(service.lastLines().join('\n'));
  if (error.place !== undefined) return error;
  throw new SetupError(`The API stopped (${end.reason}). Its last output:\n${error.text}`);
}

/** Answers every request with 503 and the reason, until `wait` ends. It gets a promise that rejects if the server fails. */
async function standIn(
  port: number,
  { text }: SourceError,
  wait: (server: Promise<never>) => Promise<unknown>,
): Promise<void> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '1' };
  const server = createServer((_request, response) => response.writeHead(503, headers).end(`${text}\n`));
  const failed = once(server, 'close').then(() => new Promise<never>(() => undefined));
  server.listen(port, LOOPBACK);
  try {
    await wait(failed);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
