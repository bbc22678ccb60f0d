import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@libsql/client/http';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { moveTriggers, OWNED_TABLES } from '../../db/shard/ownership.ts';
import { addWithoutRowid, WITHOUT_ROWID } from '../../db/without-rowid.ts';
import { Dice } from '../../scripts/shared/dice.ts';
import { DatabaseServer } from '../../scripts/shared/memory/database-server.ts';
import { migrate } from '../../scripts/shared/migrate.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { startSqld } from '../../scripts/shared/sqld.ts';

vi.setConfig({ testTimeout: 20_000 });

/** Tables that belong to the shard and are not moved. */
const OF_THE_SHARD = ['database_identity', 'company_moves', 'service_levels', 'sweep_marks'];

const SCHEMA = resolve(import.meta.dirname, '..', '..', 'db', 'shard', 'schema');

async function tablesOfTheSchema() {
  const modules = await Promise.all(
    readdirSync(SCHEMA).map((file) => import(join(SCHEMA, file)) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module).filter((value) => is(value, SQLiteTable)));
}

test('every table of a shard declares its owner', async () => {
  const names = (await tablesOfTheSchema()).map((table) => getTableConfig(table).name);
  const owned = OWNED_TABLES.map(({ table }) => getTableConfig(table).name);
  expect([...owned, ...OF_THE_SHARD].toSorted()).toEqual(names.toSorted());
});

test('a table with company_id moves by it, after the tables that it references', async () => {
  const before = new Set<string>();
  for (const { table, by } of OWNED_TABLES) {
    const { name, columns, foreignKeys } = getTableConfig(table);
    const hasCompany = columns.some((column) => column.name === 'company_id');
    expect(by.in === undefined, name).toBe(hasCompany);
    expect(columns.map((column) => column.name)).toContain(by.column);
    for (const key of foreignKeys) expect(before).toContain(getTableConfig(key.reference().foreignTable).name);
    if (by.in !== undefined) expect(before).toContain(by.in);
    before.add(name);
  }
});

test('exactly the tables with token hashes are searched by token', () => {
  const isHash = (column: { readonly name: string }) => column.name.endsWith('token_hash');
  const holding = OWNED_TABLES.filter(({ table }) => getTableConfig(table).columns.some(isHash));
  expect(OWNED_TABLES.filter(({ foundByToken }) => foundByToken)).toEqual(holding);
  expect(holding).not.toEqual([]);
});

test('a migrated shard has the triggers of every owned table, as generated here', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-ownership-'));
  const sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  onTestFinished(async () => {
    await sqld.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await migrate({ kind: 'shard', id: 'shard-1', deployment: 'local', url: sqld.url });
  const client = createClient({ url: sqld.url });
  const { rows } = await client.execute("select name, sql from sqlite_schema where type = 'trigger' order by name");
  client.close();
  const expected = moveTriggers().toSorted((first, second) => (first.name < second.name ? -1 : 1));
  expect(rows.map(({ name, sql }) => ({ name, sql }))).toEqual(expected);
});

test('a migrated shard keeps exactly the listed tables without a rowid', () => {
  const shard = new DatabaseServer({ kind: 'shard', dice: new Dice(1), onCommit: () => undefined });
  const tables = shard.rows("select name from sqlite_schema where sql like 'CREATE TABLE%) WITHOUT ROWID'");
  shard.close();
  expect(new Set(tables.map(({ name }) => name))).toEqual(WITHOUT_ROWID);
});

test('a new or rebuilt table of the list is completed once, and no other table', () => {
  const created = (name: string, end: string) =>
    `CREATE TABLE \`${name}\` (\n\t\`id\` text PRIMARY KEY NOT NULL\n)${end};\n`;
  const migration = ['later_charges', '__new_later_charges', 'shipments'].map((name) => created(name, '')).join('');
  const complete =
    created('later_charges', ' WITHOUT ROWID') +
    created('__new_later_charges', ' WITHOUT ROWID') +
    created('shipments', '');
  expect(addWithoutRowid(migration)).toBe(complete);
  expect(addWithoutRowid(complete)).toBe(complete);
});
