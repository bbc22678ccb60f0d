import type { CompanyScope } from '../../access/require.ts';
import type { AmendmentChange, AmendmentDecision } from '../../contract/amendment-state.ts';
import { LINK_PERMISSIONS } from '../../contract/recipient-state.ts';
import type { AmendmentRequest, ShipmentAmendment } from '../../contract/shipment-amendment.ts';
import { parseStored } from '../../core/json.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { effectOf } from '../pricing/amendment.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { type AmendDependencies, applyAmendment, pricesOf, refusalOf } from './amend.ts';
import { type ChargedStanding, draftOf, planAmendment, readStanding } from './amendment-plan.ts';
import { type ReadAmendment, waitingRejected } from './amendment-store.ts';
import { presentAmendment } from './amendment-view.ts';
import { factEvent } from './fact.ts';

export interface DecisionOrder {
  readonly shipmentId: Uuid;
  readonly amendmentId: Uuid;
  readonly decision: AmendmentDecision;
  /** Names versions of the amendment. */
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
}

/** Another change of the shipment may come first. After the last attempt the client may retry. */
const ATTEMPTS_MAX = 3;

/**
 * Applies or rejects a change of the recipient that waits for the company. Accepting it never costs more than the request said. 409 if
 * it no longer waits, unless the same decision was made before.
 */
export async function decideAmendment(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  order: DecisionOrder,
): Promise<Result<ShipmentAmendment>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const found = await findAmendment(dependencies, scope, order);
    if (!found.ok) return found;
    const { standing, amendment } = found.value;
    const shown = presentAmendment(amendment, dependencies.clock.now());
    if (shown.state === RESULT_OF[order.decision] && shown.decidedAt !== null) return ok(shown);
    const stale = checkPrecondition(order.precondition, amendment.version);
    if (stale !== undefined) return stale;
    if (shown.state !== 'AWAITING_MERCHANT') return refuseOver(shown, standing);
    const decided =
      order.decision === 'ACCEPT'
        ? await accept(dependencies, scope, { ...order, standing, amendment })
        : await reject(dependencies, scope, { ...order, standing, amendment });
    if (decided.ok && decided.value !== false) return readDecided(dependencies, scope, order);
    // The next attempt reads what was decided, also if that is why the unit of this decision was refused.
    if (!decided.ok && decided.code !== 'PRECONDITION_FAILED' && decided.code !== 'SERVICE_UNAVAILABLE') return decided;
  }
  return unavailable();
}

async function readDecided(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  order: DecisionOrder,
): Promise<Result<ShipmentAmendment>> {
  const found = await findAmendment(dependencies, scope, order);
  return found.ok ? ok(presentAmendment(found.value.amendment, dependencies.clock.now())) : found;
}

/** The member `reason` is the state of the amendment. */
function refuseOver({ state: reason, changes: [change] }: ShipmentAmendment, { row }: ChargedStanding): Refusal {
  return refuse('AMENDMENT_NOT_ALLOWED', { members: { change, reason, currentState: row.state } });
}

const RESULT_OF = { ACCEPT: 'APPLIED', REJECT: 'REJECTED' } as const;

interface Found {
  readonly standing: ChargedStanding;
  readonly amendment: ReadAmendment;
}

async function findAmendment(
  { database }: AmendDependencies,
  scope: CompanyScope,
  { shipmentId, amendmentId }: DecisionOrder,
): Promise<Result<Found>> {
  const standing = await readStanding(database, scope, shipmentId);
  if (!standing.ok) return standing;
  const { amendments, others } = standing.value;
  const amendment = [...amendments, ...others].find(({ id }) => id === amendmentId);
  return amendment === undefined ? refuse('RESOURCE_NOT_FOUND') : ok({ standing: standing.value, amendment });
}

async function accept(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  { standing, amendment, correlationId }: DecisionOrder & Found,
): Promise<Result<unknown>> {
  const request = parseStored<AmendmentRequest>(amendment.after);
  const draft = draftOf(standing, { request, asker: ACCEPTED }, dependencies);
  if (!draft.ok) return draft;
  const refusal = refusalOf(draft.value, standing.row);
  if (refusal !== undefined) return refusal;
  const planned = await planAmendment(dependencies, standing, draft.value, amendment);
  if (!planned.ok) return planned;
  const { totalAmount } = effectOf(amendment.amount, amendment.vatAmount);
  const tooExpensive = refuseAbove(totalAmount, pricesOf(planned.value, standing));
  if (tooExpensive !== undefined) return tooExpensive;
  const { row } = standing;
  const asker = { actor: 'RECIPIENT' } as const;
  return applyAmendment(dependencies, scope, {
    row,
    amendment: planned.value,
    request: {},
    asker,
    correlationId,
    claim: undefined,
  });
}

/** The link allowed it when the recipient asked, and the request is counted. */
const ACCEPTED = { actor: 'RECIPIENT', permissions: LINK_PERMISSIONS, isCounted: true } as const;

function reject(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  { standing: { row }, amendment, correlationId }: DecisionOrder & Found,
): Promise<Result<unknown>> {
  const now = dependencies.clock.now();
  const { shipmentId: subject, number, id: amendmentId, reasonCode, amount, vatAmount } = amendment;
  const changes = parseStored<AmendmentChange[]>(amendment.changes);
  const told = factEvent(dependencies, row, {
    type: 'shipment.amendment_decided',
    occurredAt: now,
    correlationId,
    data: {
      amendment: {
        amendmentId,
        by: 'RECIPIENT',
        changes,
        reasonCode,
        priceEffect: effectOf(amount, vatAmount),
        state: 'REJECTED',
      },
    },
  });
  return commitChange(dependencies, {
    unit: { statements: [waitingRejected(row, amendment, now), ...told] },
    audit: auditOf(dependencies, scope, {
      action: 'shipment.amendment_rejected',
      subject,
      at: now,
      detail: { number },
    }),
  });
}
