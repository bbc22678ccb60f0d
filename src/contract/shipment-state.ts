import type { Instant } from '../core/instant.ts';
import type { AddressGate } from './address-state.ts';

/** Every state of a shipment. */
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

/**
 * The phase of dispatch. A READY_FOR_DISPATCH shipment is SCHEDULED until the search for a driver begins, HELD until a sandbox
 * releases it, AWAITING_ADDRESS until it has the National Address that its company's policy requires, and otherwise SEARCHING.
 */
export const DISPATCH_PHASES = [
  'AWAITING_APPROVAL',
  'SCHEDULED',
  'HELD',
  'AWAITING_ADDRESS',
  'SEARCHING',
  'OFFERED',
  'ASSIGNED',
  'UNRESOLVED',
  'ENDED',
] as const;
export type DispatchPhase = (typeof DISPATCH_PHASES)[number];

/** Facts of a state. Its transitions are in `src/domain/shipments/lifecycle.ts`. */
interface StateFacts {
  readonly phase: Exclude<DispatchPhase, 'HELD' | 'AWAITING_ADDRESS' | 'SCHEDULED'>;
  /** 1 ordered, 2 with a driver, 3 picked up, 4 out for delivery, 5 delivered; null keeps the previous step. */
  readonly trackingStep: 1 | 2 | 3 | 4 | 5 | null;
  /** Whether a driver has an open offer, has accepted the shipment or carries the parcel. */
  readonly driver: 'none' | 'asked' | 'assigned' | 'carrying';
  /** Null while the shipment can still change: a state with an outcome is terminal. */
  readonly outcome: 'delivered' | 'failed' | 'cancelled' | null;
  /** The recipient may see where the driver is. */
  readonly isPositionShared: boolean;
}

/** The facts of all states. Use the functions below to read them. */
export const STATE_FACTS: Readonly<Record<ShipmentState, StateFacts>> = {
  PENDING_APPROVAL: facts('AWAITING_APPROVAL', 1, 'none'),
  READY_FOR_DISPATCH: facts('SEARCHING', 1, 'none'),
  OFFERED: facts('OFFERED', 1, 'asked'),
  ACCEPTED: facts('ASSIGNED', 2, 'assigned'),
  DISPATCH_UNRESOLVED: facts('UNRESOLVED', 1, 'none'),
  PICKED_UP: facts('ASSIGNED', 3, 'carrying'),
  OUT_FOR_DELIVERY: { ...facts('ASSIGNED', 4, 'carrying'), isPositionShared: true },
  DELIVERED: { ...facts('ENDED', 5, 'none'), outcome: 'delivered' },
  DELIVERY_FAILED: { ...facts('ENDED', null, 'none'), outcome: 'failed' },
  CANCELLED: { ...facts('ENDED', null, 'none'), outcome: 'cancelled' },
};

/** The phase of dispatch of a shipment in this state. `searchFrom`: before this instant no driver is searched for. */
export function dispatchPhaseOf(
  {
    state,
    held,
    addressGate,
    searchFrom,
  }: {
    readonly state: ShipmentState;
    readonly held: number;
    readonly addressGate: AddressGate;
    readonly searchFrom: Instant | null;
  },
  now: Instant,
): DispatchPhase {
  const { phase } = STATE_FACTS[state];
  if (phase !== 'SEARCHING') return phase;
  if (held === 1) return 'HELD';
  if (addressGate === 'CLOSED') return 'AWAITING_ADDRESS';
  return searchFrom !== null && searchFrom > now ? 'SCHEDULED' : phase;
}

/** Whether a shipment in this state can no longer change. */
export function isTerminal(state: ShipmentState): boolean {
  return STATE_FACTS[state].outcome !== null;
}

/** Whether the shipment takes one of a driver's places: it is offered to the driver or with the driver. */
export function takesDriverPlace(state: ShipmentState): boolean {
  return STATE_FACTS[state].driver !== 'none';
}

/** Whether a driver has accepted the shipment and has not finished it. */
export function hasDriver(state: ShipmentState): boolean {
  return isDriverAssigned(state) || isCarried(state);
}

/** Whether a driver has accepted the shipment but has not picked it up. Only then does a cancellation cost a fee. */
export function isDriverAssigned(state: ShipmentState): boolean {
  return STATE_FACTS[state].driver === 'assigned';
}

/** Whether a driver holds the parcel. */
export function isCarried(state: ShipmentState): boolean {
  return STATE_FACTS[state].driver === 'carrying';
}

/** Whether the shipment has to be approved, or to find a candidate, before it can be offered to a driver. */
export function isBeforeOffer(state: ShipmentState): boolean {
  const { phase } = STATE_FACTS[state];
  return phase === 'AWAITING_APPROVAL' || phase === 'SEARCHING';
}

function facts(phase: StateFacts['phase'], trackingStep: StateFacts['trackingStep'], driver: StateFacts['driver']) {
  return { phase, trackingStep, driver, outcome: null, isPositionShared: false } as const;
}

export const PAYMENT_METHODS = ['PREPAID', 'COD'] as const;

/** Actors that can cause an event. */
export const ACTORS = ['MERCHANT', 'DRIVER', 'SYSTEM', 'OPERATOR', 'RECIPIENT'] as const;
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
  'NOT_AS_ORDERED',
  'COD_NOT_PAID',
  'WRONG_ADDRESS',
  'DAMAGED',
  'LOST',
  'OTHER',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * Why no driver was found: no service level can carry the shipment, no driver who can was free, drivers declined too
 * many offers, the whole search took too long, or the shipment got no National Address that its company's policy requires.
 */
export const UNRESOLVED_REASONS = [
  'NO_SERVICE_LEVEL',
  'NO_DRIVER',
  'OFFERS_DECLINED',
  'SEARCH_TIMED_OUT',
  'NATIONAL_ADDRESS',
] as const;
export type UnresolvedReason = (typeof UNRESOLVED_REASONS)[number];

/** Why an operator gives a shipment to another driver. */
export const HANDOVER_REASONS = [
  'DRIVER_BLOCKED',
  'DRIVER_UNREACHABLE',
  'DRIVER_LATE',
  'PHONE_LOST',
  'VEHICLE_BREAKDOWN',
  'OTHER',
] as const;
export type HandoverReason = (typeof HANDOVER_REASONS)[number];

/** Whether shipments of a company are approved by the service or by an operator. */
export const APPROVAL_POLICIES = ['AUTOMATIC', 'MANUAL'] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export const PLACE_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
/** Status of a branch or a pickup location. */
export type PlaceStatus = (typeof PLACE_STATUSES)[number];

/** VALIDATE judges the items of a batch, CREATE creates their shipments. */
export const BATCH_MODES = ['VALIDATE', 'CREATE'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

/** What a batch does after a refusal: it skips the item, or it stops. */
export const ON_INVALID = ['SKIP', 'STOP'] as const;
export type OnInvalid = (typeof ON_INVALID)[number];

export const BATCH_STATES = ['RUNNING', 'COMPLETED', 'STOPPED'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

export const BATCH_ITEM_STATES = ['PENDING', 'VALID', 'CREATED', 'REPLAYED', 'REFUSED', 'SKIPPED'] as const;
export type BatchItemState = (typeof BATCH_ITEM_STATES)[number];

/** What an item repeats of an earlier one: its key with the same shipment or with another one, its price lock or its reference. */
export const BATCH_REPETITIONS = ['KEY', 'KEY_REUSED', 'PRICE_LOCK', 'REFERENCE'] as const;
export type BatchRepetition = (typeof BATCH_REPETITIONS)[number];

/** How many items a shipment may have. */
export const ITEMS_MAX = 100;

/**
 * The figures of a day:
 * - firstAttempt: delivered, and no attempt had failed before.
 * - inTime: delivered before the end of the pickup window plus the time of the drive, as tracking links say beforehand.
 */
export const ACTIVITY_FIGURES = ['created', 'delivered', 'firstAttempt', 'inTime', 'failed', 'cancelled'] as const;
export type ActivityFigure = (typeof ACTIVITY_FIGURES)[number];
