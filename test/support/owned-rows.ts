import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { OWNED_TABLES, type OwnedTable } from '../../db/shard/ownership.ts';
import { rowKeyOf } from '../../db/without-rowid.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import type { ShardId, SqlRow } from '../../scripts/shared/sql.ts';
import { until } from '../../scripts/shared/until.ts';

/** All rows that a shard has of a company: by table, with all columns, in the shard's order. */
export type OwnedRows = Readonly<Record<string, readonly SqlRow[]>>;

/** `places`: also the rowid of each row that has one. It belongs to the shard and changes with a move. */
export async function ownedRows(
  environment: Environment,
  owner: { readonly shard: ShardId; readonly companyId: string },
  { places = false } = {},
): Promise<OwnedRows> {
  const found: Record<string, SqlRow[]> = {};
  for (const owned of OWNED_TABLES) {
    const { name, columns } = getTableConfig(owned.table);
    const moved = columns.map((column) => column.name).filter((column) => column !== owned.renumbered);
    const order = rowKeyOf(owned.table);
    const all = [
      ...(places && order[0] === 'rowid' ? ['rowid as place'] : []),
      ...moved.map((column) => `"${column}"`),
    ];
    const select = `select ${all.join(', ')} from ${name} where ${ownerOf(owned, '= ?')} order by ${order.join(', ')}`;
    found[name] = await environment.sql(owner.shard, select, [owner.companyId]);
  }
  return found;
}

/** The same, once the rows no longer change. */
export function stillRows(
  environment: Environment,
  owner: { readonly shard: ShardId; readonly companyId: string },
  options?: { readonly places: boolean },
): Promise<OwnedRows> {
  let before = '';
  const ask = async () => {
    const rows = await ownedRows(environment, owner, options);
    const isBusy = rows['webhook_deliveries']?.some(({ status }) => status === 'PENDING' || status === 'RETRYING');
    const text = JSON.stringify(rows);
    const isStill = text === before && isBusy === false;
    before = text;
    return isStill ? rows : undefined;
  };
  return until('nothing of it changes', ask, { everyMs: 500 });
}

/** The columns that identify a row in any shard. */
export function keysOf(rows: OwnedRows): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    OWNED_TABLES.map((owned) => {
      const { name } = getTableConfig(owned.table);
      const key = keyOf(owned);
      return [name, (rows[name] ?? []).map((row) => JSON.stringify(key.map((column) => row[column])))];
    }),
  );
}

/** The keys of all companies' rows in a shard, each with its table. */
export async function ownedKeys(environment: Environment, shard: ShardId): Promise<string[]> {
  const found: string[] = [];
  for (const owned of OWNED_TABLES) {
    const { name } = getTableConfig(owned.table);
    const key = keyOf(owned).map((column) => `"${column}"`);
    const select = `select json_array(${key.join(', ')}) as key from ${name} where ${ownerOf(owned, 'is not null')}`;
    found.push(...(await environment.sql(shard, select)).map((row) => `${name} ${row['key']}`));
  }
  return found;
}

function keyOf({ table, renumbered }: OwnedTable): string[] {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const single = columns.filter(({ primary }) => primary);
  const key = [...single, ...primaryKeys.flatMap((each) => each.columns)].map((column) => column.name);
  if (key.length === 0) throw new Error(`${name} has no primary key`);
  return key.some((column) => column === renumbered) ? ['id'] : key;
}

function ownerOf({ by }: OwnedTable, condition: string): string {
  if (by.in === undefined) return `${by.column} ${condition}`;
  return `${by.column} in (select id from ${by.in} where company_id ${condition})`;
}
