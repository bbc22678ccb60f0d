import { isRecord } from '../client/problem.ts';
import type { Outputs } from '../ui/browser/service/calls.ts';
import { keptHere } from '../ui/kept-here.ts';
import type { Parcel } from './queue.ts';

export type Standing = Outputs['driver']['getStanding'];

/* What the page last showed a driver: it may be opened without a connection. Offers are over by then. */

const SEEN = 'driver-seen';
/** A shift. Parcels have addresses, so those of another day are deleted. */
const SEEN_MS = 12 * 3600 * 1000;

interface KeptSeen {
  readonly standing: Standing | undefined;
  readonly parcels: readonly Parcel[];
  /** Another build of the page has kept something that this one does not understand. */
  readonly isUnread: boolean;
}

/** Reads what was kept, which another build may have written. What is not understood is deleted. */
export function readSeen(driverId: string): KeptSeen {
  const none = { standing: undefined, parcels: [], isUnread: false };
  const text = keptHere.getItem(SEEN);
  if (text === null) return none;
  const kept = parsed(text);
  if (!isSeen(kept)) {
    forgetSeen();
    return { ...none, isUnread: true };
  }
  // What comes from the future was kept by a clock that was set back since.
  const isOld = Math.abs(Date.now() - kept.keptMs) > SEEN_MS;
  if (isOld) forgetSeen();
  const { standing, parcels } = kept;
  return kept.driverId === driverId && !isOld ? { ...none, standing, parcels } : none;
}

export function keepSeen(driverId: string, standing: Standing, parcels: readonly Parcel[]): void {
  const seen: Seen = { driverId, keptMs: Date.now(), standing, parcels };
  keptHere.setItem(SEEN, JSON.stringify(seen));
}

export function forgetSeen(): void {
  keptHere.removeItem(SEEN);
}

interface Seen {
  readonly driverId: string;
  readonly keptMs: number;
  readonly standing: Standing;
  readonly parcels: readonly Parcel[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;
/** A check for each member, so that a new member cannot be forgotten. */
type ChecksOf<Value> = { readonly [Name in keyof Required<Value>]: Check };

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
function withAll<Value>(checks: ChecksOf<Value>): (value: unknown) => value is Value {
  const all: readonly (readonly [string, Check])[] = Object.entries(checks);
  return (value): value is Value => isRecord(value) && all.every(([name, check]) => check(value[name]));
}

const place = orNull(
  withAll<Pick<NonNullable<Parcel['pickup']>, 'addressLine' | 'latitude' | 'longitude'>>({
    addressLine: text,
    latitude: text,
    longitude: text,
  }),
);
const contact = orNull(withAll<NonNullable<Parcel['pickupContact']>>({ name: orNull(text), phone: orNull(text) }));
const isSeen = withAll<Seen>({
  driverId: text,
  keptMs: number,
  standing: withAll<Standing>({
    driverId: text,
    firstName: text,
    cityCode: text,
    onDuty: (value) => typeof value === 'boolean',
    activeCount: number,
    activeMax: number,
    offDutyReason: orNull(text),
  }),
  parcels: listOf(
    withAll<Parcel>({
      shipmentId: text,
      shipmentNumber: text,
      state: text,
      version: number,
      arrivedAt: orNull(text),
      pickup: place,
      pickupContact: contact,
      pickupInstructions: orNull(text),
      destination: place,
      recipientName: orNull(text),
      recipientPhone: orNull(text),
      alternateContact: contact,
      items: orNull(
        listOf(
          withAll<Pick<NonNullable<Parcel['items']>[number], 'description' | 'quantity'>>({
            description: text,
            quantity: number,
          }),
        ),
      ),
      place: orNull(withAll<NonNullable<Parcel['place']>>({ kind: text, note: orNull(text) })),
      instructions: orNull(text),
      refusedAt: orNull(text),
      deliveryWindow: orNull(
        withAll<Pick<NonNullable<Parcel['deliveryWindow']>, 'start' | 'end' | 'status'>>({
          start: text,
          end: text,
          status: text,
        }),
      ),
      changes: listOf(
        withAll<Parcel['changes'][number]>({
          version: number,
          changes: listOf(text),
          changedAt: text,
          acknowledgedAt: orNull(text),
        }),
      ),
      proofRequired: orNull(listOf(text)),
      totalWeightKilograms: text,
      requirements: listOf(text),
      paymentMethod: text,
      codAmount: text,
      currency: text,
      pickupWindowStart: text,
      pickupWindowEnd: text,
      merchantName: orAbsent(text),
      pickupName: orAbsent(text),
      pickupNameAr: orAbsent(orNull(text)),
    }),
  ),
});
