import type { CompanyScope } from '../../access/require.ts';
import { endingEvents } from '../../contract/amendment-rules.ts';
import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { AmendmentPreview, AmendmentRequest, ShipmentAmendment } from '../../contract/shipment-amendment.ts';
import { compareDecimals, type Decimal, literalDecimal } from '../../core/decimal.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { commitChange } from '../audit/change.ts';
import type { EventConfig } from '../events/record.ts';
import { type BindDependencies, bindAnswer, type KeyClaim } from '../idempotency/once.ts';
import { type Page, type PageDependencies, type PageRequest, readPage } from '../page.ts';
import { chargesWith, effectOf, pricedDistanceOf } from '../pricing/amendment.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import type { Amendment } from './amendment.ts';
import type { Asker, Draft } from './amendment-draft.ts';
import { type ChargedStanding, draftOf, type PlanDependencies, planAmendment, readStanding } from './amendment-plan.ts';
import { amendmentPage } from './amendment-store.ts';
import { presentAmendment } from './amendment-view.ts';
import { type CommandDependencies, type Lane, readShipment } from './command.ts';
import type { ShipmentRow } from './store.ts';
import { shipmentAnswer } from './view.ts';

export interface AmendDependencies extends PlanDependencies, BindDependencies, Pick<CommandDependencies, 'writer'> {
  readonly config: PlanDependencies['config'] & EventConfig;
  readonly lane: Lane;
}

export interface AmendOrder {
  readonly shipmentId: Uuid;
  readonly request: AmendmentRequest;
  readonly precondition: Precondition;
  readonly asker: Asker;
  /** Whether the recipient confirms the destination as it is amended. */
  readonly isConfirmed?: boolean;
  readonly correlationId: Uuid;
  /** The most that it may cost, with VAT. */
  readonly priceLimit: Decimal | undefined;
  /** The idempotency key of the request. */
  readonly claim: KeyClaim | undefined;
}

/** An amendment that was made, or one without changes. `formerPhone` is the recipient's phone before the first amendment that changed it. */
export interface Amended {
  readonly shipment: ShipmentRow;
  readonly changes: readonly AmendmentChange[];
  readonly formerPhone: string | null;
}

/** Another change of the shipment may come first. After the last attempt the client may retry. */
const ATTEMPTS_MAX = 3;

/**
 * Amends a shipment for its merchant or its recipient. What it costs is found out for one version of the shipment, outside of any
 * transaction; the command is refused if the shipment has another version by then, and all of it begins anew.
 */
export async function amendShipment(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  order: AmendOrder,
): Promise<Result<Amended>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const tried = await amendOnce(dependencies, scope, order);
    // The client names a version itself, or has to be told that another change was faster.
    if (tried.ok || tried.code !== 'PRECONDITION_FAILED' || order.precondition.kind !== 'any') return tried;
  }
  return unavailable();
}

async function amendOnce(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  order: AmendOrder,
): Promise<Result<Amended>> {
  const { shipmentId, claim } = order;
  const standing = await readStanding(dependencies.database, scope, shipmentId);
  if (!standing.ok) return standing;
  const { row } = standing.value;
  const draft = draftOf(standing.value, order, dependencies);
  if (!draft.ok) return draft;
  // A repeat finds its own values, whatever version it names: so it may be sent again if its outcome is unknown.
  if (draft.value.changes.length === 0) return unchanged(dependencies, scope, { row, claim });
  const refusal = checkPrecondition(order.precondition, row.version) ?? refusalOf(draft.value, row);
  if (refusal !== undefined) return refusal;
  const planned = await planAmendment(dependencies, standing.value, draft.value);
  if (!planned.ok) return planned;
  const amendment = { ...planned.value, isConfirmed: order.isConfirmed ?? false };
  const tooExpensive = refuseAbove(order.priceLimit, pricesOf(amendment, standing.value));
  if (tooExpensive !== undefined) return tooExpensive;
  const done = await applyAmendment(dependencies, scope, { ...order, row, amendment });
  if (!done.ok) return done;
  const { changes } = amendment;
  const formerPhone = isFirstOther(changes, standing.value) ? row.recipientPhone : null;
  return ok({ shipment: done.value, changes, formerPhone });
}

/** Gives the command of a planned amendment to the lane. It is refused if the shipment has another version than was planned for. */
export function applyAmendment(
  { lane }: Pick<AmendDependencies, 'lane'>,
  scope: CompanyScope,
  order: Pick<AmendOrder, 'correlationId' | 'claim'> & {
    readonly request: Pick<AmendmentRequest, 'reasonCode'>;
    readonly asker: Pick<Asker, 'actor'>;
    readonly row: ShipmentRow;
    readonly amendment: Amendment;
  },
): Promise<Result<ShipmentRow>> {
  const { row, amendment, request, asker, correlationId, claim } = order;
  const { reasonCode = null } = request;
  return lane.execute(scope, {
    shipmentId: row.id,
    command: { name: 'AMEND', reasonCode, comment: amendment.changes.join(', '), amendment },
    actor: asker.actor,
    precondition: { kind: 'versions', versions: [row.version] },
    correlationId,
    claim,
  });
}

/** Whether the recipient's phone changes for the first time. */
function isFirstOther(changes: readonly AmendmentChange[], { amendments }: ChargedStanding): boolean {
  const isOther = (names: readonly AmendmentChange[]) => names.includes('RECIPIENT_PHONE');
  return isOther(changes) && !amendments.some((made) => isOther(parseStored<AmendmentChange[]>(made.changes)));
}

/** The first change that is not allowed. */
export function refusalOf({ objections }: Draft, { state }: ShipmentRow) {
  const [objection] = objections;
  return objection && refuse('AMENDMENT_NOT_ALLOWED', { members: { ...objection, currentState: state } });
}

export function pricesOf(amendment: Amendment, { terms: { currency, vatRate } }: ChargedStanding) {
  const { netAmount, vatAmount, totalAmount } = effectOf(amendment.amount, amendment.vatAmount);
  return { currency, netAmount, vatRate, vatAmount, totalAmount };
}

/** The answer of an amendment that changes nothing. Its key is bound all the same. */
async function unchanged(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  { row, claim }: { readonly row: ShipmentRow; readonly claim: KeyClaim | undefined },
): Promise<Result<Amended>> {
  const same = ok({ shipment: row, changes: [], formerPhone: null });
  if (claim === undefined) return same;
  const unit = await bindAnswer(dependencies, scope, claim, { unit: { statements: [] }, answer: shipmentAnswer(row) });
  const bound = await commitChange(dependencies, { unit, audit: 'unaudited' });
  if (!bound.ok) return bound;
  return bound.value ? same : unavailable();
}

/** What an amendment would do now. Reads only. */
export async function previewAmendment(
  dependencies: PlanDependencies,
  scope: CompanyScope,
  { shipmentId, request }: Pick<AmendOrder, 'shipmentId' | 'request'>,
): Promise<Result<AmendmentPreview>> {
  const standing = await readStanding(dependencies.database, scope, shipmentId);
  if (!standing.ok) return standing;
  const { row, terms } = standing.value;
  const draft = draftOf(standing.value, { request, asker: { actor: 'MERCHANT' } }, dependencies);
  if (!draft.ok) return draft;
  const { changes, objections } = draft.value;
  const isAllowed = objections.length === 0;
  const planned = isAllowed ? await planAmendment(dependencies, standing.value, draft.value) : undefined;
  if (planned?.ok === false) return planned;
  const amendment = planned?.value;
  const amount = amendment?.amount ?? ZERO;
  return ok({
    shipmentId,
    version: row.version,
    state: row.state,
    allowed: isAllowed,
    changes: [...changes],
    violations: [...objections],
    priceEffect: effectOf(amount, amendment?.vatAmount ?? ZERO),
    payer: compareDecimals(amount, ZERO) > 0 ? 'MERCHANT' : 'NOBODY',
    chargesAfter: chargesWith(amount, standing.value),
    distanceMeters: amendment?.pricedDistanceMeters ?? pricedDistanceOf(terms),
    validUntil: isAllowed ? validUntil(draft.value) : null,
    endsWith: isAllowed ? endingEvents(changes) : [],
  });
}

const ZERO = literalDecimal('0');

/** A pickup window has to end in the future, and a delivery window to begin there. */
function validUntil({ changes, columns }: Draft): string | null {
  const ends = [
    changes.includes('PICKUP_WINDOW') ? columns.pickupWindowEnd : null,
    changes.includes('DELIVERY_WINDOW') ? columns.deliveryWindowStart : null,
  ].filter((end) => end !== null);
  const [first, second = first] = ends;
  return first === undefined || second === undefined ? null : formatInstant(first < second ? first : second);
}

/** The amendments of a shipment, oldest first. */
export async function listAmendments(
  dependencies: PageDependencies & { readonly clock: CompanyClock },
  scope: CompanyScope,
  { shipmentId, ...request }: PageRequest & { readonly shipmentId: Uuid },
): Promise<Result<Page<ShipmentAmendment>>> {
  const now = dependencies.clock.now();
  const page = await readPage(dependencies, request, {
    binding: ['amendments', scope.companyId, shipmentId, 'number asc'],
    select: ([number = '0'] = [], rows) => amendmentPage(scope, shipmentId, Number(number), rows),
    positionOf: (row) => [String(row.number)],
    present: (row) => presentAmendment(row, now),
  });
  if (!page.ok || page.value.data.length > 0) return page;
  // No amendments, or the company does not have this shipment.
  const shipment = await readShipment(dependencies.database, scope, shipmentId);
  return shipment.ok ? page : shipment;
}
