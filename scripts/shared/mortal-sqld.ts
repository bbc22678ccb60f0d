import { join } from 'node:path';
import { restoreDurability } from '../../db/durability.ts';
import { type ChildGroup, startChild } from './child-group.ts';
import { freePort, LOOPBACK } from './ports.ts';
import { requireSqldBinary } from './sqld.ts';
import { until } from './until.ts';

/** A libSQL server that tests may kill and pause. It keeps its ports and its folder over restarts. */
export interface SqldServer {
  readonly id: string;
  readonly url: string;
  readonly adminUrl: string;
  /** The folder of its database. */
  readonly folder: string;
  /** Stops it normally. */
  stop(): Promise<void>;
  /** Sends SIGKILL and resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its port and its connections, and answers nothing. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Restarts it. Its commits are not synced then until a client sets that again. */
  restart(): Promise<void>;
}

/** Starts sqld on a new folder below `parent` with synced commits, and resolves when it answers. */
export async function startSqldServer(parent: string, id: string): Promise<SqldServer> {
  const folder = join(parent, id);
  const port = await freePort();
  const adminPort = await freePort();
  const url = `http://${LOOPBACK}:${port}`;
  const adminUrl = `http://${LOOPBACK}:${adminPort}`;
  const start = async (): Promise<ChildGroup> => {
    const child = startChild({
      command: requireSqldBinary(),
      args: [
        '--no-welcome',
        ...['-d', folder],
        ...['--http-listen-addr', `${LOOPBACK}:${port}`],
        ...['--admin-listen-addr', `${LOOPBACK}:${adminPort}`],
      ],
      cwd: parent,
      env: { ...process.env, RUST_LOG: 'info' },
    });
    await waitUntilHealthy(child, url);
    return child;
  };
  let child = await start();
  if (!(await restoreDurability({ url: adminUrl }, fetch))) throw new Error("sqld's admin address refused");
  return {
    id,
    url,
    adminUrl,
    folder,
    async stop() {
      child.kill('SIGCONT');
      await child.stop();
    },
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async restart() {
      await child.stop();
      child = await start();
    },
  };
}

async function waitUntilHealthy(child: ChildGroup, url: string): Promise<void> {
  let end: string | undefined;
  void child.exited.then((reason) => {
    end = reason;
  });
  await until(`sqld answers on ${url}`, async () => {
    if (end !== undefined) throw new Error(`sqld ended (${end}): ${child.lastLines().join('\n')}`);
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true ? true : undefined;
  });
}
