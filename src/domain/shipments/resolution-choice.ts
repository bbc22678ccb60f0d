import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Resolution, ResolutionRequest } from '../../contract/resolution.ts';
import type { FailurePayer } from '../../contract/resolution-state.ts';
import type { Location } from '../../contract/shipment.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import { metersBetween } from '../../core/earth.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { AMENDMENT_KILOMETERS_MAX } from '../../core/limits.ts';
import { ok, type Refusal, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { firstCheckAt } from '../addresses/check-schedule.ts';
import { firstAddress } from '../addresses/gate-store.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { eventById } from '../events/feed-store.ts';
import type { EventConfig } from '../events/record.ts';
import type { Bind } from '../idempotency/once.ts';
import { pinViolations } from '../pricing/pin.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { termsOf } from '../pricing/store.ts';
import { presentExisting } from './create-refusal.ts';
import { type CitySlots, slotsOf, type WindowSpan, windowsOffered } from './delivery-windows.ts';
import { factEvent } from './fact.ts';
import { followUpStatements, type Preceding } from './follow-up.ts';
import { type IdentityDependencies, newIdentity, returnContact } from './follow-up-identity.ts';
import { presentResolution } from './resolution.ts';
import { FOLLOW_UP_OF, objectionTo, optionPrice } from './resolution-options.ts';
import {
  carriedOf,
  followUpOf,
  type ResolutionRow,
  resolutionClosed,
  resolutionOf,
  rootReferenceOf,
  rootTermsOf,
} from './resolution-store.ts';
import { referenceClaim, type ShipmentRow, shipmentById, shipmentByReference } from './store.ts';
import { isForgotten } from './view.ts';

export interface ChooseDependencies extends IdentityDependencies {
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly config: EventConfig;
  readonly addresses: Parameters<typeof firstCheckAt>[0];
}

export interface ChooseOrder extends ResolutionRequest {
  readonly shipmentId: Uuid;
  readonly actor: Actor;
  readonly correlationId: Uuid;
  /** The most that it may cost, with VAT. */
  readonly priceLimit?: Decimal | undefined;
  /** The payer, if not the one in the table of failures. */
  readonly payer?: FailurePayer | undefined;
  /** Of the cities, for a `windowStart`. */
  readonly citySlots?: CitySlots | undefined;
  /** A further rule on the open resolution. */
  readonly objection?: ((resolution: ResolutionRow, driverId: Uuid | null) => Refusal | undefined) | undefined;
  readonly bind: Bind<Chosen>;
}

/** The follow-up, or for a parcel that is disposed of its resolution. */
export type Chosen =
  | { readonly followUp: ShipmentRow; readonly resolution: null }
  | { readonly followUp: null; readonly resolution: Resolution };

/** A reference may be taken in between. */
const ATTEMPTS_MAX = 3;

/** Decides what becomes of a parcel whose delivery failed. Of two that decide at once, one gets 409 with the follow-up of the other. */
export async function choose(
  dependencies: ChooseDependencies,
  scope: CompanyScope,
  order: ChooseOrder,
): Promise<Result<Chosen>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const standing = await readOpen(dependencies.database, scope, order);
    if (!standing.ok) return standing;
    const chosen = await chooseNow(dependencies, scope, { ...standing.value, order });
    if (!chosen.ok) return chosen;
    if (chosen.value !== undefined) return ok(chosen.value);
  }
  return unavailable();
}

interface Standing {
  readonly preceding: Preceding;
  readonly resolution: ResolutionRow;
  /** Of the first shipment of the parcel. */
  readonly reference: string;
}

/** The open resolution with all that a choice depends on. */
async function readOpen(
  database: Database,
  scope: CompanyScope,
  { shipmentId }: ChooseOrder,
): Promise<Result<Standing>> {
  const answer = await database.readAll([
    shipmentById(scope, shipmentId),
    resolutionOf(scope, shipmentId),
    carriedOf(scope, shipmentId),
    followUpOf(scope, shipmentId),
    termsOf(scope, shipmentId),
    rootTermsOf(scope, shipmentId),
    rootReferenceOf(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[row], [resolution], [carried], [followUp], [terms], [root], [first]] = answer.results;
  if (!row || !carried || !terms || !root || !first) return refuse('ACCESS_DENIED');
  if (resolution === undefined) return refuseClosed(row.state);
  const reference = first.externalReference;
  if (resolution.state === 'OPEN')
    return ok({ preceding: { row, carried, followUp, terms, root }, resolution, reference });
  const { kind, followUpId } = resolution;
  const found = followUpId === null ? undefined : await database.read(shipmentById(scope, followUpId));
  if (found !== undefined && !found.ok) return unavailable();
  const next = found?.rows[0];
  const shown = next === undefined ? null : presentExisting(next);
  return refuse('RESOLUTION_ALREADY_CHOSEN', { members: { kind, followUp: shown } });
}

export function refuseClosed(currentState: ShipmentRow['state'], reason?: string): Refusal {
  return refuse('RESOLUTION_NOT_OPEN', { members: { currentState, ...(reason === undefined ? {} : { reason }) } });
}

/** Undefined if SQL refused the unit, because something was faster. */
async function chooseNow(
  dependencies: ChooseDependencies,
  scope: CompanyScope,
  { preceding, resolution, reference, order }: Standing & { readonly order: ChooseOrder },
): Promise<Result<Chosen | undefined>> {
  const { clock } = dependencies;
  const { row, root } = preceding;
  const { kind, payer = resolution.payer } = order;
  const now = clock.now();
  const shipment = { isReturn: preceding.followUp?.kind === 'RETURN', isForgotten: isForgotten(row) };
  const violations = requestViolations(order, row);
  const window = askedWindow(preceding, order, now);
  if (window === undefined) violations.push({ field: 'windowStart', code: 'WINDOW_NOT_OFFERED' });
  if (window === undefined || violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const objection = objectionTo(kind, { ...resolution, ...shipment });
  if (objection !== null) return refuseClosed(row.state, objection);
  const refusal = order.objection?.(resolution, preceding.carried.driverId);
  if (refusal !== undefined) return refusal;
  const price = optionPrice(kind, payer, root);
  const tooExpensive = refuseAbove(order.priceLimit, price);
  if (tooExpensive !== undefined) return tooExpensive;
  const next =
    kind === 'DISPOSE'
      ? ok(undefined)
      : await followUpFor(dependencies, scope, { preceding, reference, order, payer, window, now });
  if (!next.ok) return next;
  const followUp = next.value?.row ?? null;
  const state = order.actor === 'SYSTEM' ? 'AUTOMATIC' : 'CHOSEN';
  const choice = { shipmentId: row.id, state, kind, actor: order.actor, decidedAt: now } as const;
  const closed = { ...choice, followUpId: followUp?.id ?? null };
  const eventId = dependencies.random.uuid();
  const told = { state, kind, by: order.actor, payer, price, followUpShipmentId: closed.followUpId };
  const statements = [
    ...resolutionClosed(scope, closed),
    ...(next.value?.statements ?? []),
    ...factEvent(dependencies, row, {
      id: eventId,
      type: 'resolution.chosen',
      occurredAt: now,
      correlationId: order.correlationId,
      data: { resolution: told },
    }),
  ];
  const chosen: Chosen =
    followUp === null
      ? {
          followUp,
          resolution: presentResolution({ ...resolution, ...closed }, { ...shipment, root, goods: 'DISPOSED' }),
        }
      : { followUp, resolution: null };
  const claims = followUp === null ? [] : [referenceClaim(scope, followUp.externalReference)];
  const settled = await commitChange(dependencies, {
    unit: await order.bind({ statements, claims }, chosen),
    audit: auditOf(dependencies, scope, { action: 'resolution.chosen', subject: row.id, at: now, detail: { kind } }),
    // Only this choice writes an event with this id.
    committed: eventById(scope, eventId),
  });
  if (!settled.ok) return settled;
  if (settled.value) return ok(chosen);
  return (await refuseReference(dependencies.database, scope, order)) ?? ok(undefined);
}

/** 409 if another shipment has the reference that the client has given. */
async function refuseReference(
  database: Database,
  scope: CompanyScope,
  { externalReference }: ChooseOrder,
): Promise<Refusal | undefined> {
  if (externalReference === undefined) return undefined;
  const found = await database.read(shipmentByReference(scope, externalReference));
  if (!found.ok) return unavailable();
  const [taken] = found.rows;
  if (taken === undefined) return undefined;
  return refuse('EXTERNAL_REFERENCE_CONFLICT', { members: { existing: presentExisting(taken) } });
}

/** Only a redelivery has another destination, and only in the same city. */
function requestViolations(
  { kind, location, shortAddress, externalReference, windowStart }: ChooseOrder,
  row: ShipmentRow,
) {
  const violations: Violation[] = [];
  if (kind === 'DISPOSE' && externalReference !== undefined)
    violations.push({ field: 'externalReference', code: 'FORBIDDEN_FIELD' });
  if (kind !== 'REDELIVER' && shortAddress !== undefined)
    violations.push({ field: 'shortAddress', code: 'FORBIDDEN_FIELD' });
  if (kind !== 'REDELIVER' && windowStart !== undefined)
    violations.push({ field: 'windowStart', code: 'FORBIDDEN_FIELD' });
  if (location === undefined) return violations;
  if (kind !== 'REDELIVER') return [...violations, { field: 'location', code: 'FORBIDDEN_FIELD' } as const];
  const before = parseStored<Location & Coordinates>(row.destination);
  if (metersBetween(before, location) > AMENDMENT_KILOMETERS_MAX * 1000)
    violations.push({ field: 'location', code: 'DESTINATION_NOT_SERVICEABLE', limit: 'farFromCity' });
  else violations.push(...pinViolations('location', before.cityCode, location));
  return violations;
}

/** The window that a redelivery asks for, null without one; undefined if it is not offered. */
function askedWindow(
  { row, terms }: Preceding,
  { kind, windowStart, citySlots = {} }: ChooseOrder,
  now: Instant,
): WindowSpan | null | undefined {
  if (kind !== 'REDELIVER' || windowStart === undefined) return null;
  const { cityCode } = parseStored<Location>(row.destination);
  const { durationSeconds } = terms;
  const slots = slotsOf(citySlots, cityCode);
  // The parcel is in the van, so nothing has to be waited for.
  return windowsOffered({ now, pickupWindowEnd: now, durationSeconds, slots }).find(
    ({ start }) => start === windowStart,
  );
}

interface Next extends Pick<Standing, 'preceding' | 'reference'> {
  readonly order: ChooseOrder;
  readonly payer: FailurePayer;
  readonly window: WindowSpan | null;
  readonly now: Instant;
}

async function followUpFor(
  dependencies: ChooseDependencies,
  scope: CompanyScope,
  { preceding, reference, order, payer, window, now }: Next,
) {
  const { random, config, clock, addresses } = dependencies;
  const { row, followUp } = preceding;
  if (order.kind === 'DISPOSE') throw new Error('Nothing follows a parcel that is disposed of');
  const kind = FOLLOW_UP_OF[order.kind];
  const { location, shortAddress } = order;
  const destination = location === undefined ? undefined : { ...parseStored<Location>(row.destination), ...location };
  const attempt = (followUp?.attempt ?? 1) + 1;
  const [identity, contact] = await Promise.all([
    newIdentity(dependencies, scope, { kind, reference, attempt, given: order.externalReference }),
    kind === 'RETURN' ? returnContact(dependencies, scope, row) : ok(undefined),
  ]);
  if (!identity.ok) return identity;
  if (!contact.ok) return contact;
  const made = { eventId: random.uuid(), offerId: random.uuid(), correlationId: order.correlationId, config, clock };
  const { row: next, statements } = followUpStatements(
    preceding,
    { kind, payer, identity: identity.value, contact: contact.value, destination, window, actor: order.actor, now },
    made,
  );
  const { id: shipmentId, companyId } = next;
  const checkDueAt = firstCheckAt(addresses, clock.wallAt(now));
  const address = shortAddress === undefined ? [] : [firstAddress({ shipmentId, companyId, shortAddress, checkDueAt })];
  return ok({ row: next, statements: [...statements, ...address] });
}
