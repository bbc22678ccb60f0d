import type { Shipment, ShipmentRequest } from '../../contract/shipment.ts';
import type { Uuid } from '../../core/uuid.ts';

export interface CreateOrder {
  readonly idempotencyKey: string;
  readonly correlationId: Uuid;
  readonly request: ShipmentRequest;
}

/** What a creation answers, the first time and at each replay. */
export interface Created {
  readonly isReplay: boolean;
  readonly shipment: Shipment;
  readonly etag: string;
  readonly location: string;
}

/** What idempotency keys of creations are scoped by, beside company and client. */
export const CREATE_OPERATION = 'shipments.create';
