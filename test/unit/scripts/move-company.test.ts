import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNED_TABLES } from '../../../db/shard/ownership.ts';
import { idempotencyRecords } from '../../../db/shard/schema/shipments.ts';
import type { DatabaseOfService } from '../../../scripts/database-addresses.ts';
import { migrate } from '../../../scripts/migrate.ts';
import { readTable } from '../../../scripts/moving/copy.ts';
import { openEnd } from '../../../scripts/moving/end.ts';
import { abandonMove, moveCompany } from '../../../scripts/moving/move.ts';
import { newId } from '../../../scripts/seed-values.ts';
import { DATABASE_IDS, type DatabaseId, openSql, type RunSql, type ShardId } from '../../support/sql.ts';
import { type SqldServer, startSqldServer } from '../../support/sqld.ts';

/* What the command does with the databases, where no service looks on. */

const folder = mkdtempSync(join(tmpdir(), 'mirsal-move-company-'));
const servers: SqldServer[] = [];
let databases: DatabaseOfService[];
let sql: RunSql;
beforeAll(async () => {
  for (const id of DATABASE_IDS) {
    const server = await startSqldServer(folder, id);
    servers.push(server);
    await migrate({ kind: id === 'directory' ? 'directory' : 'shard', url: server.url });
  }
  databases = servers.map(({ id, url, adminUrl }) => ({
    kind: id === 'directory' ? 'directory' : 'shard',
    ...{ id, url, adminUrl },
  }));
  const urls = Object.fromEntries(servers.map(({ id, url }) => [id, url])) as Record<DatabaseId, string>;
  sql = openSql(urls);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const SETTLE_MS = 300;

test('where it had lived before, who still asks there is sent back before the copy goes and the company is written again', async () => {
  const companyId = await addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  await moveUntil('both have the same', companyId, 'shard-1');
  expect(await standingOf(companyId, 'shard-1')).toMatchObject({ state: 'FROZEN', forward_to: null });

  const seen: unknown[] = [];
  let pointedAt = Number.NaN;
  const onStep = async (step: string) => {
    if (step === 'shard-1 points back') pointedAt = performance.now();
    else expect(performance.now() - pointedAt).toBeGreaterThan(SETTLE_MS - 50);
    const [there, here] = [await standingOf(companyId, 'shard-1'), await standingOf(companyId, 'shard-2')];
    seen.push([step, there?.['forward_to'], await rowsOf(companyId, 'shard-1'), here?.['state']]);
  };
  await abandonMove({ ...optionsOf(companyId, 'shard-1'), settleMs: SETTLE_MS, onStep });
  expect(seen).toEqual([
    ['shard-1 points back', 'shard-2', 3, 'FROZEN'],
    ['takes writes', 'shard-2', 3, 'ARRIVED'],
    ['it stays in shard-2', 'shard-2', 0, 'ARRIVED'],
  ]);
  expect(await rowsOf(companyId, 'shard-2')).toBe(3);
});

test.each(['shard-1 points back', 'takes writes'])('abandoning that is ended after "%s" goes on', async (end) => {
  const companyId = await addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  await moveUntil('both have the same', companyId, 'shard-1');
  await expect(abandonMove({ ...optionsOf(companyId, 'shard-1'), onStep: endAt(end) })).rejects.toThrow('ended here');
  await abandonMove(optionsOf(companyId, 'shard-1'));
  expect(await standingOf(companyId, 'shard-2')).toMatchObject({ state: 'ARRIVED', forward_to: null });
  expect(await standingOf(companyId, 'shard-1')).toMatchObject({ state: 'FROZEN', forward_to: 'shard-2' });
  expect([await rowsOf(companyId, 'shard-1'), await rowsOf(companyId, 'shard-2')]).toEqual([0, 3]);
  // It may set out again.
  await moveCompany(optionsOf(companyId, 'shard-1'));
  expect([await rowsOf(companyId, 'shard-1'), await rowsOf(companyId, 'shard-2')]).toEqual([3, 0]);
});

test('a move that goes on while it is abandoned does not come to its end', async () => {
  const companyId = await addCompany();
  const onStep = async (step: string) => {
    if (step === 'both have the same') await abandonMove(optionsOf(companyId, 'shard-2'));
  };
  await expect(moveCompany({ ...optionsOf(companyId, 'shard-2'), onStep })).rejects.toThrow('another run');
  expect(await standingOf(companyId, 'shard-1')).toMatchObject({ state: 'ARRIVED' });
  expect([await rowsOf(companyId, 'shard-1'), await rowsOf(companyId, 'shard-2')]).toEqual([3, 0]);
});

test('one that was abandoned while it copied does not take the pointer back away', async () => {
  const companyId = await addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  // It begins on the new shard only after it was abandoned, and knows nothing of that.
  const onStep = async (step: string) => {
    if (step === 'frozen') await abandonMove(optionsOf(companyId, 'shard-1'));
  };
  await expect(moveCompany({ ...optionsOf(companyId, 'shard-1'), onStep })).rejects.toThrow('another run');
  expect(await standingOf(companyId, 'shard-1')).toMatchObject({ forward_to: 'shard-2' });
});

test.each(['shard-1', 'shard-3'])('where nothing is under way, there is no move to %s to abandon', async (to) => {
  const companyId = await addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  const before = await standingOf(companyId, 'shard-2');
  expect(before).toMatchObject({ state: 'ARRIVED', other_shard: 'shard-1' });
  const more = databases.flatMap((database) => (database.id === 'shard-1' ? [{ ...database, id: 'shard-3' }] : []));
  const options = { ...optionsOf(companyId, to as ShardId), databases: [...databases, ...more] };
  await expect(abandonMove(options)).rejects.toThrow('No such move is under way.');
  expect(await standingOf(companyId, 'shard-2')).toEqual(before);
});

test('rows that are too many for one answer are copied all the same, and never taken for none', async () => {
  const companyId = await addCompany();
  const insert = `insert into idempotency_records select company_id, client_id, operation, key || value, fingerprint, status,
    hex(zeroblob(200000)), etag, location, expires_at from idempotency_records, json_each('[1,2,3,4,5,6,7,8,9]') where company_id = ?`;
  await sql('shard-1', insert, [companyId]);
  const end = endOf('shard-1');
  const select = 'select response from idempotency_records where company_id = ?';
  await expect(end.read(select, [companyId])).rejects.toThrow('more rows than it sends at once');
  await moveCompany(optionsOf(companyId, 'shard-2'));
  expect([await rowsOf(companyId, 'shard-1'), await rowsOf(companyId, 'shard-2')]).toEqual([0, 30]);
});

test('a row that is never sent ends the move instead of being asked for again and again', async () => {
  const companyId = await addCompany();
  await sql('shard-1', 'update idempotency_records set response = hex(zeroblob(6000000)) where company_id = ?', [
    companyId,
  ]);
  const owned = OWNED_TABLES.find(({ table }) => table === idempotencyRecords);
  if (owned === undefined) throw new Error('Idempotency records are not moved');
  await expect(readTable(endOf('shard-1'), owned, companyId)).rejects.toThrow('does not send a single row');
});

function optionsOf(companyId: string, to: ShardId) {
  return { databases, companyId, to, requireDurable: true, drainMs: 0, settleMs: 0, onStep: () => undefined };
}

function endOf(id: ShardId) {
  const database = databases.find((each) => each.id === id);
  if (database === undefined) throw new Error(`There is no ${id}`);
  return openEnd(database, true);
}

function endAt(last: string) {
  return (step: string) => {
    if (step === last) throw new Error('ended here');
  };
}

async function moveUntil(step: string, companyId: string, to: ShardId): Promise<void> {
  await expect(moveCompany({ ...optionsOf(companyId, to), onStep: endAt(step) })).rejects.toThrow('ended here');
}

/** It lives in the first shard, with three rows. */
async function addCompany(): Promise<string> {
  const companyId = newId();
  await sql('directory', "insert into companies (id, name, shard, created_at) values (?, 'Dar', 'shard-1', 1)", [
    companyId,
  ]);
  for (const key of ['one', 'two', 'three']) {
    const insert = "insert into idempotency_records values (?, 'client', 'create', ?, 'f', 201, '{}', '\"1\"', '/', 9)";
    await sql('shard-1', insert, [companyId, key]);
  }
  return companyId;
}

async function rowsOf(companyId: string, shard: ShardId): Promise<unknown> {
  const [row] = await sql(shard, 'select count(*) as total from idempotency_records where company_id = ?', [companyId]);
  return row?.['total'];
}

async function standingOf(companyId: string, shard: ShardId) {
  const [row] = await sql(shard, 'select * from company_moves where company_id = ?', [companyId]);
  return row;
}
