import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Goods } from '../../contract/resolution-state.ts';
import { isCarried, type ShipmentState } from '../../contract/shipment-state.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { lastCarrier } from './goods-store.ts';

/* Who has a parcel. It is derived: the state says it, and after a failure the shipment that carries the parcel on. */

/** Where the parcel of a shipment is. Only one that a driver has needs no read. */
export async function goodsOf(
  database: Database,
  scope: CompanyScope,
  { id, state }: { readonly id: Uuid; readonly state: ShipmentState },
): Promise<Result<Goods>> {
  if (isCarried(state)) return ok('WITH_DRIVER');
  const found = await database.read(lastCarrier(scope, id));
  const last = found.ok ? found.rows[0] : undefined;
  if (last === undefined) return unavailable();
  const isReturn = last.isReturn === 1;
  // A return that nobody has fetched is still at the recipient's.
  if (state !== 'DELIVERED' && state !== 'DELIVERY_FAILED') return ok(isReturn ? 'WITH_RECIPIENT' : 'AT_PICKUP');
  if (last.state === 'DELIVERED') return ok(isReturn ? 'WITH_MERCHANT' : 'WITH_RECIPIENT');
  if (last.state !== 'DELIVERY_FAILED') return ok('WITH_DRIVER');
  if (last.hasResolution !== 1) return ok('LOST');
  return ok(last.kind === 'DISPOSE' ? 'DISPOSED' : 'WITH_DRIVER');
}
