import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killLiveGroups } from './child-group.ts';
import { migrate } from './migrate.ts';
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
export async function startDatabases(): Promise<Databases> {
  // However this process ends, except by SIGKILL, the servers end with it.
  process.once('exit', killLiveGroups);
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-test-'));
  const [directory, first, second, logs] = await Promise.all([
    startSqldServer(folder, 'directory'),
    startSqldServer(folder, 'shard-1'),
    startSqldServer(folder, 'shard-2'),
    startSqldServer(folder, 'logs'),
  ]);
  await Promise.all([
    migrate({ kind: 'directory', url: directory.url }),
    migrate({ kind: 'shard', url: first.url }),
    migrate({ kind: 'shard', url: second.url }),
    migrate({ kind: 'logs', url: logs.url }),
  ]);
  return {
    directory,
    shards: { 'shard-1': first, 'shard-2': second },
    logs,
    documents: join(folder, 'documents'),
    async stop() {
      await Promise.all([directory, first, second, logs].map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
