import type { Goods } from '../../contract/resolution-state.ts';
import { isCarried, type ShipmentState } from '../../contract/shipment-state.ts';
import type { LastCarrier } from './goods-store.ts';

/* Who has a parcel. It is derived: the state says it, and after a failure the shipment that carries the parcel on. */

/** Where the parcel of a shipment in this state is, by the last shipment that carries it. Pure. */
export function goodsOf(state: ShipmentState, last: LastCarrier): Goods {
  if (isCarried(state)) return 'WITH_DRIVER';
  const isReturn = last.isReturn === 1;
  // A return that nobody has fetched is still at the recipient's.
  if (state !== 'DELIVERED' && state !== 'DELIVERY_FAILED') return isReturn ? 'WITH_RECIPIENT' : 'AT_PICKUP';
  if (last.state === 'DELIVERED') return isReturn ? 'WITH_MERCHANT' : 'WITH_RECIPIENT';
  if (last.state !== 'DELIVERY_FAILED') return 'WITH_DRIVER';
  if (last.hasResolution !== 1) return 'LOST';
  return last.kind === 'DISPOSE' ? 'DISPOSED' : 'WITH_DRIVER';
}
