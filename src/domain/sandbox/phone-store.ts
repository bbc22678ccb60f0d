import { eq } from 'drizzle-orm';
import { driverPhones } from '../../../db/directory/schema/drivers.ts';
import { columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';

/* The SQL of sandbox drivers' phones, in the directory, where each phone belongs to one driver. */

const insertPhone = write(
  queries
    .insert(driverPhones)
    .values({
      phone: placeholder('phone'),
      driverId: placeholder('driverId'),
      shard: placeholder('shard'),
      createdAt: placeholder('createdAt'),
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
    .where(eq(driverPhones.phone, placeholder('phone'))),
);
export function phoneClaimed(phone: string) {
  return selectPhone({ phone });
}
