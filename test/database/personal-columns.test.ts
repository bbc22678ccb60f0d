import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIRECTORY_COLUMNS, type PersonalColumns, SHARD_COLUMNS } from '../../db/personal-columns.ts';
import { newId } from '../../scripts/shared/seed-values.ts';
import { housekeepShard } from '../../src/service/sweep.ts';
import { openShard, type TestShard } from '../support/dispatch/shard.ts';
import { insertsOfMarkedShipment, markedColumns } from '../support/marked-shipment.ts';

const DB = resolve(import.meta.dirname, '..', '..', 'db');

async function textColumnsOf(database: 'directory' | 'shard'): Promise<string[]> {
  const folder = join(DB, database, 'schema');
  const modules = await Promise.all(
    readdirSync(folder).map((file) => import(join(folder, file)) as Promise<Record<string, unknown>>),
  );
  const tables = modules.flatMap((module) => Object.values(module).filter((value) => is(value, SQLiteTable)));
  return tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    // Coordinates are decimals, and say where somebody is.
    const texts = columns.filter(
      (column) => column.columnType === 'SQLiteText' || ['latitude', 'longitude'].includes(column.name),
    );
    return texts.map((column) => `${name}.${column.name}`);
  });
}

const listed = (columns: PersonalColumns) =>
  Object.entries(columns).flatMap(([table, lists]) =>
    Object.values(lists).flatMap((names) => names.map((name) => `${table}.${name}`)),
  );

test.each([
  ['directory', DIRECTORY_COLUMNS],
  ['shard', SHARD_COLUMNS],
] as const)('each text column of a %s is declared personal or not, once', async (database, columns) => {
  expect(listed(columns).toSorted()).toEqual((await textColumnsOf(database)).toSorted());
});

describe('the sweep, half a year after the end of a shipment', () => {
  let shard: TestShard;
  beforeAll(async () => {
    shard = await openShard();
  }, 60_000);
  afterAll(() => shard.close());

  test('has emptied every column that holds data of its recipient', async () => {
    for (const insert of insertsOfMarkedShipment(newId(), shard.scope.companyId)) await shard.rows(insert);
    const declared = Object.entries(SHARD_COLUMNS).flatMap(([table, { recipient = [], passing = [] }]) =>
      [...recipient, ...passing].map((column) => `${table}.${column}`),
    );
    expect((await markedColumns(shard.rows)).toSorted()).toEqual(declared.toSorted());
    shard.clock.advance(181 * 24 * 3600);
    await housekeepShard({ ...shard.process(), wakeEndpoint: () => Promise.resolve() });
    expect(await markedColumns(shard.rows)).toEqual([]);
  });
});
