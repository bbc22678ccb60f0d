import { type SQL, sql } from 'drizzle-orm';
import { customType, type SQLiteColumn, text } from 'drizzle-orm/sqlite-core';
import type { Decimal } from '../src/core/decimal.ts';
import type { Instant } from '../src/core/instant.ts';
import type { Uuid } from '../src/core/uuid.ts';

/** INTEGER: microseconds since 1970-01-01T00:00:00Z. */
export const instant = customType<{ data: Instant; driverData: bigint }>({ dataType: () => 'integer' });

/** TEXT: an exact decimal in its canonical form; SQLite's REAL would round it. */
export const decimal = customType<{ data: Decimal; driverData: string }>({ dataType: () => 'text' });

/** TEXT: a UUID in lower case. Version 7 everywhere, so that new rows land at the end of an index. */
export const uuid = customType<{ data: Uuid; driverData: string }>({ dataType: () => 'text' });

/** INTEGER that stays small: versions, sequences, counts. */
export const count = customType<{ data: number; driverData: number | bigint }>({
  dataType: () => 'integer',
  fromDriver: (value) => Number(value),
});

/** TEXT that holds one of the literals in `values`; pair it with `isOneOf` in a CHECK. */
export function oneOf<const Value extends string>(_values: readonly Value[]) {
  return customType<{ data: Value; driverData: string }>({ dataType: () => 'text' });
}

/** The CHECK expression that keeps a `oneOf` column to its literals. */
export function isOneOf(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}

/**
 * The audit. The directory and each shard have this table, because the unit that makes a change also writes its entry.
 */
export const auditColumns = {
  id: uuid().primaryKey(),
  /** The nil UUID for a change that belongs to no company, such as a tariff. */
  companyId: uuid('company_id').notNull(),
  /** The person who acted; null for an operator's program. */
  personId: uuid('person_id'),
  /** The program of an operator, or `operations` for an operator in person; null for a person of a merchant. */
  clientId: text('client_id'),
  /** `person.added`, `session.signed_in`, … */
  action: text().notNull(),
  /** The changed thing: an id or a code. */
  subject: text().notNull(),
  at: instant().notNull(),
  /** The network address of the request, if known. */
  address: text(),
  requestId: uuid('request_id').notNull(),
  /** JSON object without personal data. */
  detail: text().notNull(),
};
