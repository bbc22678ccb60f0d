import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
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
  readonly changes: readonly AmendmentChange[];
  /** What the row becomes. */
  readonly row: AmendableColumns & Pick<ShipmentRow, 'searchFrom'>;
  /** The short code of the National Address before and after it, and when the new one is checked; null if it stays. */
  readonly address: { readonly from: string | null; readonly to: string; readonly checkDueAt: Instant | null } | null;
  /** The request that the company has accepted. Null for an amendment that did not wait, which is counted and stored now. */
  readonly waiting: { readonly number: number; readonly version: number } | null;
  /** Whether the recipient who amends it says, too, that the destination is right. */
  readonly isConfirmed: boolean;
  /** Net of VAT, by the frozen tariff; negative if the new way is cheaper. */
  readonly amount: Decimal;
  /** How much more VAT is charged. */
  readonly vatAmount: Decimal;
  /** The way to the new pin; null if the pin stays, or if nobody could tell the way of a free move. */
  readonly route: DrivingRoute | null;
  /** Of the way that the charges are for from now on; null if the amendment was not priced. */
  readonly pricedDistanceMeters: number | null;
}
