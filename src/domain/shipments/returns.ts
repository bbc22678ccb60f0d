import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ReturnRequest } from '../../contract/resolution.ts';
import type { Location, ShipmentItem, ShipmentRequest } from '../../contract/shipment.ts';
import type { Decimal } from '../../core/decimal.ts';
import { literalDecimal } from '../../core/decimal.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { RETURN_DAYS } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Coordinates, DrivingRoute } from '../../ports/routing.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { type EventConfig, recordTransition } from '../events/record.ts';
import type { Bind } from '../idempotency/once.ts';
import { dispatchBasis } from '../offers/prepare.ts';
import { holdStatements } from '../offers/store.ts';
import { branchByCode, type PickupLocationRow } from '../places/store.ts';
import { resolveRoute } from '../pricing/estimate.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { agreedSums, agreeNow, freezeTerms } from '../pricing/terms.ts';
import { creationReads, faultsOf } from './create-refusal.ts';
import { draftShipment, meaningViolations } from './draft.ts';
import { type IdentityDependencies, returnContact } from './follow-up-identity.ts';
import { newShipmentNumber } from './number.ts';
import type { CreateDependencies } from './prepare-creation.ts';
import { carriedOf, type FollowUpRow, followUpOf } from './resolution-store.ts';
import { quantitiesLeft, returnInsert } from './return-store.ts';
import { placesAsCopied, referenceClaim, type ShipmentRow, shipmentById, shipmentInsert } from './store.ts';
import { isForgotten, presentShipment } from './view.ts';

export type ReturnDependencies = Omit<CreateDependencies, 'config'> &
  IdentityDependencies & { readonly config: EventConfig };

export interface ReturnOrder extends ReturnRequest {
  readonly shipmentId: Uuid;
  readonly correlationId: Uuid;
  readonly priceLimit: Decimal | undefined;
  readonly bind: Bind<ShipmentRow>;
}

const ZERO = literalDecimal('0');
/** Another return, a creation or a change of the pickup location may be faster. */
const ATTEMPTS_MAX = 3;

/** Takes back items that were delivered, by a shipment of its own at the price of its own way. */
export async function returnItems(
  dependencies: ReturnDependencies,
  scope: CompanyScope,
  order: ReturnOrder,
): Promise<Result<ShipmentRow>> {
  const ways: Ways = new Map();
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const made = await returnNow(dependencies, scope, order, ways);
    if (!made.ok) return made;
    if (made.value !== undefined) return ok(made.value);
  }
  return unavailable();
}

/** The way to each version of the pickup location, so that it is asked for once. */
type Ways = Map<number, DrivingRoute>;

/** Undefined if SQL refused the unit, because something was faster. */
async function returnNow(
  dependencies: ReturnDependencies,
  scope: CompanyScope,
  order: ReturnOrder,
  ways: Ways,
): Promise<Result<ShipmentRow | undefined>> {
  const { database, clock, routing, tariffBook, directory, serviceLevelBook, random, config, waits } = dependencies;
  const delivered = await readDelivered(database, scope, { ...order, now: clock.now() });
  if (!delivered.ok) return delivered;
  const row = delivered.value;
  const { pickupLocationCode = row.pickupLocationCode, externalReference, items: wanted } = order;
  const violations = itemViolations(row, wanted);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const [place, contact, tariff] = await Promise.all([
    readPlace(database, scope, { ...order, pickupLocationCode }),
    returnContact(dependencies, scope, { pickupLocationCode }),
    tariffBook.current(directory.database, clock.now()),
  ]);
  if (!place.ok) return place;
  if (!contact.ok) return contact;
  if (!tariff.ok) return tariff;
  const { addressLine, cityCode, latitude, longitude, branchCode, version } = place.value;
  const request: ShipmentRequest = {
    externalReference,
    branchCode,
    pickupLocationCode,
    recipient: { name: contact.value.name, phone: contact.value.phone },
    destination: { addressLine, cityCode, latitude, longitude },
    declaredValue: row.declaredValue,
    codAmount: ZERO,
    currency: row.currency,
    paymentMethod: 'PREPAID',
    pickupWindowStart: order.pickupWindowStart,
    pickupWindowEnd: order.pickupWindowEnd,
    items: returnedItems(row, wanted),
    requirements: parseStored<string[]>(row.requirements),
  };
  const wrong = meaningViolations(request, clock.now(), tariff.value);
  if (wrong.length > 0) return refuse('VALIDATION_FAILED', { violations: wrong });
  const from = parseStored<Location & Coordinates>(row.destination);
  const known = ways.get(version);
  const route =
    known === undefined ? await resolveRoute(routing, from, { latitude, longitude }, 'pickupLocationCode') : ok(known);
  if (!route.ok) return route;
  ways.set(version, route.value);
  const agreement = agreeNow(tariff.value, route.value, cityCode);
  const tooExpensive = refuseAbove(order.priceLimit, agreedSums(agreement));
  if (tooExpensive !== undefined) return tooExpensive;
  const levels = await serviceLevelBook.levels(database);
  if (levels === undefined) return unavailable();
  const now = clock.now();
  const { companyId } = row;
  const made = {
    id: random.uuid(),
    companyId,
    shipmentNumber: newShipmentNumber(random),
    now,
    leadSeconds: waits.leadSeconds,
  };
  const back = { ...draftShipment(request, from, made), recipientPhone: contact.value.phone };
  const basis = dispatchBasis({ ...back, pickupCityCode: from.cityCode }, levels, request);
  const followUp = {
    shipmentId: back.id,
    companyId,
    precedingId: row.id,
    returnReason: order.reasonCode,
    returned: JSON.stringify(wanted),
  };
  const event = {
    id: random.uuid(),
    type: 'shipment.created',
    companyId,
    shipmentId: back.id,
    occurredAt: now,
    previousState: null,
    correlationId: order.correlationId,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipment: presentShipment(back) },
  } as const;
  const step = { sequence: 1, state: back.state, actor: 'MERCHANT', reasonCode: null, note: null } as const;
  const statements = [
    placesAsCopied(back, version),
    // A pickup location of the company needs no National Address.
    shipmentInsert({ ...back, ...basis, addressPolicy: 'OFF', gateIfRequired: 'OFF' }),
    returnInsert(followUp),
    ...recordTransition(config, event, step),
    freezeTerms(back, agreement, route.value),
    ...(config.deployment === 'production' ? [] : holdStatements(back.id, companyId)),
  ];
  const unit = { statements, dueAt: back.dueAt ?? undefined, claims: [referenceClaim(scope, externalReference)] };
  const settled = await commitChange(dependencies, {
    unit: await order.bind(unit, back),
    audit: auditOf(dependencies, scope, {
      action: 'shipment.created',
      subject: back.id,
      at: now,
      detail: { sequence: 1 },
    }),
    committed: shipmentById(scope, back.id),
  });
  if (!settled.ok) return settled;
  return ok(settled.value ? back : undefined);
}

/** Only what was delivered to a recipient some days ago at most, who is still known. */
async function readDelivered(
  database: Database,
  scope: CompanyScope,
  { shipmentId, now }: { readonly shipmentId: Uuid; readonly now: Instant },
): Promise<Result<ShipmentRow>> {
  const answer = await database.readAll([
    shipmentById(scope, shipmentId),
    carriedOf(scope, shipmentId),
    followUpOf(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[row], [carried], [followUp]] = answer.results;
  if (row === undefined || carried === undefined) return refuse('ACCESS_DENIED');
  const until = returnableUntil({ row, endedAt: carried.endedAt, kind: followUp?.kind });
  if (until !== undefined && now <= until) return ok(row);
  return refuse('INVALID_STATE_TRANSITION', { members: { currentState: row.state } });
}

/** Until when items can go back from the recipient; undefined if they do not have them, or are forgotten. */
export function returnableUntil({ row, endedAt, kind }: Ended): Instant | undefined {
  if (row.state !== 'DELIVERED' || endedAt === null || kind === 'RETURN' || isForgotten(row)) return undefined;
  return addSeconds(endedAt, RETURN_DAYS * 24 * 3600);
}
export interface Ended {
  readonly row: Pick<ShipmentRow, 'state' | 'recipientPhone'>;
  readonly endedAt: Instant | null;
  /** What the shipment is itself. */
  readonly kind: FollowUpRow['kind'] | undefined;
}

/** Where the items go. Refuses for the reasons for which a creation would be refused, and if less is left than is to go back. */
async function readPlace(
  database: Database,
  scope: CompanyScope,
  order: ReturnOrder & { readonly pickupLocationCode: string },
): Promise<Result<PickupLocationRow>> {
  const { externalReference, pickupLocationCode } = order;
  const answer = await database.readAll([
    quantitiesLeft(scope, order.shipmentId),
    ...creationReads(scope, { externalReference, pickupLocationCode }),
  ] as const);
  if (!answer.ok) return unavailable();
  const [left, [existing], , [place], [barred]] = answer.results;
  const branch = place && (await database.read(branchByCode(scope, place.branchCode)));
  if (branch?.ok === false) return unavailable();
  const rows = { existing, branch: branch?.rows[0], pickupLocation: place, review: barred?.review ?? undefined };
  const faults = faultsOf(rows, place ?? { pickupLocationCode });
  if (faults.violations.length > 0 || place === undefined)
    return refuse('VALIDATION_FAILED', { violations: faults.violations });
  if (faults.review !== undefined) return refuse('REGISTRATION_INCOMPLETE', { members: { review: faults.review } });
  if (faults.existing !== undefined)
    return refuse('EXTERNAL_REFERENCE_CONFLICT', { members: { existing: faults.existing } });
  if (faults.isInactive) return refuse('BRANCH_INACTIVE');
  const isTooMuch = order.items.some(({ index, quantity }) => quantity > (left[index]?.left ?? 0));
  if (!isTooMuch) return ok(place);
  const remaining = left.map(({ left: quantity }, index) => ({ index, quantity }));
  return refuse('RETURN_QUANTITY_EXCEEDED', { members: { remaining } });
}

/** The items that are not in the shipment, or are there twice. */
export function itemViolations(row: ShipmentRow, wanted: ReturnRequest['items']): Violation[] {
  const { length } = parseStored<ShipmentItem[]>(row.items);
  const seen = new Set<number>();
  return wanted.flatMap(({ index }, at): Violation[] => {
    const field = `items[${at}].index`;
    if (index >= length) return [{ field, code: 'OUT_OF_RANGE', limit: `0 to ${length - 1}` }];
    if (seen.has(index)) return [{ field, code: 'DUPLICATE_ITEM' }];
    seen.add(index);
    return [];
  });
}

function returnedItems(row: ShipmentRow, wanted: ReturnRequest['items']): ShipmentRequest['items'] {
  const items = parseStored<ShipmentRequest['items']>(row.items);
  return wanted.flatMap(({ index, quantity }) => {
    const item = items[index];
    return item === undefined ? [] : [{ ...item, quantity }];
  });
}
