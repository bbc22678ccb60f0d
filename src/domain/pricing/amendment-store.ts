import { laterCharges } from '../../../db/shard/schema/terms.ts';
import { placesOf, queries, write } from '../../../db/statement.ts';

const insertAmendmentCharge = write(queries.insert(laterCharges).values(placesOf(laterCharges)));
/** The line of an amendment. Its number is that of the amendment. */
export function amendmentChargeInsert(charge: Omit<typeof laterCharges.$inferSelect, 'code'>) {
  return insertAmendmentCharge({ ...charge, code: 'AMENDMENT' });
}
