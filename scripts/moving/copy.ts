import { createHash } from 'node:crypto';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { OWNED_TABLES, type OwnedTable } from '../../db/shard/ownership.ts';
import type { SqlValue, WriteStatement } from '../../db/statement.ts';
import { SetupError } from '../setup-error.ts';
import type { End } from './end.ts';

/* Rows of one company, table by table, in the order in which their shard got them. */

/** Within the transaction of which the statements are a part, the company's rows may be written. */
export type WithRows = (statements: readonly WriteStatement[]) => readonly WriteStatement[];

/** How many rows a table has, and the SHA-256 of all their values in their order. */
export interface Sum {
  readonly rows: number;
  readonly sha256: string;
}

/** As many at once as keep the write lock some milliseconds, for everybody else writes too. */
const ROWS_AT_ONCE = 400;
const BYTES_AT_ONCE = 1_000_000;

export function nameOf({ table }: OwnedTable): string {
  return getTableConfig(table).name;
}

/** Copies a table, and answers the sum of what was read. */
export async function copyTable(
  from: End,
  to: End,
  owned: OwnedTable,
  companyId: string,
  withRows: WithRows,
): Promise<Sum> {
  const columns = columnsOf(owned);
  const insert = `insert into ${nameOf(owned)} (${columns.map(quote).join(', ')}) values `;
  const places = `(${columns.map(() => '?').join(', ')})`;
  return readTable(from, owned, companyId, async (rows) => {
    const sql = insert + rows.map(() => places).join(', ');
    await mustCommit(to, withRows([{ sql, args: rows.flat() }]), `rows of ${nameOf(owned)}`);
  });
}

/** Reads a table to its end, some rows at a time. */
export async function readTable(
  from: End,
  owned: OwnedTable,
  companyId: string,
  take: (rows: readonly SqlValue[][]) => Promise<void> = () => Promise.resolve(),
): Promise<Sum> {
  const select = `select rowid, ${columnsOf(owned).map(quote).join(', ')} from ${nameOf(owned)} where ${ownerOf(owned)} and rowid > ? order by rowid limit ?`;
  const hash = createHash('sha256');
  let [rows, limit, after]: [number, number, SqlValue] = [0, ROWS_AT_ONCE, -1n];
  for (;;) {
    const page = await from.read(select, [companyId, after, limit]);
    if (page === undefined) {
      // Long rows. One alone is always sent.
      limit = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    if (page.length === 0) return { rows, sha256: hash.digest('hex') };
    after = page.at(-1)?.[0] ?? after;
    const values = page.map((row) => row.slice(1));
    for (const row of values) hash.update(`${JSON.stringify(row.map(told))}\n`);
    for (const part of partsOf(values)) await take(part);
    rows += page.length;
  }
}

/** Deletes a company's rows, what refers to others before those. */
export async function clear(end: End, companyId: string, withRows: WithRows, tables = OWNED_TABLES): Promise<void> {
  for (const owned of tables.toReversed()) {
    const table = nameOf(owned);
    const first = `select rowid from ${table} where ${ownerOf(owned)} limit ?`;
    while (((await end.read(first, [companyId, 1])) ?? []).length > 0) {
      const sql = `delete from ${table} where rowid in (${first})`;
      await mustCommit(end, withRows([{ sql, args: [companyId, ROWS_AT_ONCE] }]), `rows of ${table}`);
    }
  }
}

/**
 * Drivers of the shard who had shipments of the company: their names stay on what they delivered. Where it goes they are
 * nobody whom dispatch or sign-in would find.
 */
export async function copyPastDrivers(from: End, to: End, companyId: string): Promise<void> {
  const drivers = OWNED_TABLES.find((owned) => nameOf(owned) === 'drivers');
  if (drivers === undefined) throw new Error('There is no table of drivers');
  const columns = columnsOf(drivers);
  const selected = columns.map((column) => AWAY[column] ?? quote(column)).join(', ');
  const rows = await from.read(
    `select ${selected} from drivers where company_id is null and id in (
       select driver_id from dispatches where company_id = ?1 union
       select driver_id from offers where shipment_id in (select id from shipments where company_id = ?1))`,
    [companyId],
  );
  for (const row of rows ?? []) {
    const sql = `insert or ignore into drivers (${columns.map(quote).join(', ')}) values (${columns.map(() => '?').join(', ')})`;
    await mustCommit(to, [{ sql, args: row }], 'a driver');
  }
}
const AWAY: Readonly<Record<string, string>> = {
  status: "'INACTIVE'",
  on_duty: '0',
  active_count: '0',
  latitude: 'null',
  longitude: 'null',
  position_at: 'null',
};

export async function mustCommit(end: End, statements: readonly WriteStatement[], what: string): Promise<void> {
  if (await end.commit(statements)) return;
  throw new SetupError(`${end.id} refused ${what}: another run of this move has taken over, or it is not as it was.`);
}

function columnsOf({ table, renumbered }: OwnedTable): string[] {
  return getTableConfig(table)
    .columns.map(({ name }) => name)
    .filter((name) => name !== renumbered);
}

function ownerOf({ by }: OwnedTable): string {
  return by.in === undefined ? `${by.column} = ?` : `${by.column} in (select id from ${by.in} where company_id = ?)`;
}

function quote(name: string): string {
  return `"${name}"`;
}

function told(value: SqlValue): string | null {
  return value === null ? null : `${typeof value === 'string' ? 's' : 'i'}${String(value)}`;
}

function* partsOf(rows: readonly SqlValue[][]): Iterable<readonly SqlValue[][]> {
  let part: SqlValue[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (part.length > 0 && bytes + size > BYTES_AT_ONCE) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
