import type { WriteStatement } from '../../../db/statement.ts';
import type { Shipment, ShipmentRequest } from '../../contract/shipment.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

export interface CreateOrder {
  readonly idempotencyKey: string;
  readonly correlationId: Uuid;
  readonly request: ShipmentRequest;
  /** A statement for the unit of the creation, which can refuse it. */
  readonly also?: (shipmentId: Uuid, now: Instant) => WriteStatement;
  /** The most that the shipment may cost, with VAT. A replay ignores it. */
  readonly priceLimit?: Decimal | undefined;
  /** The short code of the destination, in its normal form. A replay ignores it. */
  readonly nationalAddress?: string | undefined;
  /** The text of a price lock. A replay ignores it. */
  readonly priceLock?: string | undefined;
}

/** The response of a creation, also of each replay. */
export interface Created {
  readonly isReplay: boolean;
  readonly shipment: Shipment;
  readonly etag: string;
  readonly location: string;
  /** The price lock that the shipment was created with, if it is known. */
  readonly lockId: Uuid | null;
}

/** A shipment that already has the external reference. */
export interface ExistingShipment {
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly href: string;
}

/** The scope of idempotency keys of creations, in addition to company and client. */
export const CREATE_OPERATION = 'shipments.create';
