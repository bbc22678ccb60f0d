import type { CompanyScope } from '../../access/require.ts';
import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { RecipientChange } from '../../contract/recipient.ts';
import type { LinkPermission } from '../../contract/recipient-state.ts';
import type { AmendmentRequest } from '../../contract/shipment-amendment.ts';
import { parseStored } from '../../core/json.ts';
import { AMENDMENTS_MAX } from '../../core/limits.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { settle } from '../settle.ts';
import { type AmendDependencies, type AmendOrder, amendShipment } from '../shipments/amend.ts';
import { objectionTo } from '../shipments/amendment-draft.ts';
import { draftOf, readStanding } from '../shipments/amendment-plan.ts';
import { type RequestDependencies, requestAmendment, sameRequest } from '../shipments/amendment-request.ts';
import type { AmendmentRow } from '../shipments/amendment-store.ts';
import { confirmationUpsert } from './reply-store.ts';
import { readRecipientSettings } from './settings.ts';

export type ChangeDependencies = AmendDependencies & RequestDependencies;

export interface ChangeOrder {
  readonly shipmentId: Uuid;
  readonly permissions: readonly LinkPermission[];
  readonly change: RecipientChange;
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
}

export interface Changed {
  readonly applied: readonly AmendmentChange[];
  readonly awaitingMerchant: readonly { readonly amendmentId: Uuid; readonly changes: AmendmentChange[] }[];
}

/**
 * Changes a delivery for its recipient. What costs more than the company allows waits for the company; the rest is changed at once. So
 * no recipient spends a company's money. The two are not one unit. If the second is refused, the answer says what was done. If its outcome
 * is unknown, the same request finds the first.
 */
export async function changeDelivery(
  dependencies: ChangeDependencies,
  scope: CompanyScope,
  order: ChangeOrder,
): Promise<Result<Changed>> {
  const { shipmentId, permissions, change, precondition, correlationId } = order;
  const { confirmed, ...request } = change;
  if (confirmed === true && !permissions.includes('ADDRESS')) return refuse('ACCESS_DENIED');
  const settings = await readRecipientSettings(dependencies.database, scope);
  if (!settings.ok) return settings;
  const asker = { actor: 'RECIPIENT', permissions } as const;
  const terms = { shipmentId, asker, precondition, correlationId, priceLimit: settings.value.amendmentLimit };
  const amend = { ...terms, request, isConfirmed: confirmed === true, claim: undefined };
  const done = isEmpty(request)
    ? await unchanged(dependencies, scope, amend)
    : await changeWithin(dependencies, scope, amend);
  if (!done.ok) return done;
  const { version, ...changed } = done.value;
  // An amendment was stored with its confirmation. A place that the merchant has to agree to is not that of the delivery yet.
  if (confirmed !== true || changed.applied.length > 0 || changed.awaitingMerchant.length > 0) return ok(changed);
  const confirmation = { shipmentId, version, now: dependencies.clock.now() };
  const kept = settle(await dependencies.writer.commit({ statements: [confirmationUpsert(scope, confirmation)] }));
  if (!kept.ok) return kept;
  return kept.value ? ok(changed) : refuse('PRECONDITION_FAILED');
}

/** Where the parcel goes is changed together, because a new address line does not fit the old pin. */
function partsOf({ location, addressLine, shortAddress, ...rest }: AmendmentRequest) {
  return { address: { location, addressLine, shortAddress }, rest };
}

const isEmpty = (request: AmendmentRequest) => Object.values(request).every((wish) => wish === undefined);

interface Versioned extends Changed {
  /** Of the shipment after it. */
  readonly version: number;
}

/** A confirmation alone is of what the recipient has seen. */
async function unchanged(
  dependencies: ChangeDependencies,
  scope: CompanyScope,
  { shipmentId, precondition, asker }: AmendOrder,
): Promise<Result<Versioned>> {
  const standing = await readStanding(dependencies.database, scope, shipmentId);
  if (!standing.ok) return standing;
  const { version, state: currentState } = standing.value.row;
  const reason = objectionTo('ADDRESS_LINE', standing.value, asker);
  if (reason === 'TOO_LATE')
    return refuse('AMENDMENT_NOT_ALLOWED', { members: { change: 'ADDRESS_LINE', reason, currentState } });
  return checkPrecondition(precondition, version) ?? ok({ version, applied: [], awaitingMerchant: [] });
}

async function changeWithin(
  dependencies: ChangeDependencies,
  scope: CompanyScope,
  order: AmendOrder,
): Promise<Result<Versioned>> {
  const { address, rest } = partsOf(order.request);
  const earlier = await findWaiting(dependencies, scope, { ...order, request: address });
  if (!earlier.ok) return earlier;
  // A repeat, whatever version it names.
  if (earlier.value.same !== undefined)
    return withRest(dependencies, scope, { ...order, request: rest }, earlier.value.same);
  const amended = await amendShipment(dependencies, scope, order);
  if (amended.ok) {
    const { shipment, changes } = amended.value;
    return ok({ version: shipment.version, applied: changes, awaitingMerchant: [] });
  }
  if (amended.code !== 'PRICE_LIMIT_EXCEEDED') return amended;
  const { row } = earlier.value.standing;
  // Both parts are counted. Nothing may be stored of a request that is refused.
  if (!isEmpty(rest) && row.amendmentCount + 2 > AMENDMENTS_MAX)
    return refuse('AMENDMENT_NOT_ALLOWED', {
      members: { change: 'LOCATION', reason: 'LIMIT_REACHED', currentState: row.state },
    });
  const waiting = await requestAmendment(dependencies, scope, { ...order, request: address });
  if (!waiting.ok) return waiting;
  const beside = { ...order, request: rest, precondition: { kind: 'any' } } as const;
  const done = await withRest(dependencies, scope, beside, waiting.value);
  // The address is stored as a request by now, so this is no refusal.
  if (done.ok || done.code === 'SERVICE_UNAVAILABLE') return done;
  return withRest(dependencies, scope, { ...order, request: {} }, waiting.value);
}

/** The request for this address that waits for the company already, and what it depends on. */
async function findWaiting(
  dependencies: ChangeDependencies,
  scope: CompanyScope,
  { shipmentId, request, asker }: AmendOrder,
) {
  const standing = await readStanding(dependencies.database, scope, shipmentId);
  if (!standing.ok) return standing;
  if (isEmpty(request)) return ok({ standing: standing.value, same: undefined });
  const draft = draftOf(standing.value, { request, asker }, dependencies);
  if (!draft.ok) return draft;
  return ok({ standing: standing.value, same: sameRequest(standing.value, draft.value, dependencies.clock.now()) });
}

/** Changes what costs nothing, beside a request that waits. */
async function withRest(
  dependencies: ChangeDependencies,
  scope: CompanyScope,
  order: AmendOrder,
  { id: amendmentId, changes }: AmendmentRow,
): Promise<Result<Versioned>> {
  const awaitingMerchant = [{ amendmentId, changes: parseStored<AmendmentChange[]>(changes) }];
  if (isEmpty(order.request)) return ok({ version: 0, applied: [], awaitingMerchant });
  const done = await amendShipment(dependencies, scope, { ...order, isConfirmed: false });
  if (!done.ok) return done;
  return ok({ version: done.value.shipment.version, applied: done.value.changes, awaitingMerchant });
}
