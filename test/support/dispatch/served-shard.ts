import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client/http';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { seed } from '../../../scripts/shared/seed.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';
import { processOf, TestClock } from './process.ts';
import { CLEARED, scopeOf, type TestShard } from './test-shard.ts';

/*
 * A directory and a shard on real sqld, with the sample tariff, service levels and companies, and a clock that the test sets.
 * Due work runs when the test asks for it; the writers' own timers find nothing.
 */

export async function openServedShard(): Promise<TestShard> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-dispatch-'));
  const start = async (name: string) =>
    startSqld({ folder: join(folder, name), port: await freePort(), adminPort: await freePort() });
  const directory = await start('directory');
  const shard = await start('shard-1');
  const client = createClient({ url: shard.url });
  await migrate({ kind: 'directory', id: 'directory', deployment: 'local', url: directory.url });
  await migrate({ kind: 'shard', id: 'shard-1', deployment: 'local', url: shard.url });
  const companyId = await seedCompany(directory, shard);
  const clock = new TestClock();
  await clear(client);
  return {
    clock,
    scope: scopeOf(companyId),
    places: { branchCode: 'RUH-MAIN', pickupLocationCode: 'RUH-ROASTERY' },
    rows: (sql, args = []) => rowsOf(client, sql, args),
    process: () => processOf({ directory, shard, fetch: (...args) => fetch(...args), clock, report: unexpected }),
    clear: () => clear(client),
    close: async () => {
      client.close();
      await Promise.all([directory.stop(), shard.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function seedCompany(directory: Sqld, shard: Sqld): Promise<string> {
  const credentialKey = Buffer.alloc(32, 7).toString('base64url');
  const shards = [{ id: 'shard-1', url: shard.url }];
  const { companies } = await seed({ directoryUrl: directory.url, shards, deployment: 'local', credentialKey });
  return companies[0]?.companyId ?? '';
}

/** The databases of this test are always reachable. */
function unexpected(...failure: readonly string[]): never {
  throw new Error(failure.join(': '));
}

async function rowsOf(client: Client, sql: string, args: readonly string[]): Promise<unknown[][]> {
  const { columns, rows } = await client.execute({ sql, args: [...args] });
  return rows.map((row) => columns.map((name) => row[name]));
}

async function clear(client: Client): Promise<void> {
  await client.batch(
    CLEARED.map((table) => `DELETE FROM ${table}`),
    'write',
  );
}
