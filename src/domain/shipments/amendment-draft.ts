import { CHANGE_RULES, isTooLate } from '../../contract/amendment-rules.ts';
import type { AmendmentChange, AmendmentObjection } from '../../contract/amendment-state.ts';
import type { LinkPermission } from '../../contract/recipient-state.ts';
import type { Location } from '../../contract/shipment.ts';
import type { AmendmentRequest } from '../../contract/shipment-amendment.ts';
import { minorUnits } from '../../core/currency.ts';
import { compareDecimals, fractionDigits, literalDecimal } from '../../core/decimal.ts';
import { metersBetween } from '../../core/earth.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { AMENDMENT_KILOMETERS_MAX, AMENDMENTS_MAX, RECIPIENT_AMENDMENTS_MAX } from '../../core/limits.ts';
import type { Violation } from '../../core/result.ts';
import type { Coordinates } from '../../ports/routing.ts';
import type { TermsRow } from '../pricing/store.ts';
import type { PriceLine } from '../pricing/tariff.ts';
import type { ReadAmendment } from './amendment-store.ts';
import { type AmendableColumns, changesBetween, columnsAfter } from './amendment-values.ts';
import type { WindowSpan } from './delivery-windows.ts';
import type { ShipmentRow } from './store.ts';

/** A shipment with what an amendment depends on. All of it but the short code belongs to one version of the shipment. */
export interface Standing {
  readonly row: ShipmentRow;
  readonly terms: TermsRow;
  /** The short code of its National Address, which has a version of its own. */
  readonly shortAddress: string | null;
  /** Those that were applied, oldest first. */
  readonly amendments: readonly ReadAmendment[];
}

/** Says whether the merchant or the recipient asks for an amendment, and what the recipient's tracking link permits. */
export type Asker =
  | { readonly actor: 'MERCHANT' }
  | {
      readonly actor: 'RECIPIENT';
      readonly permissions: readonly LinkPermission[];
      /** The request was counted when the recipient asked for it, and the company has accepted it. */
      readonly isCounted?: boolean;
    };

/** What a request would change, before its price is known. */
export interface Draft {
  readonly changes: readonly AmendmentChange[];
  readonly columns: AmendableColumns;
  readonly shortAddress: string | null;
  readonly objections: readonly Objection[];
}

interface Objection {
  readonly change: AmendmentChange;
  readonly reason: AmendmentObjection;
}

/** What a request would change, and why that is not allowed. `window` is the delivery window after it. Pure. */
export function draftAmendment(
  standing: Standing,
  request: AmendmentRequest,
  { asker, window }: { readonly asker: Asker; readonly window: WindowSpan | null },
): Draft {
  const { row } = standing;
  const columns = columnsAfter(row, request, window);
  const { shortAddress = standing.shortAddress } = request;
  const isNear = isNearby(standing, pinOf(columns));
  const isOtherCity = cityChanges(standing, request);
  const found: AmendmentChange[] = changesBetween(row, columns).map((change) =>
    change === 'LOCATION' && isNear && !isOtherCity ? 'LOCATION_NEARBY' : change,
  );
  if (shortAddress !== standing.shortAddress) found.push('SHORT_ADDRESS');
  // Another city is refused also if nothing else changes.
  const changes = isOtherCity && !found.includes('LOCATION') ? [...found, 'LOCATION' as const] : found;
  return { changes, columns, shortAddress, objections: objectionsOf(standing, changes, { isOtherCity, asker }) };
}

function objectionsOf(
  standing: Standing,
  changes: readonly AmendmentChange[],
  { isOtherCity, asker }: { readonly isOtherCity: boolean; readonly asker: Asker },
): Objection[] {
  return changes.flatMap((change): Objection[] => {
    if (isOtherCity && change === 'LOCATION') return [{ change, reason: 'CITY_CHANGE' }];
    // Its price is a share of another one, so there is no price of its way.
    if (change === 'LOCATION' && isFollowUp(standing)) return [{ change, reason: 'TOO_LATE' }];
    const reason = objectionTo(change, standing, asker);
    return reason === undefined ? [] : [{ change, reason }];
  });
}

function isFollowUp({ terms }: Standing): boolean {
  return parseStored<PriceLine[]>(terms.lines).some(({ code }) => code === 'REDELIVERY' || code === 'RETURN');
}

/** Why this cannot be changed now, whatever the new value is. Pure. */
export function objectionTo(
  change: AmendmentChange,
  { row: { state, amendmentCount }, amendments }: Pick<Standing, 'row' | 'amendments'>,
  asker: Asker,
): AmendmentObjection | undefined {
  if (asker.actor === 'RECIPIENT') {
    const { recipient: permission } = CHANGE_RULES[change];
    if (permission === null || !asker.permissions.includes(permission)) return 'NOT_PERMITTED';
  }
  if (isTooLate(change, state)) return 'TOO_LATE';
  if (asker.actor === 'RECIPIENT' && asker.isCounted === true) return undefined;
  const isFull =
    amendmentCount >= AMENDMENTS_MAX || (asker.actor === 'RECIPIENT' && hasAskedEnough(change, amendments));
  return isFull ? 'LIMIT_REACHED' : undefined;
}

/** A driver who has agreed to one window should not have to follow many others. */
const WINDOWS_ASKED_MAX = 2;

function hasAskedEnough(change: AmendmentChange, amendments: readonly ReadAmendment[]): boolean {
  const asked = amendments.filter(({ actor }) => actor === 'RECIPIENT');
  if (asked.length >= RECIPIENT_AMENDMENTS_MAX) return true;
  const windows = asked.filter(({ changes }) => changesIn(changes).includes('DELIVERY_WINDOW'));
  return change === 'DELIVERY_WINDOW' && windows.length >= WINDOWS_ASKED_MAX;
}

/** The pin of the creation. Cities are judged from there, so that many small moves do not lead to another one. */
function frozenPin({ row, amendments }: Standing): Coordinates {
  const first = amendments.find(({ changes }) => isOfPin(changes));
  return (first && locationIn(first.before)) ?? pinOf(row);
}

/** The pin that the charges are for. Free moves are measured from there, so that many of them do not add up. */
function pricedPin(standing: Standing): Coordinates {
  const last = standing.amendments.findLast(({ changes }) => changesIn(changes).includes('LOCATION'));
  return (last && locationIn(last.after)) ?? frozenPin(standing);
}

function isNearby(standing: Standing, pin: Coordinates): boolean {
  return metersBetween(pricedPin(standing), pin) <= (standing.terms.amendmentFreeMeters ?? 0);
}

function cityChanges(standing: Standing, { location }: AmendmentRequest): boolean {
  if (location === undefined) return false;
  const { cityCode } = parseStored<Location>(standing.row.destination);
  const isFar = metersBetween(frozenPin(standing), location) > AMENDMENT_KILOMETERS_MAX * 1000;
  return isFar || (location.cityCode !== undefined && location.cityCode !== cityCode);
}

export function pinOf({ destination }: Pick<AmendableColumns, 'destination'>): Coordinates {
  const { latitude, longitude } = parseStored<Location & Coordinates>(destination);
  return { latitude, longitude };
}

function isOfPin(changes: string): boolean {
  return changesIn(changes).some((change) => change === 'LOCATION' || change === 'LOCATION_NEARBY');
}

function changesIn(changes: string): AmendmentChange[] {
  return parseStored<AmendmentChange[]>(changes);
}

function locationIn(values: string): Coordinates | undefined {
  return parseStored<{ location?: Coordinates }>(values).location;
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
