import type { WriteStatement } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AmendmentRequest } from '../../contract/shipment-amendment.ts';
import type { Decimal } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { changeVersioned } from '../audit/change.ts';
import type { EventConfig } from '../events/record.ts';
import { effectOf } from '../pricing/amendment.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { pricesOf, refusalOf } from './amend.ts';
import type { Amendment } from './amendment.ts';
import type { Asker, Draft } from './amendment-draft.ts';
import { type ChargedStanding, draftOf, type PlanDependencies, planAmendment, readStanding } from './amendment-plan.ts';
import { type AmendmentRow, amendmentInsert, waitingCounted, waitingReplaced } from './amendment-store.ts';
import { keptValues } from './amendment-values.ts';
import { isAwaiting } from './amendment-view.ts';
import type { CommandDependencies } from './command.ts';
import { factEvent } from './fact.ts';
import type { ShipmentRow } from './store.ts';

/*
 * A change of the recipient that costs more than the company allows waits for the company. It is stored and counted as an amendment, but
 * changes neither the shipment nor its version.
 */

export interface RequestDependencies extends PlanDependencies, Pick<CommandDependencies, 'writer'> {
  readonly config: EventConfig & PlanDependencies['config'];
}

export interface WaitingOrder {
  readonly shipmentId: Uuid;
  readonly request: AmendmentRequest;
  readonly asker: Asker;
  /** Names versions of the shipment. */
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
  /** What needs no decision of the company, with VAT. */
  readonly priceLimit: Decimal | undefined;
}

/** How long a company can decide. */
const DECISION_SECONDS = 2 * 3600;

/**
 * Stores a request that the company has to decide, with its event. It replaces an earlier one. A repeat of the request that waits
 * already returns that one.
 */
export function requestAmendment(
  dependencies: RequestDependencies,
  scope: CompanyScope,
  order: WaitingOrder,
): Promise<Result<AmendmentRow>> {
  return changeVersioned(dependencies, {
    read: () => plan(dependencies, scope, order),
    decide: ({ standing, draft, amendment }: Planned) => {
      const now = dependencies.clock.now();
      const same = sameRequest(standing, draft, now);
      if (same !== undefined) return ok({ kind: 'unchanged', value: same });
      // Another change was faster, and this one costs the company less by now. A repeat of the request makes it at once.
      if (refuseAbove(order.priceLimit, pricesOf(amendment, standing)) === undefined) return unavailable();
      const waiting = draftWaiting({ standing, draft, amendment }, order, now);
      const statements = [
        waitingCounted(standing.row),
        waitingReplaced(standing.row, waiting.number),
        amendmentInsert(waiting),
        ...requestEvent(dependencies, { row: standing.row, waiting, amendment, order }),
      ];
      return ok({ kind: 'change', value: waiting, unit: { statements }, audit: 'unaudited' });
    },
  });
}

/** The request with these values that waits already. Pure. */
export function sameRequest(
  { others }: ChargedStanding,
  { columns, changes, shortAddress }: Draft,
  now: Instant,
): AmendmentRow | undefined {
  const after = JSON.stringify(keptValues(columns, changes, shortAddress));
  return others.find((other) => other.after === after && isAwaiting(other, now));
}

interface Planned {
  readonly standing: ChargedStanding;
  readonly draft: Draft;
  readonly amendment: Amendment;
}

async function plan(
  dependencies: RequestDependencies,
  scope: CompanyScope,
  { shipmentId, request, asker, precondition }: WaitingOrder,
): Promise<Result<Planned>> {
  const standing = await readStanding(dependencies.database, scope, shipmentId);
  if (!standing.ok) return standing;
  const { row } = standing.value;
  const draft = draftOf(standing.value, { request, asker }, dependencies);
  if (!draft.ok) return draft;
  const refusal = checkPrecondition(precondition, row.version) ?? refusalOf(draft.value, row);
  if (refusal !== undefined) return refusal;
  const planned = await planAmendment(dependencies, standing.value, draft.value);
  if (!planned.ok) return planned;
  return ok({ standing: standing.value, draft: draft.value, amendment: planned.value });
}

function draftWaiting(
  { standing: { row, shortAddress }, draft, amendment }: Planned,
  { shipmentId, request, asker }: WaitingOrder,
  now: Instant,
): AmendmentRow {
  const { changes, columns } = draft;
  return {
    shipmentId,
    number: row.amendmentCount + 1,
    id: amendment.id,
    companyId: row.companyId,
    actor: asker.actor,
    state: 'AWAITING_MERCHANT',
    changes: JSON.stringify(changes),
    before: JSON.stringify(keptValues(row, changes, shortAddress)),
    after: JSON.stringify(keptValues(columns, changes, draft.shortAddress)),
    reasonCode: request.reasonCode ?? null,
    amount: amendment.amount,
    vatAmount: amendment.vatAmount,
    shipmentVersion: null,
    requestedAt: now,
    acknowledgedAt: null,
    decideBy: addSeconds(now, DECISION_SECONDS),
    decidedAt: null,
    version: 0,
  };
}

interface Requested {
  readonly row: ShipmentRow;
  readonly waiting: AmendmentRow;
  readonly amendment: Amendment;
  readonly order: WaitingOrder;
}

function requestEvent(
  dependencies: RequestDependencies,
  { row, waiting, amendment, order }: Requested,
): WriteStatement[] {
  const { id: amendmentId, requestedAt: occurredAt, reasonCode, amount, vatAmount } = waiting;
  return factEvent(dependencies, row, {
    type: 'shipment.amendment_requested',
    occurredAt,
    correlationId: order.correlationId,
    data: {
      amendment: {
        amendmentId,
        by: 'RECIPIENT',
        changes: [...amendment.changes],
        reasonCode,
        priceEffect: effectOf(amount, vatAmount),
        decideBy: formatInstant(addSeconds(occurredAt, DECISION_SECONDS)),
      },
    },
  });
}
