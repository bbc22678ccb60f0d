import type { AddressGate } from '../../contract/address-state.ts';
import type { VehicleType } from '../../contract/driver-state.ts';
import {
  dispatchPhaseOf,
  hasDriver,
  isCarried,
  isTerminal,
  type PAYMENT_METHODS,
  type ShipmentState,
  STATE_FACTS,
} from '../../contract/shipment-state.ts';
import {
  type MerchantTracking,
  TRACKED_EVENT_TYPES,
  type TrackedEventType,
  type Tracking,
} from '../../contract/tracking.ts';
import type { WindowStatus } from '../../contract/window-state.ts';
import { compareDecimals, type Decimal, literalDecimal, multiplyDecimals, roundHalfEven } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import type { Locale } from '../../core/locale.ts';
import { type WindowColumns, type WindowSpan, windowOf } from '../shipments/delivery-windows.ts';
import { type Arrival, arrivalOf } from './arrival.ts';
import { type LogoColumns, shownLogoOf } from './view.ts';
import { STATE_LABELS, STEP_LABELS } from './words.ts';

/** The stored facts of a tracked shipment. */
export interface Tracked extends LogoColumns, WindowColumns {
  readonly windowStatus: WindowStatus | null;
  readonly shipmentNumber: string;
  readonly state: ShipmentState;
  readonly destinationCity: string;
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number];
  readonly codAmount: Decimal;
  readonly currency: string;
  readonly merchantPhone: string | null;
  readonly merchantWhatsApp: string | null;
  readonly pickupWindowEnd: Instant;
  /** The duration of the drive from pickup to destination. */
  readonly durationSeconds: number;
  /** Polyline with six digits, from pickup to destination. Empty unless the shipment is out for delivery. */
  readonly geometry: string;
  /** The driver who has the offer or the shipment, or who finished it. */
  readonly firstName: string | null;
  readonly vehicleType: VehicleType | null;
  readonly latitude: Decimal | null;
  readonly longitude: Decimal | null;
  readonly positionAt: Instant | null;
  /** When the shipment entered its state. */
  readonly changedAt: Instant;
  readonly held: number;
  readonly addressGate: AddressGate;
  readonly searchFrom: Instant | null;
  /** 1 if the driver departed with this shipment after all other open ones, so that no other recipient comes first. */
  readonly isLatestDeparture: number;
  readonly offersMade: number;
}

export interface TrackedStep {
  readonly type: string;
  readonly previousState: ShipmentState | null;
  readonly occurredAt: Instant;
}

export interface Reader {
  readonly merchantName: string;
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly locale: Locale;
  readonly now: Instant;
}

/** An older position shows where the driver was, not where they are now. */
const POSITION_SECONDS_MAX = 120;
const ZERO = literalDecimal('0');
const HALF = literalDecimal('0.5');
const TWO = literalDecimal('2');

/**
 * What a recipient sees of a shipment now. `newestFirst` has its events. A pure function whose result stays byte for
 * byte the same until something changes, so that a refresh can get 304.
 */
export function projectTracking(tracked: Tracked, newestFirst: readonly TrackedStep[], reader: Reader): Tracking {
  const { shipmentNumber, state, destinationCity, changedAt } = tracked;
  const { merchantName, baseUrl, locale, now } = reader;
  const position = livePositionOf(tracked, now);
  const arrival = liveArrivalOf(tracked, now);
  const eta = arrival?.to ?? windowIn('AGREED', tracked, now)?.end ?? plannedArrivalOf(tracked, now);
  const updatedAt = position !== undefined && position.recordedAt > changedAt ? position.recordedAt : changedAt;
  return {
    shipmentNumber,
    merchantName,
    ...brandOf(tracked, baseUrl),
    state,
    stateLabel: STATE_LABELS[state][locale],
    step: stepOf(state, newestFirst[0]),
    eta: eta === undefined ? null : formatInstant(eta),
    arrival: arrival === undefined ? null : { from: formatInstant(arrival.from), to: formatInstant(arrival.to) },
    driver: driverOf(tracked),
    livePosition: position === undefined ? null : { ...position, recordedAt: formatInstant(position.recordedAt) },
    destinationCity,
    codDue: codDueOf(tracked),
    timeline: timelineOf(newestFirst, locale),
    locale,
    updatedAt: formatInstant(updatedAt),
  };
}

/** The logo of the merchant, and the contact that the merchant has agreed to show. */
function brandOf({ merchantPhone, merchantWhatsApp, ...logo }: Tracked, baseUrl: string) {
  const shown = shownLogoOf(logo, baseUrl);
  return {
    ...(shown === null ? {} : { merchantLogo: shown }),
    ...(merchantPhone === null ? {} : { merchantPhone }),
    ...(merchantWhatsApp === null ? {} : { merchantWhatsApp }),
  };
}

/** The rating of a shipment; without one, `ratedAt` is null. */
export interface Rated {
  readonly stars: number;
  readonly ratedAt: Instant | null;
}

/** The same for the merchant, with the phase of dispatch and the rating. */
export function projectForMerchant(
  tracked: Tracked & Rated,
  newestFirst: readonly TrackedStep[],
  reader: Reader,
): Omit<MerchantTracking, 'goods'> {
  const dispatch = { phase: dispatchPhaseOf(tracked, reader.now), offersMade: tracked.offersMade };
  const { stars, ratedAt } = tracked;
  const rating = ratedAt === null ? {} : { rating: { stars, ratedAt: formatInstant(ratedAt) } };
  return { ...projectTracking(tracked, newestFirst, reader), dispatch, ...rating };
}

/** A shipment that failed or was cancelled keeps the step of the state before. */
function stepOf(state: ShipmentState, last: TrackedStep | undefined): number {
  const { trackingStep } = STATE_FACTS[state];
  return trackingStep ?? STATE_FACTS[last?.previousState ?? 'PENDING_APPROVAL'].trackingStep ?? 1;
}

function driverOf({ state, firstName, vehicleType }: Tracked): Tracking['driver'] {
  return firstName === null || vehicleType === null || !hasDriver(state) ? null : { firstName, vehicleType };
}

/** Whether the driver's position belongs to this delivery, and is not at the door of another recipient. */
export function isPositionShown({ state, isLatestDeparture }: Tracked): boolean {
  return STATE_FACTS[state].isPositionShared && isLatestDeparture === 1;
}

/** The rounded position of the driver on the way to this recipient. */
function livePositionOf(tracked: Tracked, now: Instant) {
  const { latitude, longitude, positionAt } = tracked;
  if (!isPositionShown(tracked) || latitude === null || longitude === null || positionAt === null) return undefined;
  if (positionAt < addSeconds(now, -POSITION_SECONDS_MAX)) return undefined;
  return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude), recordedAt: positionAt };
}

/** Rounds to a multiple of 0.002 degrees, about 200 m. Half of that has at most three digits. */
function roundDegrees(degrees: Decimal): Decimal {
  return multiplyDecimals(roundHalfEven(multiplyDecimals(degrees, HALF), 3), TWO);
}

/** When the driver arrives, from the shown position and the rest of the route. Undefined without a position near the route. */
export function liveArrivalOf(tracked: Tracked, now: Instant): Arrival | undefined {
  const position = livePositionOf(tracked, now);
  if (position === undefined) return undefined;
  const driver = { latitude: Number(position.latitude), longitude: Number(position.longitude) };
  return arrivalOf(tracked, driver, position.recordedAt);
}

/** The delivery window if it has this status and has not ended, while the parcel is on its way. */
export function windowIn(status: WindowStatus, tracked: Tracked, now: Instant): WindowSpan | undefined {
  const window = windowOf(tracked);
  if (window === null || tracked.windowStatus !== status || isTerminal(tracked.state)) return undefined;
  return window.end > now ? window : undefined;
}

/**
 * The planned time of arrival: the duration of the drive after the pickup or departure, or before that after the end
 * of the pickup window. Null if this time has passed or no driver can be found.
 */
function plannedArrivalOf(
  { state, pickupWindowEnd, changedAt, durationSeconds }: Tracked,
  now: Instant,
): Instant | undefined {
  if (isTerminal(state) || STATE_FACTS[state].phase === 'UNRESOLVED') return undefined;
  const eta = addSeconds(isCarried(state) ? changedAt : pickupWindowEnd, durationSeconds);
  return eta > now ? eta : undefined;
}

/** The amount that the recipient still has to pay to the driver. */
function codDueOf({ state, paymentMethod, codAmount, currency }: Tracked): Tracking['codDue'] {
  const isDue = paymentMethod === 'COD' && compareDecimals(codAmount, ZERO) > 0 && !isTerminal(state);
  return isDue ? { amount: codAmount, currency } : null;
}

function timelineOf(newestFirst: readonly TrackedStep[], locale: Locale): Tracking['timeline'] {
  return newestFirst
    .toReversed()
    .flatMap(({ type, occurredAt }) =>
      isTracked(type) ? [{ type, label: STEP_LABELS[type][locale], occurredAt: formatInstant(occurredAt) }] : [],
    );
}

function isTracked(type: string): type is TrackedEventType {
  return TRACKED_EVENT_TYPES.some((tracked) => tracked === type);
}
