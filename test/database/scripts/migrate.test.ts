import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../db/database.ts';
import { readinessOf } from '../../../db/readiness.ts';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';

vi.setConfig({ testTimeout: 20_000 });

const SHARD = { kind: 'shard', id: 'shard-1', deployment: 'local' } as const;
const DIRECTORY = { ...SHARD, kind: 'directory', id: 'directory' } as const;

let parent = '';
let sqld: Sqld;
let client: Client;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'mirsal-migrate-'));
  sqld = await startSqld({ folder: join(parent, 'data'), port: await freePort(), adminPort: await freePort() });
  client = createClient({ url: sqld.url });
});
afterEach(async () => {
  client.close();
  await sqld.stop();
  rmSync(parent, { recursive: true, force: true });
});

test.each(['directory', 'shard', 'logs'] as const)(
  'a second run on a database of the kind %s has nothing to do',
  async (kind) => {
    expect(await migrate({ kind, id: kind, deployment: 'local', url: sqld.url })).toEqual(['0000_baseline']);
    expect(await migrate({ kind, id: kind, deployment: 'local', url: sqld.url })).toEqual([]);
    expect(await recorded()).toBe(1);
  },
);

test('concurrent runs share the work', async () => {
  const folder = migrationsOf(BASELINE, ONLINE);
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate({ ...SHARD, url: sqld.url, folder })));
  expect(runs.flat().toSorted()).toEqual(['0000_baseline', '0001_phone']);
  expect(await recorded()).toBe(2);
});

test('a version whose migrations are all applied stays ready beside a newer schema', async () => {
  expect(await isReady()).toBe(false);
  await migrate({ ...SHARD, url: sqld.url });
  expect(await isReady()).toBe(true);
  await client.execute(
    "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of a newer version', 9999999999999)",
  );
  expect(await isReady()).toBe(true);
  // A migration run of the older version has nothing to do either.
  expect(await migrate({ ...SHARD, url: sqld.url })).toEqual([]);
});

test('a second migration runs while rows are read and written', async () => {
  await migrate({ ...SHARD, url: sqld.url, folder: migrationsOf(BASELINE) });
  const add = (name: string) => client.execute({ sql: 'INSERT INTO customers (name) VALUES (?)', args: [name] });
  await add('first');
  const [applied] = await Promise.all([
    migrate({ ...SHARD, url: sqld.url, folder: migrationsOf(BASELINE, ONLINE) }),
    add('second'),
  ]);
  expect(applied).toEqual(['0001_phone']);
  // The statement of the version before still works.
  await add('third');
  const { rows } = await client.execute('SELECT name, phone FROM customers ORDER BY name');
  expect(rows.map(({ name, phone }) => [name, phone])).toEqual([
    ['first', null],
    ['second', null],
    ['third', null],
  ]);
});

test('a migration that needs the service stopped runs only when told that it is', async () => {
  const folder = migrationsOf(BASELINE, ONLINE, STOPPING);
  const options = { ...SHARD, url: sqld.url, folder };
  await expect(migrate(options)).rejects.toThrow(
    /^Migration 0002_rebuild needs the service stopped: it rebuilds customers\. .*--service-stopped/,
  );
  expect(await recorded()).toBe(2);
  expect(await migrate({ ...options, isServiceStopped: true })).toEqual(['0002_rebuild']);
});

test('a migration that fails halfway is not recorded, leaves nothing, and can be run again', async () => {
  const folder = migrationsOf(BASELINE, ONLINE, HALF);
  await client.execute('CREATE TABLE orders (id text)');
  await expect(migrate({ ...SHARD, url: sqld.url, folder })).rejects.toThrow(
    /^Migration 0002_orders failed and changed nothing: .*orders.* already exists/,
  );
  expect(await recorded()).toBe(2);
  const { rows } = await client.execute("SELECT name FROM pragma_table_info('customers')");
  expect(rows.map((row) => row.name)).toEqual(['name', 'phone']);
  await client.execute('DROP TABLE orders');
  expect(await migrate({ ...SHARD, url: sqld.url, folder })).toEqual(['0002_orders']);
});

test('a database of another baseline is refused and stays as it is', async () => {
  await migrate({ ...SHARD, url: sqld.url, folder: migrationsOf(BASELINE) });
  const before = await client.execute('SELECT type, name, sql FROM sqlite_schema');
  await expect(migrate({ ...SHARD, url: sqld.url })).rejects.toThrow(
    /^The shard at .* has another baseline \([0-9a-f]{12}\) than this version \([0-9a-f]{12}\)\. Nothing was changed\. .*--fresh.*docs\/operations\.md/,
  );
  expect((await client.execute('SELECT type, name, sql FROM sqlite_schema')).rows).toEqual(before.rows);
  expect(await isReady()).toBe(false);
});

test.each([
  ['a shard as the directory', DIRECTORY, 'the directory of local'],
  ['another shard', { ...SHARD, id: 'shard-2' }, 'the shard shard-2 of local'],
  ['a renamed shard', { ...SHARD, id: 'shard-one' }, 'the shard shard-one of local'],
  ['another deployment', { ...SHARD, deployment: 'production' }, 'the shard shard-1 of production'],
] as const)('%s is refused with both names and stays as it is', async (_what, identity, expected) => {
  await migrate({ ...SHARD, url: sqld.url });
  const before = await client.execute('SELECT type, name, sql FROM sqlite_schema');
  await expect(migrate({ ...identity, url: sqld.url })).rejects.toThrow(
    `expected ${expected}, found the shard shard-1 of local. Nothing was changed.`,
  );
  expect((await client.execute('SELECT type, name, sql FROM sqlite_schema')).rows).toEqual(before.rows);
  expect(await recorded()).toBe(1);
});

test('a migration that was changed after it was applied is reported', async () => {
  const folder = migrationsOf(BASELINE, ONLINE);
  await migrate({ ...DIRECTORY, url: sqld.url, folder });
  await client.execute("UPDATE __drizzle_migrations SET hash = 'of another text' WHERE created_at = 1001");
  await expect(migrate({ ...DIRECTORY, url: sqld.url, folder })).rejects.toThrow(/^Migration 0001_phone was changed/);
});

test('an unreachable database is reported, with the advice to run it again', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await expect(migrate({ ...SHARD, url })).rejects.toThrow(/^The shard at .* is not migrated: .* safe to run again\.$/);
});

type Migration = readonly [tag: string, sql: string];
const BASELINE: Migration = [
  '0000_baseline',
  `CREATE TABLE customers (name text NOT NULL)
--> statement-breakpoint
CREATE TABLE database_identity (only integer, kind text, id text, deployment text)`,
];
const ONLINE: Migration = ['0001_phone', 'ALTER TABLE customers ADD phone text'];
const STOPPING: Migration = [
  '0002_rebuild',
  `-- Stop the service: it rebuilds customers.
CREATE TABLE new_customers (name text NOT NULL, phone text, city text)
--> statement-breakpoint
INSERT INTO new_customers SELECT name, phone, NULL FROM customers
--> statement-breakpoint
DROP TABLE customers
--> statement-breakpoint
ALTER TABLE new_customers RENAME TO customers`,
];
const HALF: Migration = [
  '0002_orders',
  `ALTER TABLE customers ADD city text
--> statement-breakpoint
CREATE TABLE orders (id text)`,
];

/** A folder of migrations as drizzle-kit writes it. */
function migrationsOf(...migrations: readonly Migration[]): string {
  const folder = mkdtempSync(join(parent, 'migrations-'));
  mkdirSync(join(folder, 'meta'));
  for (const [tag, text] of migrations) writeFileSync(join(folder, `${tag}.sql`), text);
  const entries = migrations.map(([tag], idx) => ({ idx, tag, when: 1000 + idx }));
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries }));
  return folder;
}

/** What `/ready` says of the migrations of this database. */
async function isReady(): Promise<boolean> {
  const connection = { id: 'shard-1', url: sqld.url, authToken: undefined, fetch, report: () => {} };
  const database = openDatabase({ ...connection, monotonicMs: () => 0 });
  const isWritable = () => Promise.resolve(true);
  return (await readinessOf(database, { kind: 'shard', requireDurable: false, isWritable })).migrationsCurrent;
}

async function recorded(): Promise<unknown> {
  const { rows } = await client.execute('SELECT count(*) AS count FROM __drizzle_migrations');
  return rows[0]?.count;
}
