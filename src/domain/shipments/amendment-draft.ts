import { isTooLate } from '../../contract/amendment-rules.ts';
import type { AmendmentChange, AmendmentObjection } from '../../contract/amendment-state.ts';
import type { Location } from '../../contract/shipment.ts';
import type { AmendmentRequest } from '../../contract/shipment-amendment.ts';
import { minorUnits } from '../../core/currency.ts';
import { compareDecimals, fractionDigits, literalDecimal } from '../../core/decimal.ts';
import { metersBetween } from '../../core/earth.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { AMENDMENT_KILOMETERS_MAX, AMENDMENTS_MAX } from '../../core/limits.ts';
import type { Violation } from '../../core/result.ts';
import type { Coordinates } from '../../ports/routing.ts';
import type { TermsRow } from '../pricing/store.ts';
import type { AmendmentRow } from './amendment-store.ts';
import { type AmendableColumns, changesBetween, columnsAfter } from './amendment-values.ts';
import type { ShipmentRow } from './store.ts';

/** A shipment with what an amendment depends on. All of it belongs to one version of the shipment. */
export interface Standing {
  readonly row: ShipmentRow;
  readonly terms: TermsRow;
  /** Oldest first. */
  readonly amendments: readonly AmendmentRow[];
}

/** What a request would change, before its price is known. */
export interface Draft {
  readonly changes: readonly AmendmentChange[];
  readonly columns: AmendableColumns;
  readonly objections: readonly Objection[];
}

interface Objection {
  readonly change: AmendmentChange;
  readonly reason: AmendmentObjection;
}

/** What a request would change, and why that is not allowed. Pure. */
export function draftAmendment(standing: Standing, request: AmendmentRequest): Draft {
  const { row } = standing;
  const columns = columnsAfter(row, request);
  const isNear = isNearby(standing, pinOf(columns));
  const isOtherCity = cityChanges(standing, request);
  const found = changesBetween(row, columns).map((change) =>
    change === 'LOCATION' && isNear && !isOtherCity ? 'LOCATION_NEARBY' : change,
  );
  // Another city is refused also if nothing else changes.
  const changes = isOtherCity && !found.includes('LOCATION') ? [...found, 'LOCATION' as const] : found;
  return { changes, columns, objections: objectionsOf(standing, changes, isOtherCity) };
}

function objectionsOf({ row }: Standing, changes: readonly AmendmentChange[], isOtherCity: boolean): Objection[] {
  const isLimitReached = row.amendmentCount >= AMENDMENTS_MAX;
  return changes.flatMap((change): Objection[] => {
    if (isOtherCity && change === 'LOCATION') return [{ change, reason: 'CITY_CHANGE' }];
    if (isTooLate(change, row.state)) return [{ change, reason: 'TOO_LATE' }];
    return isLimitReached ? [{ change, reason: 'LIMIT_REACHED' }] : [];
  });
}

/** The pin of the creation. Cities are judged from there, so that many small moves do not lead to another one. */
function frozenPin({ row, amendments }: Standing): Coordinates {
  const first = amendments.find(({ changes }) => isOfPin(changes));
  return (first && locationIn(first.before)) ?? pinOf(row);
}

/** The pin that the charges are for. Free moves are measured from there, so that many of them do not add up. */
function pricedPin(standing: Standing): Coordinates {
  const last = standing.amendments.findLast(({ pricedDistanceMeters }) => pricedDistanceMeters !== null);
  return (last && locationIn(last.after)) ?? frozenPin(standing);
}

function isNearby(standing: Standing, pin: Coordinates): boolean {
  return metersApart(pricedPin(standing), pin) <= (standing.terms.amendmentFreeMeters ?? 0);
}

function cityChanges(standing: Standing, { location }: AmendmentRequest): boolean {
  if (location === undefined) return false;
  const { cityCode } = parseStored<Location>(standing.row.destination);
  const isFar = metersApart(frozenPin(standing), location) > AMENDMENT_KILOMETERS_MAX * 1000;
  return isFar || (location.cityCode !== undefined && location.cityCode !== cityCode);
}

export function pinOf({ destination }: Pick<AmendableColumns, 'destination'>): Coordinates {
  const { latitude, longitude } = parseStored<Location & Coordinates>(destination);
  return { latitude, longitude };
}

function isOfPin(changes: string): boolean {
  return parseStored<AmendmentChange[]>(changes).some((change) => change.startsWith('LOCATION'));
}

function locationIn(values: string): Coordinates | undefined {
  return parseStored<{ location?: Coordinates }>(values).location;
}

function metersApart(first: Coordinates, second: Coordinates): number {
  return metersBetween(
    { latitude: Number(first.latitude), longitude: Number(first.longitude) },
    { latitude: Number(second.latitude), longitude: Number(second.longitude) },
  );
}

const ZERO = literalDecimal('0');
const WINDOW = ['pickupWindowStart', 'pickupWindowEnd'] as const;

/** Rules that compare members with each other, with the shipment and with the current time, as at its creation. */
export function amendmentViolations(
  { row, terms }: Standing,
  { reasonCode: _reason, ...wishes }: AmendmentRequest,
  now: Instant,
): Violation[] {
  const { codAmount, pickupWindowStart: start, pickupWindowEnd: end } = wishes;
  const violations: Violation[] = [];
  if (Object.values(wishes).every((wish) => wish === undefined)) violations.push({ field: 'body', code: 'REQUIRED' });
  if (start !== undefined || end !== undefined) {
    for (const field of WINDOW) if (wishes[field] === undefined) violations.push({ field, code: 'REQUIRED' });
  }
  if (start !== undefined && end !== undefined && (start !== row.pickupWindowStart || end !== row.pickupWindowEnd)) {
    if (end <= start) violations.push({ field: 'pickupWindowEnd', code: 'WINDOW_ORDER_INVALID' });
    if (end <= now) violations.push({ field: 'pickupWindowEnd', code: 'WINDOW_IN_PAST' });
  }
  if (codAmount === undefined || compareDecimals(codAmount, row.codAmount) === 0) return violations;
  const digits = minorUnits(row.currency) ?? 0;
  if (fractionDigits(codAmount) > digits) {
    violations.push({ field: 'codAmount', code: 'SCALE_EXCEEDED', limit: String(digits) });
  }
  if (compareDecimals(codAmount, ZERO) > 0) {
    if (row.paymentMethod === 'PREPAID') violations.push({ field: 'codAmount', code: 'COD_METHOD_REQUIRED' });
    if (row.currency !== terms.currency) violations.push({ field: 'codAmount', code: 'CURRENCY_NOT_SUPPORTED' });
  }
  return violations;
}
