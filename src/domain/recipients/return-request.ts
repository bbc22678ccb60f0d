import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { RecipientReturn, RecipientReturnRequest } from '../../contract/recipient.ts';
import { isTerminal, type ShipmentState } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { RETURN_DECISION_DAYS } from '../../core/limits.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type ReplyRow, replyOf } from '../addresses/confirmation-store.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { settleKept } from '../settle.ts';
import { factEvent } from '../shipments/fact.ts';
import { carriedOf, followUpOf } from '../shipments/resolution-store.ts';
import { quantitiesLeft, returnMadeSince } from '../shipments/return-store.ts';
import { type Ended, itemViolations, returnableUntil } from '../shipments/returns.ts';
import { shipmentById } from '../shipments/store.ts';
import type { LinkedShipment } from '../tracking/linked-shipment.ts';
import { returnAsked, returnRejection, returnRequestUpsert } from './reply-store.ts';

/* Returns that recipients ask for. The merchant agrees by making the return. */

/** What decides about a request. */
export interface ReturnFacts {
  readonly reply: ReplyRow | undefined;
  /** Whether the merchant has made a return since the request. */
  readonly isMade: boolean;
  /** When the shipment ended, and what it is itself. */
  readonly ended: Pick<Ended, 'endedAt' | 'kind'>;
  /** How many of each item can still go back, in the order of the items. */
  readonly left: readonly number[];
}
type Kept = Pick<RecipientReturn, 'reasonCode' | 'partOfDay' | 'comment' | 'items'>;
type Objection = 'NOT_DELIVERED' | 'TOO_LATE' | 'LIMIT_REACHED';

export async function readReturnFacts(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<ReturnFacts>> {
  const answer = await database.readAll([
    replyOf(scope, shipmentId),
    returnMadeSince(scope, shipmentId),
    carriedOf(scope, shipmentId),
    followUpOf(scope, shipmentId),
    quantitiesLeft(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[reply], made, [carried], [followUp], left] = answer.results;
  const ended = { endedAt: carried?.endedAt ?? null, kind: followUp?.kind };
  return ok({ reply, isMade: made.length > 0, ended, left: left.map(({ left: quantity }) => quantity) });
}

/** The request as it stands; null without one, and once the recipient is forgotten. Pure. */
export function presentReturn(
  { reply, isMade }: Pick<ReturnFacts, 'reply' | 'isMade'>,
  now: Instant,
): RecipientReturn | null {
  if (reply === undefined || reply.returnWish === null) return null;
  const { returnAskedAt: askedAt, returnDecideBy: decideBy, returnRejectedAt } = reply;
  if (askedAt === null || decideBy === null) return null;
  const open = decideBy <= now ? 'EXPIRED' : 'AWAITING_MERCHANT';
  const undone = returnRejectedAt === null ? open : 'REJECTED';
  return {
    state: isMade ? 'ACCEPTED' : undone,
    askedAt: formatInstant(askedAt),
    decideBy: formatInstant(decideBy),
    ...parseStored<Kept>(reply.returnWish),
  };
}

/** Why no return can be asked for now; undefined if one can. Pure. */
export function objectionToReturn(row: Ended['row'], facts: ReturnFacts, now: Instant): Objection | undefined {
  if (!isTerminal(row.state)) return 'NOT_DELIVERED';
  const until = returnableUntil({ row, ...facts.ended });
  if (until === undefined || until <= now) return 'TOO_LATE';
  const earlier = presentReturn(facts, now)?.state;
  const isAsked = earlier === 'AWAITING_MERCHANT' || earlier === 'REJECTED';
  return isAsked || facts.left.every((quantity) => quantity === 0) ? 'LIMIT_REACHED' : undefined;
}

type Asked = RecipientReturnRequest & { readonly correlationId: Uuid };

/** What the recipient has asked for. */
interface ReturnAsked {
  readonly request: RecipientReturn;
  /** Whether an earlier call has made it. */
  readonly isRepeated: boolean;
}

/**
 * Keeps that the recipient asks to return items, and tells the merchant. One request waits at a time, and after a rejection there is no
 * other. The same wish again is the request that waits. 409 if none can be asked for.
 */
export async function askReturn(
  { random, config }: { readonly random: Random; readonly config: { readonly deployment: Deployment } },
  { scope, store, link, shipment, now }: LinkedShipment,
  { correlationId, reasonCode, partOfDay, comment = '', items: wanted }: Asked,
): Promise<Result<ReturnAsked>> {
  if (!link.permissions.includes('RETURN')) return refuse('ACCESS_DENIED');
  const { id: shipmentId, state } = shipment;
  const found = await readReturnFacts(store.database, scope, shipmentId);
  if (!found.ok) return found;
  const { reply, ended, left } = found.value;
  const until = returnableUntil({ row: shipment, ...ended });
  const remaining = left.map((quantity, index) => ({ index, quantity }));
  const items = wanted ?? remaining.filter(({ quantity }) => quantity > 0);
  const kept: Kept = { reasonCode, partOfDay, comment: comment === '' ? null : comment, items };
  const wish = JSON.stringify(kept);
  const waiting = sameThatWaits(found.value, wish, now);
  if (waiting !== undefined) return ok({ request: waiting, isRepeated: true });
  const objection = objectionToReturn(shipment, found.value, now);
  if (objection !== undefined || until === undefined) return notAllowed(objection ?? 'TOO_LATE', state);
  const violations = itemViolations(shipment, wanted ?? []);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  if (items.some(({ index, quantity }) => quantity > (left[index] ?? 0)))
    return refuse('RETURN_QUANTITY_EXCEEDED', { members: { remaining } });
  const lapsesAt = addSeconds(now, RETURN_DECISION_DAYS * 24 * 3600);
  // After `until` the merchant can make no return.
  const decideBy = until < lapsesAt ? until : lapsesAt;
  const asked = { askedAt: formatInstant(now), decideBy: formatInstant(decideBy), ...kept };
  const returnRequest: RecipientReturn = { state: 'AWAITING_MERCHANT', ...asked };
  const recorded = factEvent({ random, config, clock: store.clock }, shipment, {
    type: 'return.requested',
    occurredAt: now,
    correlationId,
    data: { returnRequest },
  });
  const earlierAt = reply?.returnAskedAt ?? null;
  const statements = [returnRequestUpsert(scope, shipmentId, { now, decideBy, earlierAt, wish }), ...recorded];
  const outcome = await store.writer.commit({ statements });
  const committed = await settleKept(outcome, store.database, returnAsked(scope, shipmentId, { now, wish }));
  if (!committed.ok) return committed;
  if (committed.value) return ok({ request: returnRequest, isRepeated: false });
  // Another request was faster, which may be this one, sent twice.
  const after = await readReturnFacts(store.database, scope, shipmentId);
  if (!after.ok) return after;
  const faster = sameThatWaits(after.value, wish, now);
  return faster === undefined ? notAllowed('LIMIT_REACHED', state) : ok({ request: faster, isRepeated: true });
}

/** The request that waits, if it is for the same. Pure. */
function sameThatWaits(facts: ReturnFacts, wish: string, now: Instant): RecipientReturn | undefined {
  const request = presentReturn(facts, now);
  return request?.state === 'AWAITING_MERCHANT' && facts.reply?.returnWish === wish ? request : undefined;
}

function notAllowed(reason: Objection | RecipientReturn['state'], currentState: ShipmentState): Refusal {
  return refuse('AMENDMENT_NOT_ALLOWED', { members: { change: 'RETURN', reason, currentState } });
}

interface RejectDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
}

/** Declines the return that the recipient asks for. 409 if it no longer waits, unless it was declined before. */
export async function rejectReturn(
  dependencies: RejectDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<RecipientReturn>> {
  const { database, clock } = dependencies;
  const [rows, found] = await Promise.all([
    database.read(shipmentById(scope, shipmentId)),
    readReturnFacts(database, scope, shipmentId),
  ]);
  if (!rows.ok) return unavailable();
  if (!found.ok) return found;
  const [row] = rows.rows;
  if (row === undefined) return refuse('ACCESS_DENIED');
  const now = clock.now();
  const request = presentReturn(found.value, now);
  const askedAt = found.value.reply?.returnAskedAt ?? null;
  if (request === null || askedAt === null) return refuse('RESOURCE_NOT_FOUND');
  if (request.state === 'REJECTED') return ok(request);
  if (request.state !== 'AWAITING_MERCHANT') return notAllowed(request.state, row.state);
  const done = await commitChange(dependencies, {
    unit: { statements: [returnRejection(scope, shipmentId, { now, askedAt })] },
    audit: auditOf(dependencies, scope, {
      action: 'shipment.return_rejected',
      subject: shipmentId,
      at: now,
      detail: {},
    }),
  });
  if (!done.ok) return done;
  if (done.value) return ok({ ...request, state: 'REJECTED' });
  // Another rejection was faster, or the recipient asked anew.
  const after = await readReturnFacts(database, scope, shipmentId);
  if (!after.ok) return after;
  const faster = presentReturn(after.value, now);
  return faster?.state === 'REJECTED' ? ok(faster) : notAllowed(faster?.state ?? 'TOO_LATE', row.state);
}
