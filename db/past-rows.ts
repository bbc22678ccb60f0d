import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  placeholder,
  queries,
  type ReadStatement,
  read,
  type SqlValue,
  type WriteStatement,
  write,
} from './statement.ts';
import { rowKeyOf } from './without-rowid.ts';

/**
 * The most rows that one unit deletes. It holds the write lock, so creations wait: 500 rows with their indexes take
 * about 10 ms.
 */
export const PAST_ROWS_AT_ONCE = 500;

/**
 * Expired rows: a read that finds at least one if there is any, and the unit that deletes some of them. Where it takes long to find
 * them, the read finds as many as one unit deletes, and the unit names them, because it holds the write lock.
 */
export interface PastRows {
  readonly some: ReadStatement<unknown>;
  /** The statements, for the rows that the read has found. */
  readonly deletion: (found: readonly unknown[]) => readonly WriteStatement[];
}

/** The positions of found rows, as an argument. */
export function positionsIn(found: readonly unknown[]): string {
  return JSON.stringify((found as readonly { position: number }[]).map(({ position }) => Number(position)));
}
/** The rows of that argument. */
export const isFound = sql`position in (select value from json_each(${placeholder('found')}))`;

/** Compiles both statements for the rows of a table for which `isPast` is true. `isPast` needs an index. */
export function compilePastRows<Values extends Record<string, SqlValue>>(
  table: SQLiteTable,
  isPast: SQL | undefined,
): (values: Values) => PastRows {
  const limit = sql.raw(String(PAST_ROWS_AT_ONCE));
  const some = read<Values, ReturnType<typeof getTableColumns>>(firstColumnOf(table), (columns) =>
    queries.select(columns).from(table).where(isPast).limit(1),
  );
  const key = sql.raw(rowKeyOf(table).join(', '));
  const deletion = write<Values>(
    queries.delete(table).where(sql`(${key}) in (select ${key} from ${table} where ${isPast} limit ${limit})`),
  );
  return (values) => ({ some: some(values), deletion: () => [deletion(values)] });
}

export interface OwnedRows {
  readonly table: string;
  /** The columns of the owner, and the column in whose order its rows grow older. An index begins with all of them. */
  readonly owner: readonly [string, ...string[]];
  readonly order: string;
  readonly at: string;
  /** The condition of that index, if it is partial. */
  readonly isKept?: SQL;
  /** What the rows `o` of an owner must fulfil that are counted at all. */
  readonly wanted?: SQL;
  /** Whether the row `r` may be deleted. */
  readonly mayDelete: SQL;
}

/**
 * Positions of the oldest rows before `:before`, from every owner that has some, and at most as many as one unit deletes. Owners
 * are found by skipping from one to the next in the index, so rows of one whose clock is ahead hide none of another.
 */
export function oldestOfEach({ table, owner, order, at, isKept, wanted, mayDelete }: OwnedRows): SQL {
  const raw = sql.raw;
  const kept = isKept ?? raw('true');
  const rows = raw(`select o.position from ${table} as o where`);
  // With a plus sign a column has no affinity, and only then SQLite compares several columns with an index at once.
  const key = (alias: string) => raw(`(${owner.map((column) => `${alias}.${column}`).join(', ')})`);
  const oldest = raw(`order by ${[...owner, order].map((column) => `o.${column}`).join(', ')} limit`);
  const limit = raw(String(PAST_ROWS_AT_ONCE));
  return sql`(with recursive firsts(position) as (
    select (${rows} o.${raw(owner[0])} > '' and ${kept} ${oldest} 1)
    union all
    select (${rows} ${key('o')} > ${key('+one')} and ${kept} ${oldest} 1) from firsts cross join ${raw(table)} as one on one.position = firsts.position)
    select r.position from firsts cross join ${raw(table)} as one on one.position = firsts.position
    cross join ${raw(table)} as r on r.position in (${rows} ${key('o')} = ${key('one')} and ${kept} and ${wanted ?? raw('true')} order by o.${raw(order)} limit ${limit})
    where one.${raw(at)} < ${placeholder('before')} and r.${raw(at)} < ${placeholder('before')} and ${mayDelete} limit ${limit})`;
}

function firstColumnOf(table: SQLiteTable) {
  return Object.fromEntries(Object.entries(getTableColumns(table)).slice(0, 1));
}
