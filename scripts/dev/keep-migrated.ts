import type { LocalDatabase } from '../shared/local-database.ts';
import { migrate } from '../shared/migrate.ts';
import { messageOf } from '../shared/setup-error.ts';
import type { Sources } from './watch-sources.ts';

export interface StartedDatabases {
  readonly directory: LocalDatabase;
  readonly shards: readonly LocalDatabase[];
  /** The request log. */
  readonly logs: LocalDatabase;
}

/** Brings all databases to the newest migration. Returns a line for each database that had an older one. */
export async function migrateAll({ directory, shards, logs }: StartedDatabases): Promise<string[]> {
  const databases = [
    { kind: 'directory', ...directory },
    ...shards.map((shard) => ({ kind: 'shard', ...shard }) as const),
    { kind: 'logs', ...logs },
  ] as const;
  const lines: string[] = [];
  for (const { kind, id, url } of databases) {
    const applied = await migrate({ kind, id, deployment: 'local', url });
    if (applied.length > 0) lines.push(`migrated ${id}: ${applied.join(', ')}`);
  }
  return lines;
}

/** Applies each migration that is added while the databases run. Rejects if the sources can no longer be watched. */
export async function keepMigrated(
  databases: StartedDatabases,
  sources: Sources,
  note: (line: string) => void,
): Promise<never> {
  let change = sources.next();
  for (;;) {
    const paths = await change;
    change = sources.next();
    if (!paths.some((path) => /^db\/\w+\/migrations\//.test(path))) continue;
    try {
      for (const line of await migrateAll(databases)) note(line);
    } catch (error) {
      note(messageOf(error));
    }
  }
}
