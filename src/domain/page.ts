import type { Database } from '../../db/database.ts';
import type { ReadStatement } from '../../db/statement.ts';
import type { Sealer } from '../access/sealer.ts';
import type { Instant } from '../core/instant.ts';
import { parseStored } from '../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../core/result.ts';

/** The request of every list. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The response of every list. */
export interface Page<Entry> {
  readonly data: Entry[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

export interface PageDependencies {
  readonly database: Database;
  readonly cursors: Sealer;
}

/** A list: the binding of its cursors, its SQL from a position on, and the view of a row. */
export interface List<Row, Entry> {
  /** Tenant, parent resource, filters and sort. */
  readonly binding: readonly (string | undefined)[];
  readonly select: (after: readonly string[] | undefined, limit: number) => ReadStatement<Row>;
  readonly positionOf: (row: Row) => string[] | Promise<string[]>;
  readonly present: (row: Row) => Entry;
  /** True for the first row that no longer fits on a page; it starts the next page. */
  readonly isCut?: (row: Row) => boolean;
}

/**
 * One page of a list, in one request to the database. It reads one row more than it shows, to know whether there are
 * more.
 */
export async function readPage<Row, Entry>(
  { database, cursors }: PageDependencies,
  { limit, cursor }: PageRequest,
  { binding, select, positionOf, present, isCut = () => false }: List<Row, Entry>,
): Promise<Result<Page<Entry>>> {
  const after = cursor === undefined ? undefined : await cursors.open(binding, cursor);
  if (cursor !== undefined && after === undefined) return refuse('INVALID_CURSOR');
  let shown = limit;
  let answer = await database.read(select(after, shown + 1));
  // The rows are very long, so the page is shorter and the cursor continues after it.
  while (!answer.ok && answer.isTooLarge === true && shown > 1) {
    shown = Math.ceil(shown / 2);
    answer = await database.read(select(after, shown + 1));
  }
  if (!answer.ok) return unavailable();
  const cut = answer.rows.findIndex(isCut);
  const rows = answer.rows.slice(0, cut === -1 ? shown : Math.min(cut, shown));
  const last = rows.at(-1);
  const hasMore = answer.rows.length > rows.length && last !== undefined;
  const nextCursor = hasMore ? await cursors.seal(binding, await positionOf(last)) : null;
  return ok({ data: rows.map(present), page: { nextCursor, hasMore } });
}

/** A list with sums of all its rows, which are kept as JSON. */
export interface SummedList<Row, Entry, Sums> extends Omit<List<Row, Entry>, 'select'> {
  /** `sums` are those of the first page; undefined on that page. */
  readonly select: (after: readonly string[] | undefined, limit: number, sums: Sums | undefined) => ReadStatement<Row>;
  /** Undefined if they cannot be read. */
  readonly sum: () => Promise<Sums | undefined>;
}

/**
 * One page of a list and the sums of the list. The first page sums all rows; the cursor has the sums for the next pages, which would
 * otherwise read all rows each.
 */
export async function readSummedPage<Row, Entry, Sums>(
  dependencies: PageDependencies,
  page: PageRequest,
  { select, sum, positionOf, ...list }: SummedList<Row, Entry, Sums>,
): Promise<Result<{ readonly page: Page<Entry>; readonly sums: Sums }>> {
  let summed = page.cursor === undefined ? sum() : undefined;
  const listed = await readPage(dependencies, page, {
    ...list,
    select: (after, limit) => {
      const kept = after === undefined ? undefined : parseStored<Sums>(after.at(-1) ?? '');
      if (kept !== undefined) summed = Promise.resolve(kept);
      return select(after?.slice(0, -1), limit, kept);
    },
    // Without sums the answer is 503, and nobody gets the cursor.
    positionOf: async (row) => [...(await positionOf(row)), JSON.stringify((await summed) ?? null)],
  });
  if (!listed.ok) return listed;
  const sums = await summed;
  return sums === undefined ? unavailable() : ok({ page: listed.value, sums });
}

/** A list from several databases. While a company moves, two of them have its rows: `keyOf` tells that they are the same. */
export interface MergedList<Row, Entry> extends Omit<List<Row, Entry>, 'isCut' | 'present'> {
  /** `source` is the id of the database that has the row. */
  readonly present: (row: Row, source: string) => Entry;
  readonly keyOf: (row: Row) => string;
  /** The order of the list, as for `toSorted`. */
  readonly compare: (left: Row, right: Row) => number;
}

/** One page merged from several databases. Each returns its first rows, so the first of all are among them. */
export async function readMergedPage<Row, Entry>(
  { databases, cursors }: { readonly databases: readonly Database[]; readonly cursors: Sealer },
  { limit, cursor }: PageRequest,
  { binding, select, positionOf, present, keyOf, compare }: MergedList<Row, Entry>,
): Promise<Result<Page<Entry>>> {
  const after = cursor === undefined ? undefined : await cursors.open(binding, cursor);
  if (cursor !== undefined && after === undefined) return refuse('INVALID_CURSOR');
  const found = await readMergedRows(databases, select(after, limit + 1), { keyOf, compare });
  if (found === undefined) return unavailable();
  const rows = found.slice(0, limit);
  const last = rows.at(-1)?.row;
  const hasMore = found.length > limit && last !== undefined;
  const nextCursor = hasMore ? await cursors.seal(binding, await positionOf(last)) : null;
  return ok({ data: rows.map(({ row, source }) => present(row, source)), page: { nextCursor, hasMore } });
}

/** The rows of several databases in one order, with the id of their database; undefined if one did not answer. */
export async function readMergedRows<Row>(
  databases: readonly Database[],
  statement: ReadStatement<Row>,
  { keyOf, compare }: Pick<MergedList<Row, unknown>, 'keyOf' | 'compare'>,
): Promise<{ readonly row: Row; readonly source: string }[] | undefined> {
  const answers = await Promise.all(databases.map((database) => database.read(statement)));
  const found = new Map<string, { readonly row: Row; readonly source: string }>();
  for (const [index, answer] of answers.entries()) {
    if (!answer.ok) return undefined;
    const source = databases[index]?.id ?? '';
    for (const row of answer.rows) found.set(keyOf(row), { row, source });
  }
  return [...found.values()].toSorted((left, right) => compare(left.row, right.row));
}

/** Where a page of a list by time starts: after the row with this instant and key. */
export interface Position {
  readonly createdAt: Instant;
  readonly key: string;
}

/** The position in an encrypted cursor of a list by time. */
export function positionOf(after: readonly string[] | undefined): Position | undefined {
  const [createdAt, key] = after ?? [];
  return createdAt === undefined || key === undefined ? undefined : { createdAt: BigInt(createdAt) as Instant, key };
}
