/** Types of shipment events. `shipment.amendment_requested`, `shipment.amendment_decided`, `delivery_window.agreed`, `shipment.rated`, `recipient.refused`, `return.requested`, `national_address.checked`, `cod.collected`, `case.*`, `tracking_link.*` and `webhook*` types are not events of the lifecycle. */
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
  'shipment.driver_changed',
  'shipment.out_for_delivery',
  'shipment.delivered',
  'shipment.delivery_failed',
  'shipment.cancelled',
  'shipment.amended',
] as const;
export type ShipmentEventType = (typeof SHIPMENT_EVENT_TYPES)[number];

/** Entries of a timeline. `late_report` is no event: a former driver reported something after an operator’s take-over. */
export const TIMELINE_TYPES = [...SHIPMENT_EVENT_TYPES, 'late_report'] as const;

/** Every type of event that merchants can receive. */
export const EVENT_TYPES = [
  ...SHIPMENT_EVENT_TYPES,
  'shipment.amendment_requested',
  'shipment.amendment_decided',
  'delivery_window.agreed',
  'shipment.rated',
  'recipient.refused',
  'return.requested',
  'national_address.checked',
  'cod.collected',
  'resolution.chosen',
  'case.opened',
  'case.answered',
  'case.closed',
  'tracking_link.created',
  'tracking_link.revoked',
  'webhook.test',
  'webhook_endpoint.disabled',
  'shipment_batch.completed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `DELETED` is never shown. The row of such an endpoint stays until its open deliveries are skipped. */
export const ENDPOINT_STATES = ['ENABLED', 'DISABLED', 'AUTO_DISABLED', 'DELETED'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

export const DELIVERY_STATUSES = ['PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'SKIPPED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt failed. */
export const ATTEMPT_ERRORS = ['TIMEOUT', 'DNS', 'TLS', 'CONNECT', 'NON_2XX', 'REDIRECT', 'BLOCKED_ADDRESS'] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** `CANCELLED`: the endpoint was disabled or deleted before everything was queued. */
export const REPLAY_STATES = ['RUNNING', 'COMPLETED', 'CANCELLED'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** What a receiver is tried with: three forged requests, which it must refuse, and a repeated one, which it must accept. */
export const RECEIVER_CHECKS = ['WRONG_SIGNATURE', 'OLD_TIMESTAMP', 'EMPTY_KEY', 'DUPLICATE'] as const;
export type ReceiverCheck = (typeof RECEIVER_CHECKS)[number];
