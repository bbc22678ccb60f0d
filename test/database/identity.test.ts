import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client/http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { commitGroup } from '../../db/commit.ts';
import { openDatabase } from '../../db/database.ts';
import { restoreDurability } from '../../db/durability.ts';
import type { DatabaseIdentity } from '../../db/identity.ts';
import { readinessOf } from '../../db/readiness.ts';
import { migrate } from '../../scripts/shared/migrate.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../scripts/shared/sqld.ts';

/* What reads and commits do at the address of another database. */

const SHARD = { kind: 'shard', id: 'shard-1', deployment: 'sandbox' } as const;
const OTHERS: readonly (readonly [string, DatabaseIdentity, string])[] = [
  ['another shard', { ...SHARD, id: 'shard-2' }, 'the shard shard-2 of sandbox'],
  // https://github.com/ankane/multiverse/issues/16: the migrations of one database ran in another one.
  ['another kind', { ...SHARD, kind: 'directory', id: 'directory' }, 'the directory of sandbox'],
  ['another deployment', { ...SHARD, deployment: 'production' }, 'the shard shard-1 of production'],
];

const folder = mkdtempSync(join(tmpdir(), 'mirsal-identity-'));
let sqld: Sqld;
let client: Client;
let requests = 0;
let reports: string[] = [];
beforeAll(async () => {
  sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  await migrate({ ...SHARD, url: sqld.url });
  client = createClient({ url: sqld.url });
});
afterAll(async () => {
  client.close();
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await client.execute('delete from company_settings');
  requests = 0;
  reports = [];
});

const connectionTo = (identity: DatabaseIdentity) => ({
  id: 'shard-1',
  url: sqld.url,
  authToken: undefined,
  identity,
  requireDurable: true,
  fetch: (url: string, init: RequestInit) => {
    requests += 1;
    return fetch(url, init);
  },
  report: (failure: string, kind: string) => void reports.push(`${kind}: ${failure}`),
});
const INSERT = {
  statements: [
    {
      sql: "insert into company_settings (company_id, approval_policy) values ('one', 'MANUAL')",
      args: [],
    },
  ],
};
const COUNT = {
  sql: 'select count(*) from company_settings',
  args: [],
  decode: ([count]: readonly unknown[]) => count,
};

test.each(OTHERS)('%s takes no commit, in one request that names both', async (_what, identity, expected) => {
  const outcomes = await commitGroup(connectionTo(identity), [INSERT, INSERT], 10_000);
  const refused = { status: 'unavailable', reason: 'wrong_database' };
  expect(outcomes).toEqual([refused, refused]);
  expect(reports).toEqual([`wrong_database: expected ${expected}, found the shard shard-1 of sandbox`]);
  expect(requests).toBe(1);
  expect((await client.execute(COUNT.sql)).rows[0]?.[0]).toBe(0);
});

test.each(OTHERS)(
  'nothing that %s answers is used, and its readiness names both',
  async (_what, identity, expected) => {
    const database = openDatabase({ ...connectionTo(identity), monotonicMs: () => 0 });
    expect(await database.read(COUNT)).toEqual({ ok: false });
    expect(await database.readAll([COUNT, COUNT])).toEqual({ ok: false });
    const isWritable = () => Promise.resolve(true);
    expect(await readinessOf(database, { kind: 'shard', requireDurable: false, isWritable })).toMatchObject({
      answers: true,
      migrationsCurrent: false,
      writable: false,
      mismatch: `expected ${expected}, found the shard shard-1 of sandbox`,
    });
  },
);

test('the right database that does not sync its commits takes none either, and is not called another one', async () => {
  const relaxed = { block_reads: false, block_writes: false, durability_mode: 'relaxed' };
  await fetch(`${sqld.adminUrl}/v1/namespaces/default/config`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(relaxed),
  });
  const outcomes = await commitGroup(connectionTo(SHARD), [INSERT], 10_000);
  expect([outcomes, reports]).toEqual([[{ status: 'unavailable', reason: 'not_durable' }], []]);
  expect(await restoreDurability({ url: sqld.adminUrl }, fetch)).toBe(true);
  expect(await commitGroup(connectionTo(SHARD), [INSERT], 10_000)).toEqual([{ status: 'committed' }]);
});

test('a database without an identity takes no commit', async () => {
  const bare = await startSqld({ folder: `${folder}-bare`, port: await freePort(), adminPort: await freePort() });
  const connection = { ...connectionTo(SHARD), url: bare.url };
  const [outcome] = await commitGroup(
    connection,
    [{ statements: [{ sql: 'create table one (id)', args: [] }] }],
    10_000,
  );
  expect(outcome).toEqual({ status: 'unavailable', reason: 'wrong_database' });
  expect(reports[0]).toContain('found a database without an identity');
  await bare.stop();
  rmSync(`${folder}-bare`, { recursive: true, force: true });
});

test('the right database is asked within the first read, and again after a minute', async () => {
  let nowMs = 0;
  const database = openDatabase({ ...connectionTo(SHARD), monotonicMs: () => nowMs });
  const rename = (id: string) => client.execute({ sql: 'update database_identity set id = ?', args: [id] });
  expect(await database.read(COUNT)).toEqual({ ok: true, rows: [0n] });
  await rename('shard-9');
  nowMs = 59_000;
  expect(await database.read(COUNT)).toEqual({ ok: true, rows: [0n] });
  nowMs = 60_000;
  expect(await database.read(COUNT)).toEqual({ ok: false });
  // A commit asks each time.
  expect(await commitGroup(connectionTo(SHARD), [INSERT], 10_000)).toMatchObject([{ reason: 'wrong_database' }]);
  await rename('shard-1');
  expect(await database.read(COUNT)).toEqual({ ok: true, rows: [0n] });
  expect(await commitGroup(connectionTo(SHARD), [INSERT], 10_000)).toEqual([{ status: 'committed' }]);
  expect(requests).toBe(6);
});
