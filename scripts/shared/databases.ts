import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from '../../src/core/deployment.ts';
import { killLiveGroups } from './child-group.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { type SqldServer, startSqldServer } from './mortal-sqld.ts';
import type { ShardId } from './sql.ts';

export interface Databases {
  readonly directory: SqldServer;
  readonly shards: Readonly<Record<ShardId, SqldServer>>;
  /** The database of the request log. */
  readonly logs: SqldServer;
  /** A folder for documents. It is deleted with the databases. */
  readonly documents: string;
  stop(): Promise<void>;
}

/** Starts and migrates a directory, two shards and the database of the request log in a new folder, which is deleted when they stop. */
export async function startDatabases(deployment: Deployment): Promise<Databases> {
  // However this process ends, except by SIGKILL, the servers end with it.
  process.once('exit', killLiveGroups);
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-test-'));
  const started: SqldServer[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  const start = async (id: string, kind: MigrateOptions['kind']) => {
    const server = await startSqldServer(folder, id);
    started.push(server);
    await migrate({ kind, id, deployment, url: server.url });
    return server;
  };
  const starting = [
    start('directory', 'directory'),
    start('shard-1', 'shard'),
    start('shard-2', 'shard'),
    start('logs', 'logs'),
  ] as const;
  // If one of them fails, the others are awaited too, so that none is left running.
  await Promise.allSettled(starting);
  try {
    const [directory, first, second, logs] = await Promise.all(starting);
    const shards = { 'shard-1': first, 'shard-2': second };
    return { directory, shards, logs, documents: join(folder, 'documents'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
