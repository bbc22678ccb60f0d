import type { RecipientReturn } from '../../contract/recipient.ts';
import type { ReturnReason } from '../../contract/resolution-state.ts';
import { RIYADH_AHEAD_MS, riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { wholeOr } from '../../core/typed/number.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';
import type { CallFailure } from '../../ui/browser/service/failure.ts';
import { blankDraft, placeOf, REFERENCE_LENGTH_MAX } from './shipment-draft.ts';

export type ReturnOrder = Omit<Inputs['resolutions']['returnItems'], 'shipmentId' | 'idempotencyKey' | 'priceLimit'>;

/** The values of the form. */
export interface ReturnDraft {
  readonly externalReference: string;
  readonly reasonCode: ReturnReason;
  readonly pickupWindowStart: string;
  readonly pickupWindowEnd: string;
  readonly pickupLocationCode: string;
  /** How many of each item that can be returned, as typed, by its position in the shipment. */
  readonly quantities: Readonly<Record<number, string>>;
}

interface Known {
  readonly shipment: Outputs['shipments']['get'];
  readonly relations: Pick<Outputs['resolutions']['relations'], 'returnable' | 'followUps'>;
  /** What the recipient asks for, if this is to be the answer. */
  readonly asked: Pick<RecipientReturn, 'items' | 'reasonCode' | 'partOfDay'> | undefined;
  readonly places: Outputs['pickupLocations']['list']['data'];
}

/** Returns all that can be returned, or what the recipient asks for, to where it came from. */
export function firstReturn({ shipment, relations, asked, places }: Known, nowMs: number): ReturnDraft {
  const { returnable, followUps } = relations;
  const suffix = `-R${followUps.length + 1}`;
  const { pickupWindowStart, pickupWindowEnd } = blankDraft(nowMs).values;
  const wanted = ({ index, quantity: left }: (typeof returnable)[number]) =>
    asked === undefined ? left : Math.min(left, asked.items.find((item) => item.index === index)?.quantity ?? 0);
  return {
    externalReference: `${(shipment.externalReference ?? shipment.shipmentNumber).slice(0, REFERENCE_LENGTH_MAX - suffix.length)}${suffix}`,
    reasonCode: asked?.reasonCode ?? 'CHANGED_MIND',
    ...(asked === undefined ? { pickupWindowStart, pickupWindowEnd } : windowIn(asked.partOfDay, nowMs)),
    pickupLocationCode: placeOf(shipment, places)?.pickupLocationCode ?? '',
    quantities: Object.fromEntries(returnable.map((item) => [item.index, String(wanted(item))])),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The hours of the day in Riyadh in which a driver may come. */
const HOURS: Readonly<Record<RecipientReturn['partOfDay'], readonly [from: number, to: number]>> = {
  MORNING: [9, 12],
  AFTERNOON: [12, 17],
  EVENING: [17, 21],
};

/** The next such part of a day that has not begun. */
function windowIn(part: RecipientReturn['partOfDay'], nowMs: number) {
  const [from, to] = HOURS[part];
  const midnightMs = nowMs - ((nowMs + RIYADH_AHEAD_MS) % DAY_MS);
  const dayMs = midnightMs + from * HOUR_MS > nowMs ? midnightMs : midnightMs + DAY_MS;
  return {
    pickupWindowStart: riyadhText(dayMs + from * HOUR_MS),
    pickupWindowEnd: riyadhText(dayMs + to * HOUR_MS),
  };
}

/** The request for the form's values. An item with 0, or with nothing, stays with the recipient. */
export function returnOrderOf({ quantities, pickupWindowStart, pickupWindowEnd, ...rest }: ReturnDraft): ReturnOrder {
  return {
    ...rest,
    items: Object.entries(quantities)
      // Text that is not a whole number becomes -1, which the service reports as out of range.
      .map(([index, typed]) => ({ index: Number(index), quantity: typed === '' ? 0 : wholeOr(typed, -1) }))
      .filter(({ quantity }) => quantity !== 0),
    pickupWindowStart: riyadhInstant(pickupWindowStart),
    pickupWindowEnd: riyadhInstant(pickupWindowEnd),
  };
}

/** Fields of a price estimate that the pickup location of the return gives. */
const OF_PLACE: readonly string[] = ['delivery', 'destinationCityCode'];
type PriceFailure = Pick<CallFailure, 'violations'>;

/** The field of the price that is wrong with the pickup location, if one is. */
export function wrongWithPlace({ violations }: PriceFailure): string | undefined {
  return violations.find(({ field }) => OF_PLACE.includes(field))?.field;
}

/** Whether the pickup location shows all that is wrong with the price. */
export function isShownAtPlace({ violations }: PriceFailure): boolean {
  return violations.length > 0 && violations.every(({ field }) => OF_PLACE.includes(field));
}
