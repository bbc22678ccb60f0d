import { createHash } from 'node:crypto';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { OWNED_TABLES, type OwnedTable } from '../../../db/shard/ownership.ts';
import { drivers } from '../../../db/shard/schema/dispatch.ts';
import type { SqlValue, WriteStatement } from '../../../db/statement.ts';
import { rowKeyOf } from '../../../db/without-rowid.ts';
import { emptyEvent } from '../../shared/empty-event.ts';
import { SetupError } from '../../shared/setup-error.ts';
import type { End } from './end.ts';

/* Rows of one company, table by table, in the order in which their shard got them, or of their key if the table has no rowid. */

/** Within the transaction of these statements the company's rows may be written. */
export type WithRows = (statements: readonly WriteStatement[]) => readonly WriteStatement[];

/** The number of rows of a table, and the SHA-256 of all their values in order. */
export interface Sum {
  readonly rows: number;
  readonly sha256: string;
}

/** A batch holds the write lock for some milliseconds only, because the service writes too. */
const ROWS_AT_ONCE = 400;
const BYTES_AT_ONCE = 1_000_000;

export function nameOf({ table }: OwnedTable): string {
  return getTableConfig(table).name;
}

/** Copies a table, and answers the checksum of the rows that were read. */
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

/** Reads a whole table in batches. */
export async function readTable(
  from: End,
  owned: OwnedTable,
  companyId: string,
  take: (rows: readonly SqlValue[][]) => Promise<void> = () => Promise.resolve(),
): Promise<Sum> {
  const key = rowKeyOf(owned.table);
  const all = [...key, ...columnsOf(owned).map(quote)];
  const select = `select ${all.join(', ')} from ${nameOf(owned)} where ${ownerOf(owned)}`;
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pagesOf(from, { select, key, companyId })) {
    for (const row of page) hash.update(`${JSON.stringify(row.map(told))}\n`);
    for (const part of partsOf(page)) await take(part);
    rows += page.length;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** What rows are read, and in which order: `select` begins with the columns of `key`. */
interface Walk {
  readonly select: string;
  readonly key: readonly string[];
  readonly companyId: string;
}

/** Rows without the key that is selected first. Long rows come in smaller batches. */
async function* pagesOf(from: End, { select, key, companyId }: Walk): AsyncGenerator<SqlValue[][]> {
  const order = key.join(', ');
  let [limit, after]: [number, readonly SqlValue[]] = [ROWS_AT_ONCE, []];
  for (;;) {
    const isAfter = after.length === 0 ? '' : `and (${order}) > (${after.map(() => '?').join(', ')})`;
    const page = await from.readIfItFits(`${select} ${isAfter} order by ${order} limit ?`, [
      companyId,
      ...after,
      limit,
    ]);
    if (page === undefined) {
      if (limit === 1) throw new SetupError(`${from.id} does not send a single row of: ${select}`);
      limit = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.slice(0, key.length);
    yield page.map((row) => row.slice(key.length));
  }
}

/** Deletes a company's rows, referring rows before the rows they refer to. */
export async function clear(end: End, companyId: string, withRows: WithRows, tables = OWNED_TABLES): Promise<void> {
  for (const owned of tables.toReversed()) {
    const table = nameOf(owned);
    if (table === 'events') await passPositions(end);
    const key = rowKeyOf(owned.table).join(', ');
    const first = `select ${key} from ${table} where ${ownerOf(owned)} limit ?`;
    while ((await end.read(first, [companyId, 1])).length > 0) {
      const sql = `delete from ${table} where (${key}) in (${first})`;
      await mustCommit(end, withRows([{ sql, args: [companyId, ROWS_AT_ONCE] }]), `rows of ${table}`);
    }
  }
}

/** New events of others must not get the positions of those that are deleted: the company's cursors may come back to this shard. */
async function passPositions(end: End): Promise<void> {
  const sql = emptyEvent('(SELECT coalesce(max(position), 0) + 1 FROM events)');
  await mustCommit(end, [{ sql, args: [] }], 'an empty event');
}

/**
 * The shard's drivers who had shipments of the company. Their names stay on those shipments. In the new shard, dispatch and
 * sign-in do not find them.
 */
export async function copyPastDrivers(from: End, to: End, companyId: string): Promise<void> {
  const columns = getTableConfig(drivers).columns.map(({ name }) => name);
  const selected = columns.map((column) => AWAY[column] ?? quote(column)).join(', ');
  const select = `select rowid, ${selected} from drivers where company_id is null and id in (
       select driver_id from shipments where company_id = ?1 union
       select driver_id from offers where shipment_id in (select id from shipments where company_id = ?1))`;
  const sql = `insert or ignore into drivers (${columns.map(quote).join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  for await (const page of pagesOf(from, { select, key: ['rowid'], companyId })) {
    for (const args of page) await mustCommit(to, [{ sql, args }], 'a driver');
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
