/** Every state of a shipment (interface, States and transitions). */
export const SHIPMENT_STATES = [
  'PENDING_APPROVAL',
  'READY_FOR_DISPATCH',
  'OFFERED',
  'ACCEPTED',
  'DISPATCH_UNRESOLVED',
  'PICKED_UP',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'DELIVERY_FAILED',
  'CANCELLED',
] as const;
export type ShipmentState = (typeof SHIPMENT_STATES)[number];

export const PAYMENT_METHODS = ['PREPAID', 'COD'] as const;

/** Who caused an event. */
export const ACTORS = ['MERCHANT', 'DRIVER', 'SYSTEM', 'OPERATOR'] as const;
export type Actor = (typeof ACTORS)[number];

export const CANCELLATION_REASONS = [
  'CUSTOMER_REQUEST',
  'DUPLICATE',
  'WRONG_ADDRESS',
  'OUT_OF_STOCK',
  'PACKAGE_NOT_READY',
  'PRICE',
  'TOO_LATE',
  'OTHER',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

export const FAILURE_REASONS = [
  'RECIPIENT_UNREACHABLE',
  'RECIPIENT_REFUSED',
  'COD_NOT_PAID',
  'WRONG_ADDRESS',
  'DAMAGED',
  'LOST',
  'OTHER',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What an event of a shipment says happened. `tracking_link.*` and `webhook*` kinds are not events of the lifecycle. */
export const SHIPMENT_EVENT_TYPES = [
  'shipment.created',
  'shipment.approved',
  'shipment.offered',
  'shipment.accepted',
  'shipment.driver_released',
  'shipment.offer_declined',
  'shipment.offer_expired',
  'shipment.dispatch_unresolved',
  'shipment.dispatch_retried',
  'shipment.picked_up',
  'shipment.out_for_delivery',
  'shipment.delivered',
  'shipment.delivery_failed',
  'shipment.cancelled',
] as const;
export type ShipmentEventType = (typeof SHIPMENT_EVENT_TYPES)[number];

/** Whether shipments of a company are approved by the service or by an operator. */
export const APPROVAL_POLICIES = ['AUTOMATIC', 'MANUAL'] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export const PLACE_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
/** Status of a branch or a pickup location. */
export type PlaceStatus = (typeof PLACE_STATUSES)[number];
