import {
  type Column,
  sql as drizzleSql,
  fillPlaceholders,
  type GetColumnData,
  getTableColumns,
  type Placeholder,
  type Query,
  type SQL,
  type Table,
} from 'drizzle-orm';
import {
  QueryBuilder,
  type SelectedFields,
  SQLiteAsyncDialect,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  type SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core';
import { Kept } from '../src/core/kept.ts';

/** An argument of a statement. Integers are bigints or safe numbers; fractions are never bound as numbers. */
export type SqlValue = string | number | bigint | null;

/** A named argument of a statement. */
export const placeholder = drizzleSql.placeholder;

/** One SQL statement with its arguments, as sent to libSQL. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

/** A statement of a unit of work. */
export interface WriteStatement extends Statement {
  /** If it changes no row, the whole unit is refused. */
  readonly mustChange?: boolean;
  /** Position in `sql` of its one row, which has all placeholders: `db/merge.ts` puts the rows of many units there. */
  readonly row?: readonly [start: number, end: number];
  /** Its rows name, in their only column, what to wake after the commit: ids of webhook endpoints. */
  readonly wakes?: boolean;
  /** It changes nothing and fails if its condition is false, so units with the same check need it once. */
  readonly isCheck?: boolean;
}

/** A statement that returns rows, and the function that decodes one row. */
export interface ReadStatement<Row> extends Statement {
  readonly decode: (values: readonly unknown[]) => Row;
}

type Columns = Readonly<Record<string, Column>>;
type RowOf<Selected extends Columns> = { [Name in keyof Selected]: GetColumnData<Selected[Name]> };
interface Compilable {
  toSQL(): Query;
}

const dialect = new SQLiteAsyncDialect();
/** Queries are only compiled to text here, never run by drizzle, so they need no session. */
const NO_SESSION = undefined as never;

/** Builds queries from drizzle's parts, because drizzle's database object would add its whole driver to the bundle. */
export const queries = {
  select: <Selected extends SelectedFields>(fields: Selected) => new QueryBuilder(dialect).select(fields),
  insert: <Target extends SQLiteTable>(table: Target) =>
    new SQLiteInsertBuilder<Target, 'async', never>(table, NO_SESSION, dialect),
  update: <Target extends SQLiteTable>(table: Target) =>
    new SQLiteUpdateBuilder<Target, 'async', never>(table, NO_SESSION, dialect),
  delete: <Target extends SQLiteTable>(table: Target) =>
    new SQLiteDeleteBase<Target, 'async', never>(table, NO_SESSION, dialect),
};

/** Compiles a write with placeholders to a function that takes their values. */
export function write<Values extends Record<string, SqlValue>>(
  query: Compilable,
  options: { mustChange?: boolean } = {},
): (values: Values) => WriteStatement {
  const compiled = once(() => query.toSQL());
  const mustChange = options.mustChange === true;
  return (values) => {
    const { sql, params } = compiled();
    return { sql, args: bind(params, values), mustChange };
  };
}

/**
 * A write of one row with all its placeholders in one `values (…)`: `insert … values (…)`, or a statement that reads
 * `from (values (…))`. It must treat each row alike for any number of rows, because units that commit together put
 * their rows into one statement.
 */
export function writeRow<Values extends Record<string, SqlValue>>(
  query: Compilable,
  { wakes = false, ...options }: { mustChange?: boolean; wakes?: boolean } = {},
): (values: Values) => WriteStatement {
  const compiled = write<Values>(query, options);
  const row = rowIn(query.toSQL().sql);
  return (values) => ({ ...compiled(values), row, wakes });
}

/** A condition of the unit: an SQL expression that is 1 if the condition is true. The unit is refused otherwise. */
export function check<Values extends Record<string, SqlValue>>(condition: SQL): (values: Values) => WriteStatement {
  // `json()` of text that is not JSON fails the step, and with it the unit.
  const query = drizzleSql`select json(case when ${condition} then '1' else 'refused' end)`;
  const compiled = once(() => dialect.sqlToQuery(query));
  return (values) => {
    const { sql, params } = compiled();
    return { sql, args: bind(params, values), isCheck: true };
  };
}

/**
 * A condition of the unit on one row `from (values (…))`, for units that commit together: `wrong` selects the rows that
 * break it, and the unit is refused if there are any.
 */
export function checkRow<Values extends Record<string, SqlValue>>(wrong: SQL): (values: Values) => WriteStatement {
  const sql = drizzleSql`select json(case when exists (${wrong}) then 'refused' else '1' end)`;
  return writeRow<Values>({ toSQL: () => dialect.sqlToQuery(sql) });
}

/** Compiles a read of `columns` with placeholders. The query must select exactly those columns. */
export function read<Values extends Record<string, SqlValue>, Selected extends Columns>(
  columns: Selected,
  query: (columns: Selected) => Compilable,
): (values: Values) => ReadStatement<RowOf<Selected>> {
  const compiled = once(() => ({ ...query(columns).toSQL(), decode: decoderOf(columns) }));
  return (values) => {
    const { sql, params, decode } = compiled();
    return { sql, args: bind(params, values), decode };
  };
}

/**
 * Compiles a statement for each combination of filters once, at its first use. One statement with optional conditions
 * would make SQLite read without an index.
 */
export function variants<Shape extends readonly (string | boolean | readonly string[])[], Compiled>(
  compile: (...shape: Shape) => Compiled,
): (...shape: Shape) => Compiled {
  const compiled = new Kept<string, Compiled>();
  return (...shape) => compiled.getOrMake(shape.join(), () => compile(...shape));
}

/** All columns of a table under their names in code, to read whole rows. */
export function columnsOf<Source extends Table>(table: Source) {
  return getTableColumns(table);
}

/** The columns of a table but those of `except`. */
export function columnsBut<Source extends Table, Except extends ColumnName<Source>>(
  table: Source,
  except: readonly Except[],
) {
  const kept = Object.entries(getTableColumns(table)).filter(([name]) => !except.some((other) => other === name));
  return Object.fromEntries(kept) as Omit<Source['_']['columns'], Except>;
}

/** A placeholder for each column under its name in code: the `values` of an INSERT that takes a whole row. */
export function placesOf<Source extends Table>(table: Source) {
  const names = Object.keys(getTableColumns(table));
  const places = names.map((name) => [name, drizzleSql.placeholder(name)] as const);
  return Object.fromEntries(places) as Record<keyof Source['_']['columns'] & string, Placeholder>;
}

/**
 * A placeholder for each column but those of `except`: the SET of an UPDATE that writes a whole row. A new column is among them, so
 * that no change of a row forgets it.
 */
export function setOf<Source extends Table, Except extends ColumnName<Source>>(
  table: Source,
  except: readonly Except[],
) {
  const kept: ReadonlySet<string> = new Set(except);
  const names = Object.keys(getTableColumns(table)).filter((name) => !kept.has(name));
  // With a bare placeholder, drizzle would pass the value through the column's own mapping.
  const sets = names.map((name) => [name, drizzleSql`${drizzleSql.placeholder(name)}`] as const);
  return Object.fromEntries(sets) as Record<Exclude<ColumnName<Source>, Except>, SQL>;
}
type ColumnName<Source extends Table> = keyof Source['_']['columns'] & string;

/** The placeholders of `placesOf` as a list in the order of the columns, as INSERT … SELECT needs them. */
export function placeListOf(table: Table): SQL {
  return drizzleSql.join(
    Object.values(placesOf(table)).map((place) => drizzleSql`${place}`),
    drizzleSql`, `,
  );
}

/** Compiles at the first use: there are 300 statements, and an isolate that starts needs a few of them. */
function once<Compiled>(compile: () => Compiled): () => Compiled {
  let compiled: Compiled | undefined;
  return () => {
    compiled ??= compile();
    return compiled;
  };
}

function rowIn(sql: string): readonly [start: number, end: number] {
  const start = sql.indexOf('values (') + 'values '.length;
  let depth = 0;
  for (let at = start; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1;
    else if (sql[at] === ')') depth -= 1;
    if (depth === 0) {
      const isWhole = !sql.slice(0, start).includes('?') && !sql.slice(at + 1).includes('?');
      if (isWhole && start > 'values '.length) return [start, at + 1];
      break;
    }
  }
  throw new Error(`All placeholders must be in one row of values: ${sql}`);
}

function bind(params: unknown[], values: Record<string, SqlValue>): SqlValue[] {
  return fillPlaceholders(params, values) as SqlValue[];
}

function decoderOf<Selected extends Columns>(columns: Selected): (values: readonly unknown[]) => RowOf<Selected> {
  const names = Object.keys(columns);
  const sources = Object.values(columns);
  // A copy has room for all columns. An object that grows column by column leaves several smaller ones as garbage.
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    const row: Record<string, unknown> = { ...blank };
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index];
      const value = values[index];
      if (name !== undefined) row[name] = value == null ? null : sources[index]?.mapFromDriverValue(value);
    }
    return row as RowOf<Selected>;
  };
}
