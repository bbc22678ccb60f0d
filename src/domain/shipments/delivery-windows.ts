import type { DeliveryWindow, OfferedWindow } from '../../contract/delivery-window.ts';
import type { WindowPart, WindowStatus } from '../../contract/window-state.ts';
import { addMillis, addSeconds, formatInstant, type Instant, instantFromMillis, toMillis } from '../../core/instant.ts';
import { RIYADH_AHEAD_MS } from '../../core/riyadh.ts';

/* Delivery windows: the times of a day in Riyadh at which recipients can ask for their parcel. Pure. */

/** Times of a day in Riyadh, such as `08:00-11:00`. */
export type Slot = string;

/** The slots of a city by its code; `default` is for all others. */
export type CitySlots = Readonly<Record<string, readonly Slot[]>>;

const DEFAULT_SLOTS = ['08:00-11:00', '11:00-14:00', '14:00-17:00', '17:00-20:00', '20:00-23:00'] as const;

export function slotsOf(configured: CitySlots, cityCode: string): readonly Slot[] {
  return configured[cityCode] ?? configured['default'] ?? DEFAULT_SLOTS;
}

/** Windows are offered for so many days, of which the first may be nearly over. */
const DAYS_OFFERED = 3;
/** Between the pickup and the door, besides the drive. */
const HANDLING_SECONDS = 1800;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOON_MINUTES = 12 * 60;

export interface WindowSpan {
  readonly start: Instant;
  readonly end: Instant;
}

export interface WindowBasis {
  readonly now: Instant;
  readonly pickupWindowEnd: Instant;
  /** Of the drive from the pickup to the destination. */
  readonly durationSeconds: number;
  /** In the order of the day. */
  readonly slots: readonly Slot[];
}

/**
 * The windows that can be asked for, the earliest first: those of three days from the later of now and the end of the pickup
 * window that start in the future and leave room for the pickup and the drive.
 */
export function windowsOffered({ now, slots, ...pickup }: WindowBasis): WindowSpan[] {
  const firstDay = dayOf(later(now, pickup.pickupWindowEnd));
  const earliest = later(now, readyAt(pickup));
  return Array.from({ length: DAYS_OFFERED }, (_, day) => addMillis(firstDay, day * DAY_MS))
    .flatMap((day) => slots.map((slot) => windowOn(day, slot)))
    .filter(({ start }) => start > earliest);
}

/** Whether a parcel that is picked up at the end of the pickup window can be at the door when the window starts. */
export function leavesRoom(start: Instant, pickup: Pick<WindowBasis, 'pickupWindowEnd' | 'durationSeconds'>): boolean {
  return start > readyAt(pickup);
}

function readyAt({ pickupWindowEnd, durationSeconds }: Pick<WindowBasis, 'pickupWindowEnd' | 'durationSeconds'>) {
  return addSeconds(pickupWindowEnd, durationSeconds + HANDLING_SECONDS);
}

/** Midnight in Riyadh before an instant. */
function dayOf(instant: Instant): Instant {
  const local = toMillis(instant) + RIYADH_AHEAD_MS;
  return instantFromMillis(Math.floor(local / DAY_MS) * DAY_MS - RIYADH_AHEAD_MS);
}

function windowOn(day: Instant, slot: Slot): WindowSpan {
  const [from = '', to = ''] = slot.split('-');
  const at = (time: string) => addMillis(day, minutesOf(time) * MINUTE_MS);
  return { start: at(from), end: at(to) };
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function later(first: Instant, second: Instant): Instant {
  return first > second ? first : second;
}

function partOf(start: Instant): WindowPart {
  return toMillis(start) - toMillis(dayOf(start)) < NOON_MINUTES * MINUTE_MS ? 'MORNING' : 'EVENING';
}

export function presentOffered({ start, end }: WindowSpan): OfferedWindow {
  return { start: formatInstant(start), end: formatInstant(end), part: partOf(start) };
}

/** The columns of a shipment; all are null, or none. */
export interface WindowColumns {
  readonly deliveryWindowStart: Instant | null;
  readonly deliveryWindowEnd: Instant | null;
}

/** The window of a shipment; null if nobody asked for one. */
export function windowOf({ deliveryWindowStart: start, deliveryWindowEnd: end }: WindowColumns): WindowSpan | null {
  return start === null || end === null ? null : { start, end };
}

export function presentWindow(
  columns: WindowColumns & { readonly windowStatus: WindowStatus | null },
): DeliveryWindow | null {
  const window = windowOf(columns);
  const { windowStatus: status } = columns;
  return window === null || status === null ? null : { ...presentOffered(window), status };
}
