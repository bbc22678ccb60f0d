export const VEHICLE_TYPES = ['MOTORCYCLE', 'CAR', 'VAN', 'TRUCK'] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

export const DRIVER_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
export type DriverStatus = (typeof DRIVER_STATUSES)[number];

/** Why the service put a driver off duty: three offers in a row ran out, or nothing came for half an hour. */
export const OFF_DUTY_REASONS = ['OFFERS_MISSED', 'SILENT'] as const;
export type OffDutyReason = (typeof OFF_DUTY_REASONS)[number];

/** States of an offer of a shipment to a driver. */
export const OFFER_STATES = [
  'OPEN',
  'ACCEPTED',
  'DECLINED',
  'EXPIRED',
  'RELEASED',
  'WITHDRAWN',
  'CANCELLED',
  'COMPLETED',
] as const;
export type OfferState = (typeof OFFER_STATES)[number];

/** Actions of a driver on a shipment. The sandbox's phone offers the same ones. */
export const DRIVER_ACTIONS = [
  'ACCEPT',
  'DECLINE',
  'RELEASE',
  'ARRIVE',
  'PICK_UP',
  'DEPART',
  'ACKNOWLEDGE',
  'REPORT_POSITION',
  'DELIVER',
  'FAIL',
] as const;

/** What a driver may report late, after an operator has taken the shipment from them. The others are wishes, not facts. */
export const LATE_ACTIONS = ['ARRIVE', 'PICK_UP', 'DEPART', 'DELIVER', 'FAIL'] as const;
export type LateAction = (typeof LATE_ACTIONS)[number];

/** The scenarios that a sandbox shipment can follow. */
export const SCENARIOS = [
  'HAPPY_PATH',
  'NO_DRIVER',
  'DECLINE_THEN_ACCEPT',
  'DRIVER_RELEASES',
  'RECIPIENT_UNREACHABLE',
  'RECIPIENT_REFUSED',
  'COD_NOT_PAID',
  'LOST',
  'ADDRESS_MISMATCH',
  'WINDOW_MISSED',
  'WRONG_PIN',
  'ATTEMPT_WITHOUT_PROOF',
  'RECALLED',
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export const FAULT_TARGETS = ['ROUTING', 'STORAGE', 'WEBHOOK_DELIVERY', 'ADDRESS'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** Why an operator ends the sessions of a driver. */
export const SESSIONS_END_REASONS = ['PHONE_LOST', 'MISUSE', 'DRIVER_LEFT', 'OTHER'] as const;
export type SessionsEndReason = (typeof SESSIONS_END_REASONS)[number];
