import { type SQL, sql } from 'drizzle-orm';

/**
 * An amount in halalas, as SQL. Amounts are text with at most two decimals, which SQLite would add as doubles and so round. The
 * sum of whole numbers is exact.
 */
export function halalasOf(amount: SQL): SQL {
  const digits = sql`ltrim(${amount}, '-')`;
  const point = sql`instr(${digits}, '.')`;
  const fraction = sql`iif(${point} = 0, 0, cast(substr(substr(${digits}, ${point} + 1) || '0', 1, 2) as integer))`;
  return sql`iif(substr(${amount}, 1, 1) = '-', -1, 1) * (cast(${digits} as integer) * 100 + ${fraction})`;
}
