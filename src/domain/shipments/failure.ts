import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Event } from '../../contract/event.ts';
import type { ResolutionKind } from '../../contract/resolution-state.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { DECISION_HOURS, DECISION_HOURS_PERISHABLE } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { replyOf } from '../addresses/confirmation-store.ts';
import type { EventConfig } from '../events/record.ts';
import { creditFailure } from '../pricing/credit-store.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { termsOf } from '../pricing/store.ts';
import { nextPayerOf, payerOf, type Spot, windowFacts } from './failure-payer.ts';
import { followUpStatements, type Preceding } from './follow-up.ts';
import { CARRIER_FAULTS, type Command } from './lifecycle.ts';
import { type Failed, optionPrice, optionsOf } from './resolution-options.ts';
import { carriedOf, doorOf, followUpOf, legsToCredit, resolutionInsert, rootTermsOf } from './resolution-store.ts';
import type { ShipmentRow } from './store.ts';

export interface FailureDependencies {
  readonly database: Database;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: EventConfig;
}

export interface Failing {
  readonly row: ShipmentRow;
  readonly command: Extract<Command, { name: 'FAIL' | 'RECALL' }>;
  readonly actor: Actor;
  readonly correlationId: Uuid;
  readonly now: Instant;
  /** The most that a recall may cost, with VAT. */
  readonly priceLimit?: Decimal | undefined;
}

/** What a failure brings besides the change of state, for its unit. */
export interface FailureParts {
  readonly data?: Event['data'];
  readonly statements: readonly WriteStatement[];
  /** When the service decides by itself. */
  readonly dueAt?: Instant;
}

/**
 * Opens the resolution of a parcel that stays with its driver, or returns it at once if the merchant has recalled it. If the carrier
 * pays, the merchant gets the price of the attempt back.
 */
export async function planFailure(
  dependencies: FailureDependencies,
  scope: CompanyScope,
  { row, command, actor, correlationId, now, priceLimit }: Failing,
): Promise<Result<FailureParts>> {
  const { reasonCode } = command;
  const { id } = row;
  const isCarrierFault = CARRIER_FAULTS.some((fault) => fault === reasonCode);
  const legs = isCarrierFault ? await dependencies.database.read(legsToCredit(scope, id)) : undefined;
  if (legs?.ok === false) return unavailable();
  // A parcel that the carrier lost or damaged is never billed, on no part of its way.
  const ofParcel = (legs?.rows ?? []).flatMap((leg) =>
    creditFailure(leg.id, { isAmended: leg.amendmentCount > 0 }, now),
  );
  if (reasonCode === 'LOST') return ok({ statements: ofParcel });
  const answer = await dependencies.database.readAll([
    carriedOf(scope, id),
    followUpOf(scope, id),
    termsOf(scope, id),
    rootTermsOf(scope, id),
    replyOf(scope, id),
    doorOf(id),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[carried], [followUp], [terms], [root], [reply], [door]] = answer.results;
  if (carried === undefined || terms === undefined || root === undefined) return refuse('ACCESS_DENIED');
  const isReturn = followUp?.kind === 'RETURN';
  if (command.name === 'RECALL' && isReturn)
    return refuse('INVALID_STATE_TRANSITION', { members: { currentState: row.state } });
  // Without a record nothing proves what the driver says.
  const evidence = ('proof' in command ? command.proof?.evidence : undefined) ?? 'NONE';
  const payer = payerOf({
    reasonCode,
    evidence,
    now,
    window: windowFacts(row, carried.windowStatus),
    isConfirmed: reply?.confirmedAt != null,
    destination: parseStored<Spot>(row.destination),
    isReturn,
    door: door?.doorArrival == null ? null : parseStored<{ readonly position: Spot | null }>(door.doorArrival).position,
  });
  const attempts = followUp?.attempt ?? 1;
  const nextPayer = nextPayerOf(payer, { isReturn, attempts });
  const failed: Failed = { reasonCode, payer: nextPayer, attempts, isReturn, isForgotten: false };
  const isPerishable = parseStored<string[]>(row.requirements).includes(PERISHABLE);
  const defaultKind: ResolutionKind = isPerishable ? 'DISPOSE' : 'RETURN';
  const decideBy = addSeconds(now, (isPerishable ? DECISION_HOURS_PERISHABLE : DECISION_HOURS) * 3600);
  const isCredited = payer === 'CARRIER' && !isCarrierFault;
  const credits = isCredited ? creditFailure(id, { isAmended: row.amendmentCount > 0 }, now) : ofParcel;
  const opened = {
    shipmentId: id,
    companyId: row.companyId,
    reasonCode,
    evidence,
    payer: nextPayer,
    attempts,
    failedAt: now,
    decideBy,
    defaultKind,
  };
  if (command.name === 'FAIL') {
    const undecided = { state: 'OPEN', kind: null, actor: null, decidedAt: null, followUpId: null } as const;
    const options = optionsOf(failed, root);
    return ok({
      data: { resolution: { decideBy: formatInstant(decideBy), default: defaultKind, options } },
      statements: [...credits, resolutionInsert({ ...opened, ...undecided })],
      dueAt: decideBy,
    });
  }
  const tooExpensive = refuseAbove(priceLimit, optionPrice('RETURN', payer, root));
  if (tooExpensive !== undefined) return tooExpensive;
  const { random, config, clock } = dependencies;
  const preceding: Preceding = { row, carried, followUp, terms, root };
  const { followUp: identity, contact } = command;
  const order = { kind: 'RETURN', payer, identity, contact, actor, now } as const;
  const made = { eventId: random.uuid(), offerId: random.uuid(), correlationId, config, clock };
  const { statements } = followUpStatements(preceding, order, made);
  const chosen = { state: 'CHOSEN', kind: 'RETURN', actor, decidedAt: now, followUpId: identity.id } as const;
  return ok({ statements: [...credits, resolutionInsert({ ...opened, ...chosen }), ...statements] });
}

/** The capability of goods that spoil. */
const PERISHABLE = 'PERISHABLE';
