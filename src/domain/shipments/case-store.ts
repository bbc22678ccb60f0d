import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { caseMessages, cases, IS_OWED } from '../../../db/shard/schema/cases.ts';
import { offers } from '../../../db/shard/schema/dispatch.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import {
  columnsOf,
  placeholder,
  placesOf,
  queries,
  read,
  setOf,
  variants,
  write,
  writeRow,
} from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { CaseAuthor, CaseKind, CaseState } from '../../contract/case-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of cases and of what is written in them. */

export type CaseRow = typeof cases.$inferSelect;
export type MessageRow = typeof caseMessages.$inferSelect;

const insertCase = writeRow(queries.insert(cases).values(placesOf(cases)));
/** Opens a case. Refuses the unit if its shipment has one of this kind that is not closed. */
export function caseInsert(row: CaseRow) {
  return insertCase({ ...row });
}

const updateCase = write(
  queries
    .update(cases)
    .set(setOf(cases, ['id', 'companyId', 'shipmentId', 'number', 'kind', 'openedBy', 'createdAt']))
    .where(
      and(
        eq(cases.id, placeholder('id')),
        eq(cases.companyId, placeholder('companyId')),
        eq(cases.version, sql`${placeholder('version')} - 1`),
      ),
    ),
  { mustChange: true },
);
/** The case as it is now. Refuses the unit if somebody else has changed the version before. */
export function caseUpdate(row: CaseRow) {
  return updateCase({ ...row });
}

const insertMessage = write(
  queries.insert(caseMessages).select(
    sql`select ${placeholder('caseId')}, ${placeholder('number')}, ${shipments.companyId}, ${shipments.id}, ${placeholder('author')},
        case when ${shipments.forgottenAt} is null then ${placeholder('text')} end, ${placeholder('pictures')}, ${placeholder('createdAt')}
        from ${shipments} where ${shipments.id} = ${placeholder('shipmentId')} and ${shipments.companyId} = ${placeholder('companyId')}`,
  ),
  { mustChange: true },
);
/** A message of a case. The text is not stored if the recipient was forgotten before. */
export function messageInsert(message: MessageRow & { readonly author: CaseAuthor }) {
  return insertMessage({ ...message });
}

const selectCase = read(columnsOf(cases), (columns) =>
  queries
    .select(columns)
    .from(cases)
    .where(and(eq(cases.id, placeholder('caseId')), eq(cases.companyId, placeholder('companyId')))),
);
export function caseById(scope: CompanyScope, caseId: Uuid) {
  return selectCase({ companyId: scope.companyId, caseId });
}

const selectCaseAs = read({ id: cases.id }, (columns) =>
  queries
    .select(columns)
    .from(cases)
    .where(
      and(
        eq(cases.id, placeholder('id')),
        eq(cases.companyId, placeholder('companyId')),
        eq(cases.version, placeholder('version')),
        eq(cases.state, placeholder('state')),
        sql`${cases.outcome} is ${placeholder('outcome')} and ${cases.closedAt} is ${placeholder('closedAt')}`,
        sql`(${placeholder('saidAt')} is null or exists (select 1 from case_messages m where m.case_id = cases.id
          and m.number = ${placeholder('messageCount')} and m.created_at = ${placeholder('saidAt')}))`,
      ),
    ),
);
/**
 * Returns one row if the case is as in this row, with the message of this instant if there is one. No two changes of a case that write
 * an instant have the same one, and two equal disputes are the same decision.
 */
export function caseAs(
  scope: CompanyScope,
  row: Pick<CaseRow, 'id' | 'version' | 'state' | 'outcome' | 'closedAt' | 'messageCount'>,
  saidAt: Instant | undefined,
) {
  const { id, version, state, outcome, closedAt, messageCount } = row;
  const { companyId } = scope;
  return selectCaseAs({ id, companyId, version, state, outcome, closedAt, messageCount, saidAt: saidAt ?? null });
}

const selectMessages = read(columnsOf(caseMessages), (columns) =>
  queries
    .select(columns)
    .from(caseMessages)
    .where(and(eq(caseMessages.caseId, placeholder('caseId')), eq(caseMessages.companyId, placeholder('companyId'))))
    .orderBy(asc(caseMessages.number)),
);
/** What was written in a case, in order. */
export function messagesOf(scope: CompanyScope, caseId: Uuid) {
  return selectMessages({ companyId: scope.companyId, caseId });
}

const ofShipment = and(eq(cases.shipmentId, placeholder('shipmentId')), eq(cases.companyId, placeholder('companyId')));
const selectNotClosed = read(columnsOf(cases), (columns) =>
  queries
    .select(columns)
    .from(cases)
    .where(and(ofShipment, eq(cases.kind, placeholder('kind')), ne(cases.state, sql`'CLOSED'`))),
);
/** The open, answered or disputed case of this kind. There is no row if all are closed. */
export function caseNotClosed(scope: { readonly companyId: Uuid }, shipmentId: Uuid, kind: CaseKind) {
  return selectNotClosed({ companyId: scope.companyId, shipmentId, kind });
}

const standingColumns = { endedAt: shipments.endedAt, forgottenAt: shipments.forgottenAt, count: shipments.version };
const selectStanding = read(standingColumns, (columns) =>
  queries
    .select({
      ...columns,
      count: sql`(select count(*) from cases where cases.shipment_id = shipments.id)`.as('count'),
    })
    .from(shipments)
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
);
/** What decides whether a case of a shipment can be opened. */
export function caseStandingOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectStanding({ companyId: scope.companyId, shipmentId });
}

/** Another phone is another recipient, who must not read what the one before has written. */
const isOfPresentPhone = sql`not exists (select 1 from shipment_amendments a where a.shipment_id = cases.shipment_id
  and a.state = 'APPLIED' and instr(a.changes, '"RECIPIENT_PHONE"') > 0 and a.requested_at >= cases.created_at)`;
const selectOfRecipient = read(columnsOf(cases), (columns) =>
  queries
    .select(columns)
    .from(cases)
    .where(and(ofShipment, eq(cases.openedBy, sql`'RECIPIENT'`), isOfPresentPhone))
    .orderBy(desc(cases.createdAt)),
);
/** The cases that the recipient of a shipment has opened, newest first. */
export function casesOfRecipient(scope: CompanyScope, shipmentId: Uuid) {
  return selectOfRecipient({ companyId: scope.companyId, shipmentId });
}

const selectRecipientMessages = read(columnsOf(caseMessages), (columns) =>
  queries
    .select(columns)
    .from(caseMessages)
    .where(
      and(
        eq(caseMessages.shipmentId, placeholder('shipmentId')),
        eq(caseMessages.companyId, placeholder('companyId')),
        // What the merchant writes may have prices.
        inArray(caseMessages.author, ['RECIPIENT', 'OPERATOR']),
      ),
    )
    .orderBy(asc(caseMessages.caseId), asc(caseMessages.number)),
);
/** What the recipient and operators have written in all cases of a shipment. */
export function recipientMessagesOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectRecipientMessages({ companyId: scope.companyId, shipmentId });
}

const selectArrivals = read({ positions: cases.version }, () =>
  queries
    .select({
      positions: sql`coalesce(sum((${offers.pickupArrival} is not null) + (${offers.doorArrival} is not null)), 0)`.as(
        'positions',
      ),
    })
    .from(offers)
    .where(eq(offers.shipmentId, placeholder('shipmentId'))),
);
/** How many arrivals of drivers a shipment of the company has. The caller has read the shipment with its company. */
export function arrivalsOf(shipmentId: Uuid) {
  return selectArrivals({ shipmentId });
}

const isAfter = sql`(${cases.createdAt}, ${cases.id}) < (${placeholder('createdAt')}, ${placeholder('id')})`;
const selectPage = variants((hasState: boolean, hasKind: boolean, hasShipment: boolean, hasPosition: boolean) =>
  read(columnsOf(cases), (columns) =>
    queries
      .select(columns)
      .from(cases)
      .where(
        and(
          eq(cases.companyId, placeholder('companyId')),
          hasState ? eq(cases.state, placeholder('state')) : undefined,
          hasKind ? eq(cases.kind, placeholder('kind')) : undefined,
          hasShipment ? eq(cases.shipmentId, placeholder('shipmentId')) : undefined,
          sql`${cases.createdAt} >= ${placeholder('from')} and ${cases.createdAt} < ${placeholder('to')}`,
          hasPosition ? isAfter : undefined,
        ),
      )
      .orderBy(desc(cases.createdAt), desc(cases.id))
      .limit(placeholder('limit')),
  ),
);
export interface CaseFilter {
  readonly state?: CaseState | undefined;
  readonly kind?: CaseKind | undefined;
  readonly shipmentId?: Uuid | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}
/** After every instant that a row has. */
const ALWAYS = 2n ** 62n;
/** Cases of the company, newest first. */
export function casePage(scope: CompanyScope, filter: CaseFilter, after: Position | undefined, limit: number) {
  const { state, kind, shipmentId, from = 0n, to = ALWAYS } = filter;
  const select = selectPage(state !== undefined, kind !== undefined, shipmentId !== undefined, after !== undefined);
  return select({
    companyId: scope.companyId,
    state: state ?? null,
    kind: kind ?? null,
    shipmentId: shipmentId ?? null,
    from,
    to,
    createdAt: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

const queueColumns = {
  ...columnsOf(cases),
  shipmentNumber: shipments.shipmentNumber,
};
const selectQueue = variants((hasPosition: boolean) =>
  read(queueColumns, (columns) =>
    queries
      .select(columns)
      .from(cases)
      .innerJoin(shipments, eq(shipments.id, cases.shipmentId))
      .where(
        and(
          sql`cases.${IS_OWED}`,
          isAtHome(cases.companyId),
          hasPosition
            ? sql`(${cases.answerBy}, ${cases.id}) > (${placeholder('answerBy')}, ${placeholder('id')})`
            : undefined,
        ),
      )
      .orderBy(asc(cases.answerBy), asc(cases.id))
      .limit(placeholder('limit')),
  ),
);
export type QueueRow = ReturnType<ReturnType<ReturnType<typeof selectQueue>>['decode']>;
/** Cases of all companies of a shard to which an answer is owed, the least time left first. */
export function casesOwed(after: Position | undefined, limit: number) {
  return selectQueue(after !== undefined)({ answerBy: after?.createdAt ?? null, id: after?.key ?? null, limit });
}

const sizeColumns = { owed: cases.version, overdue: cases.version, since: cases.answerBy };
/** Counting stops here, because a larger number would not change what an operator does. */
const COUNTED_MAX = 10_000;
const selectSize = read(sizeColumns, () =>
  queries
    .select({
      owed: sql`count(*)`.as('owed'),
      overdue: sql`coalesce(sum(answer_by < ${placeholder('now')}), 0)`.as('overdue'),
      since: sql`min(answer_by)`.as('since'),
    })
    .from(
      queries
        .select({ answerBy: sql`${cases.answerBy}`.as('answer_by') })
        .from(cases)
        .where(and(sql`cases.${IS_OWED}`, isAtHome(cases.companyId)))
        .orderBy(asc(cases.answerBy))
        .limit(COUNTED_MAX)
        .as('owed'),
    ),
);
/** How many cases of one shard wait for an answer, how many of them are overdue, and the first `answerBy`. */
export function caseQueueSize(now: Instant) {
  return selectSize({ now });
}
