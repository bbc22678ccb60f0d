import type { WriteStatement } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Case } from '../../contract/case.ts';
import {
  CASE_MESSAGES_MAX,
  type CaseAnswer,
  type CaseAuthor,
  type CaseDecision,
  DISPUTE_BUSINESS_DAYS,
  REGULATOR_PHONE,
} from '../../contract/case-state.ts';
import { businessDeadline } from '../../core/business-days.ts';
import type { Instant } from '../../core/instant.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { auditOf, type ChangeDecision, changeVersioned } from '../audit/change.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { type FrozenEvidence, freezeEvidence } from './case-evidence.ts';
import {
  type CaseRow,
  caseAs,
  caseById,
  caseUpdate,
  type MessageRow,
  messageInsert,
  messagesOf,
} from './case-store.ts';
import { presentCase, presentSummary } from './case-view.ts';
import { factEvent } from './fact.ts';
import { type Attach, type CaseDependencies, withoutPictures } from './open-case.ts';
import { readRecipientCases } from './read-cases.ts';
import { type ShipmentRow, shipmentById } from './store.ts';

/** A case with what it needs to be changed and shown. */
interface Seen {
  readonly row: CaseRow;
  readonly messages: readonly MessageRow[];
  readonly shipment: ShipmentRow;
}

interface Order {
  readonly caseId: Uuid;
  readonly correlationId: Uuid;
}

/** Adds a message of the merchant, as long as the case is not closed. 409 if it has too many. */
export function addMessage(
  dependencies: CaseDependencies,
  scope: CompanyScope,
  { text, attach = withoutPictures, ...order }: Order & { readonly text: string; readonly attach?: Attach },
  bind: Bind<Case>,
): Promise<Result<Case>> {
  return changeCase(dependencies, scope, order, {
    bind,
    decide: async ({ row, messages, shipment }) => {
      if (row.state === 'CLOSED') return notNow(row);
      const written = messages.filter(({ author }) => author !== 'OPERATOR').length;
      if (written >= CASE_MESSAGES_MAX) return refuse('CASE_LIMIT_REACHED');
      const taken = await attach(shipment);
      if (!taken.ok) return taken;
      const said = { author: 'MERCHANT', text, pictures: taken.value.named } as const;
      return ok({ action: 'case.message_added', next: {}, said, also: taken.value.statements });
    },
  });
}

/**
 * The merchant accepts or disputes the answer, or the one who opened the case withdraws it. The same decision again changes nothing,
 * whatever version it names. So does an acceptance after the answer to a dispute: that answer has closed the case, and nothing is left
 * to accept. A dispute of it is refused.
 */
export function decideCase(
  dependencies: CaseDependencies,
  scope: CompanyScope,
  {
    decision,
    by,
    precondition,
    ...order
  }: Order & {
    readonly decision: CaseDecision;
    readonly by: 'MERCHANT' | 'RECIPIENT';
    readonly precondition: Precondition;
  },
): Promise<Result<Case>> {
  const { holidays } = dependencies.config;
  return changeCase(dependencies, scope, order, {
    decide: ({ row }, now) => {
      const { state, outcome, openedBy, version } = row;
      if (decision === 'WITHDRAW') {
        if (openedBy !== by) return refuse('ACCESS_DENIED');
        if (outcome === 'WITHDRAWN') return ok('unchanged');
        const stale = checkPrecondition(precondition, version);
        if (stale !== undefined) return stale;
        if (state === 'CLOSED') return notNow(row);
        const next = { state: 'CLOSED', outcome: 'WITHDRAWN', closedAt: now } as const;
        return ok({ action: 'case.withdrawn', event: 'case.closed', next });
      }
      const isDone = decision === 'ACCEPT' ? state === 'CLOSED' && outcome === 'EXPLAINED' : state === 'DISPUTED';
      if (isDone) return ok('unchanged');
      const stale = checkPrecondition(precondition, version);
      if (stale !== undefined) return stale;
      if (state !== 'ANSWERED') return notNow(row);
      if (decision === 'ACCEPT')
        return ok({ action: 'case.accepted', event: 'case.closed', next: { state: 'CLOSED', closedAt: now } });
      const answerBy = businessDeadline(now, DISPUTE_BUSINESS_DAYS, holidays);
      return ok({ action: 'case.disputed', next: { state: 'DISPUTED', answerBy } });
    },
  });
}

/** Withdraws a case that the present recipient of a shipment has opened. 404 for any other. */
export async function withdrawAsRecipient(
  dependencies: CaseDependencies,
  scope: CompanyScope,
  { shipmentId, ...order }: Order & { readonly shipmentId: Uuid },
): Promise<Result<Case>> {
  const theirs = await readRecipientCases(dependencies, scope, shipmentId);
  if (!theirs.ok) return theirs;
  if (!theirs.value.some(({ caseId }) => caseId === order.caseId)) return refuse('RESOURCE_NOT_FOUND');
  const decision = { decision: 'WITHDRAW', by: 'RECIPIENT', precondition: { kind: 'any' } } as const;
  return decideCase(dependencies, scope, { ...order, ...decision });
}

/** What a reader can do who does not agree. */
const REGULATOR = `إذا لم توافق على هذا القرار فيمكنك تقديم شكوى إلى الهيئة العامة للنقل على الرقم ${REGULATOR_PHONE}.
If you do not agree with this decision, you can complain to the Transport General Authority by calling ${REGULATOR_PHONE}.`;

/**
 * An operator answers a case. The first answer freezes the evidence. The answer to a dispute is by another person, is the last one, and
 * names the regulator.
 */
export function answerCase(
  dependencies: CaseDependencies,
  scope: CompanyScope,
  {
    text,
    outcome,
    precondition,
    ...order
  }: Order & {
    readonly text: string;
    readonly outcome: CaseAnswer;
    readonly precondition: Precondition;
  },
): Promise<Result<Case>> {
  const answeredBy = scope.actor?.personId ?? scope.actor?.clientId;
  if (answeredBy == null) throw new Error('An answer without an operator');
  return changeCase(dependencies, scope, order, {
    decide: async ({ row }, now) => {
      const stale = checkPrecondition(precondition, row.version);
      if (stale !== undefined) return stale;
      if (row.state === 'DISPUTED') {
        if (row.answeredBy === answeredBy) return refuse('ACCESS_DENIED', { members: { reason: 'SAME_PERSON' } });
        const next = { state: 'CLOSED', outcome, answeredAt: now, closedAt: now } as const;
        const said = { author: 'OPERATOR', text: `${text}\n\n${REGULATOR}` } as const;
        return ok({ action: 'case.decided', event: 'case.closed', next, said });
      }
      if (row.state !== 'OPEN') return notNow(row);
      const frozen: Result<FrozenEvidence> = await freezeEvidence(dependencies.database, scope, row.shipmentId);
      if (!frozen.ok) return frozen;
      const next = { state: 'ANSWERED', outcome, answeredAt: now, answeredBy, ...frozen.value } as const;
      return ok({ action: 'case.answered', event: 'case.answered', next, said: { author: 'OPERATOR', text } });
    },
  });
}

function notNow({ state: currentState }: CaseRow): Refusal {
  return refuse('INVALID_STATE_TRANSITION', { members: { currentState } });
}

interface CaseChange {
  /** Of the audit. */
  readonly action: string;
  readonly event?: 'case.answered' | 'case.closed';
  readonly next: Partial<CaseRow>;
  readonly said?: { readonly author: CaseAuthor; readonly text: string; readonly pictures?: string | null };
  /** Further statements of its unit. */
  readonly also?: readonly WriteStatement[];
}

interface CaseRule {
  readonly decide: (
    seen: Seen,
    now: Instant,
  ) => Result<CaseChange | 'unchanged'> | Promise<Result<CaseChange | 'unchanged'>>;
  readonly bind?: Bind<Case>;
}

/** Reads a case, decides, and commits its next version with what was said and what is told. Retried if somebody else was faster. */
function changeCase(
  dependencies: CaseDependencies,
  scope: CompanyScope,
  order: Order,
  { decide, bind = unbound }: CaseRule,
): Promise<Result<Case>> {
  const { clock } = dependencies;
  return changeVersioned<Seen, Case>(dependencies, {
    read: () => readSeen(dependencies, scope, order.caseId),
    decide: async (seen): Promise<Result<ChangeDecision<Case>>> => {
      const now = clock.now();
      const decided = await decide(seen, now);
      if (!decided.ok) return decided;
      const { row, messages } = seen;
      const { value: change } = decided;
      if (change === 'unchanged') return ok({ kind: 'unchanged', value: presentCase(row, messages, now) });
      const { action, event, next, said, also = [] } = change;
      const number = row.messageCount + 1;
      const { id: caseId, companyId, shipmentId } = row;
      const message = said && { pictures: null, ...said, caseId, number, companyId, shipmentId, createdAt: now };
      const changed: CaseRow = {
        ...row,
        ...next,
        messageCount: said === undefined ? row.messageCount : number,
        version: row.version + 1,
      };
      const value = presentCase(changed, message === undefined ? messages : [...messages, message], now);
      const statements = [
        caseUpdate(changed),
        ...(message === undefined ? [] : [messageInsert(message)]),
        ...also,
        ...(event === undefined ? [] : toldOf(dependencies, { ...seen, row: changed }, { type: event, now, order })),
      ];
      return ok({
        kind: 'change',
        value,
        unit: await bind({ statements }, value),
        audit: auditOf(dependencies, scope, {
          action,
          subject: caseId,
          at: now,
          detail: { version: changed.version },
        }),
        committed: caseAs(scope, changed, message?.createdAt),
      });
    },
  });
}

async function readSeen(
  { database }: Pick<CaseDependencies, 'database'>,
  scope: CompanyScope,
  caseId: Uuid,
): Promise<Result<Seen>> {
  const found = await database.readAll([caseById(scope, caseId), messagesOf(scope, caseId)] as const);
  if (!found.ok) return unavailable();
  const [[row], messages] = found.results;
  if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
  const answer = await database.read(shipmentById(scope, row.shipmentId));
  if (!answer.ok) return unavailable();
  const [shipment] = answer.rows;
  return shipment === undefined ? refuse('RESOURCE_NOT_FOUND') : ok({ row, messages, shipment });
}

/** The event has no text, because endpoints and logs of others keep it. */
function toldOf(
  dependencies: CaseDependencies,
  { row, shipment }: Seen,
  {
    type,
    now,
    order,
  }: { readonly type: 'case.answered' | 'case.closed'; readonly now: Instant; readonly order: Order },
): WriteStatement[] {
  return factEvent(dependencies, shipment, {
    type,
    occurredAt: now,
    correlationId: order.correlationId,
    data: { case: presentSummary(row, now) },
  });
}
