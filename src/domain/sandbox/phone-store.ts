import { eq, sql } from 'drizzle-orm';
import { driverPhones } from '../../../db/directory/schema/drivers.ts';
import { columnsOf, queries, read, write } from '../../../db/statement.ts';

/* The SQL of sandbox drivers' phones, in the directory, where each phone belongs to one driver. */

const place = sql.placeholder;

const insertPhone = write(
  queries
    .insert(driverPhones)
    .values({
      phone: place('phone'),
      driverId: place('driverId'),
      shard: place('shard'),
      createdAt: place('createdAt'),
    })
    .onConflictDoNothing(),
);
/** Claims a phone in the directory, unless it is taken. */
export function phoneClaim(row: typeof driverPhones.$inferSelect) {
  return insertPhone({ ...row });
}
const selectPhone = read(columnsOf(driverPhones), (columns) =>
  queries
    .select(columns)
    .from(driverPhones)
    .where(eq(driverPhones.phone, place('phone'))),
);
export function phoneClaimed(phone: string) {
  return selectPhone({ phone });
}
