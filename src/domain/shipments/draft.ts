import type { KnownMembers, Location, ShipmentItem, ShipmentRequest } from '../../contract/shipment.ts';
import { minorUnits } from '../../core/currency.ts';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  fractionDigits,
  literalDecimal,
  multiplyDecimals,
} from '../../core/decimal.ts';
import { addMillis, addSeconds, type Instant } from '../../core/instant.ts';
import { toE164 } from '../../core/phone.ts';
import type { Violation } from '../../core/result.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { pinViolations } from '../pricing/pin.ts';
import type { Tariff } from '../pricing/tariff.ts';
import type { ShipmentRow } from './store.ts';

/**
 * How long after its creation the service approves a shipment by itself: soon enough for the promise of two seconds,
 * late enough that a burst of creations is approved in a few grouped commits.
 */
const APPROVAL_DELAY_MS = 500;

/**
 * Rules that compare members with each other, with the current time and with the tariff in force. Reports all
 * violations at once. A pickup window that has started is allowed, one that has ended is not. Members that are absent
 * broke a rule of the schema; a rule that needs one of them is not checked.
 */
export function meaningViolations(
  request: KnownMembers,
  now: Instant,
  tariff: Pick<Tariff, 'currency' | 'citySurcharges'> | undefined,
): Violation[] {
  const { currency, codAmount, pickupWindowStart: start, pickupWindowEnd: end } = request;
  const cityCode = request.destination?.cityCode;
  const violations: Violation[] = [];
  const digits = currency === undefined ? undefined : minorUnits(currency);
  const isCollectedOnDelivery = codAmount !== undefined && compareDecimals(codAmount, ZERO) > 0;
  const isForeign = tariff !== undefined && currency !== tariff.currency;
  if (currency !== undefined && (digits === undefined || (isCollectedOnDelivery && isForeign))) {
    violations.push({ field: 'currency', code: 'CURRENCY_NOT_SUPPORTED' });
  }
  for (const field of ['declaredValue', 'codAmount'] as const) {
    const amount = request[field];
    if (digits !== undefined && amount !== undefined && fractionDigits(amount) > digits) {
      violations.push({ field, code: 'SCALE_EXCEEDED', limit: String(digits) });
    }
  }
  if (request.paymentMethod === 'PREPAID' && isCollectedOnDelivery) {
    violations.push({ field: 'paymentMethod', code: 'COD_METHOD_REQUIRED' });
  }
  if (start !== undefined && end !== undefined && end <= start) {
    violations.push({ field: 'pickupWindowEnd', code: 'WINDOW_ORDER_INVALID' });
  }
  if (end !== undefined && end <= now) violations.push({ field: 'pickupWindowEnd', code: 'WINDOW_IN_PAST' });
  if (tariff !== undefined && cityCode !== undefined && !tariff.citySurcharges.has(cityCode)) {
    violations.push({ field: 'destination.cityCode', code: 'DESTINATION_NOT_SERVICEABLE' });
  } else {
    const pin = pinOf(request);
    if (pin !== undefined && cityCode !== undefined) violations.push(...pinViolations('destination', cityCode, pin));
  }
  return violations;
}

/** Where the recipient is, in degrees; undefined unless both coordinates are known. */
export function pinOf({ destination }: KnownMembers): Coordinates | undefined {
  const { latitude, longitude } = destination ?? {};
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** The row of a new shipment: state PENDING_APPROVAL, version 0. Pure. */
export function draftShipment(
  request: ShipmentRequest,
  pickup: Location,
  made: { id: Uuid; companyId: Uuid; shipmentNumber: string; now: Instant; leadSeconds: number | null },
): ShipmentRow {
  const { recipient } = request;
  return {
    id: made.id,
    companyId: made.companyId,
    shipmentNumber: made.shipmentNumber,
    externalReference: request.externalReference,
    state: 'PENDING_APPROVAL',
    version: 0,
    createdAt: made.now,
    approvedAt: null,
    dueAt: addMillis(made.now, APPROVAL_DELAY_MS),
    searchFrom: made.leadSeconds === null ? null : addSeconds(request.pickupWindowStart, -made.leadSeconds),
    branchCode: request.branchCode,
    pickupLocationCode: request.pickupLocationCode,
    recipientName: recipient.name,
    recipientFoldedName: foldedOf(recipient.name),
    recipientPhone: toE164(recipient.phone),
    alternateContactName: recipient.alternateContactName ?? null,
    alternateContactPhone: recipient.alternateContactPhone == null ? null : toE164(recipient.alternateContactPhone),
    pickup: JSON.stringify(pickup),
    destination: JSON.stringify(request.destination),
    totalWeightKilograms: totalWeightOf(request.items),
    declaredValue: request.declaredValue,
    codAmount: request.codAmount,
    currency: request.currency,
    paymentMethod: request.paymentMethod,
    pickupWindowStart: request.pickupWindowStart,
    pickupWindowEnd: request.pickupWindowEnd,
    items: JSON.stringify(request.items satisfies ShipmentItem[]),
    requirements: JSON.stringify(request.requirements),
    eventCount: 1,
    place: null,
    instructions: null,
    deliveryWindowStart: null,
    deliveryWindowEnd: null,
    amendmentCount: 0,
    metadataVersion: 0,
  };
}

const ZERO = literalDecimal('0');

/** The sum of quantity times weight, exact: `weightKilograms` is of one unit. */
export function totalWeightOf(items: ShipmentRequest['items']): Decimal {
  return items.reduce(
    (total, item) => addDecimals(total, multiplyDecimals(literalDecimal(String(item.quantity)), item.weightKilograms)),
    ZERO,
  );
}
