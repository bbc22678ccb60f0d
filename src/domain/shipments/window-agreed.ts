import type { WriteStatement } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { presentWindow } from './delivery-windows.ts';
import { type FactDependencies, factEvent } from './fact.ts';
import type { ShipmentRow } from './store.ts';

/** The event of a driver who agrees to the delivery window of the shipment, in the unit that makes it AGREED. */
export function windowAgreedEvent(
  dependencies: FactDependencies,
  row: ShipmentRow,
  event: { readonly occurredAt: Instant; readonly correlationId: Uuid },
): WriteStatement[] {
  const deliveryWindow = presentWindow({ ...row, windowStatus: 'AGREED' });
  return factEvent(dependencies, row, { ...event, type: 'delivery_window.agreed', data: { deliveryWindow } });
}
