import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import type { AmendableColumns } from './amendment-values.ts';
import type { ShipmentRow } from './store.ts';

/**
 * An amendment that is decided and priced. It holds for one version of the shipment: the command that carries it names that
 * version in its precondition.
 */
export interface Amendment {
  readonly id: Uuid;
  /** From 1. */
  readonly number: number;
  readonly changes: readonly AmendmentChange[];
  /** What the row becomes. */
  readonly row: AmendableColumns & Pick<ShipmentRow, 'amendmentCount' | 'searchFrom'>;
  /** Net of VAT, by the frozen tariff; negative if the new way is cheaper. */
  readonly amount: Decimal;
  /** How much more VAT is charged. */
  readonly vatAmount: Decimal;
  /** The way to the new pin; null if the pin stays, or if nobody could tell the way of a free move. */
  readonly route: DrivingRoute | null;
  /** Whether the charges are for the new way. */
  readonly isPriced: boolean;
}
