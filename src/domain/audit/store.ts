import { and, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { directoryAudit } from '../../../db/directory/schema/audit.ts';
import { people } from '../../../db/directory/schema/people.ts';
import { columnsOf, placeholder, placesOf, queries, read, variants, write } from '../../../db/statement.ts';
import type { AuditActor } from '../../access/principal.ts';
import type { CompanyScope } from '../../access/require.ts';
import { OPERATIONS, type OperatorAuditFilter } from '../../contract/audit.ts';
import type { Instant } from '../../core/instant.ts';
import { NIL_UUID, type Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of the audit. The directory and each shard have the same table, so the same statements serve both. */

export interface AuditEntry {
  readonly id: Uuid;
  readonly action: string;
  readonly subject: string;
  readonly at: Instant;
  /** Names and numbers of the changed fields, without personal data. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

const insert = write(queries.insert(directoryAudit).values(placesOf(directoryAudit)));
/** An entry, as a statement for the unit that makes the change. Without a scope the change belongs to no company. */
export function auditInsert(scope: CompanyScope | undefined, actor: AuditActor, { detail, ...entry }: AuditEntry) {
  const companyId = scope?.companyId ?? NIL_UUID;
  return insert({ companyId, ...actor, ...entry, detail: JSON.stringify(detail) });
}

const insertOfChallenge = write(
  queries.insert(directoryAudit).select(
    sql`select ${placeholder('id')}, coalesce(m.company_id, ${NIL_UUID}), c.person_id, case when o.person_id is null then null else ${OPERATIONS} end, ${placeholder('action')}, ${placeholder('subject')}, ${placeholder('at')}, ${placeholder('address')}, ${placeholder('requestId')}, ${placeholder('detail')}
      from challenges c left join company_members m on m.person_id = c.person_id
        left join operators o on o.person_id = c.person_id
      where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('answerHash')}
        and (m.person_id is not null or o.person_id is not null)
        and exists (select 1 from sessions s where s.token_hash = c.answer_hash)`,
  ),
);
/** Inserts an entry for the person who answered this challenge. Inserts nothing if the answer began or raised no session. */
export function challengeAuditInsert(
  answered: { readonly challengeId: Uuid; readonly answerHash: string },
  where: Pick<AuditActor, 'address' | 'requestId'>,
  { detail, ...entry }: AuditEntry,
) {
  const { challengeId, answerHash } = answered;
  const { address, requestId } = where;
  return insertOfChallenge({ ...entry, address, requestId, challengeId, answerHash, detail: JSON.stringify(detail) });
}

const selectEntry = read({ id: directoryAudit.id }, (columns) =>
  queries
    .select(columns)
    .from(directoryAudit)
    .where(and(eq(directoryAudit.id, placeholder('id')), eq(directoryAudit.companyId, placeholder('companyId')))),
);
/** Returns one row if the unit with this entry was committed. */
export function auditById(scope: CompanyScope | undefined, id: Uuid) {
  return selectEntry({ companyId: scope?.companyId ?? NIL_UUID, id });
}

const isBehind = sql`(${placeholder('at')} is null or (${directoryAudit.at}, ${directoryAudit.id}) < (${placeholder('at')}, ${placeholder('id')}))`;
const compilePage = (...whose: readonly (SQL | undefined)[]) =>
  read(columnsOf(directoryAudit), (columns) =>
    queries
      .select(columns)
      .from(directoryAudit)
      .where(and(...whose, isBehind))
      .orderBy(desc(directoryAudit.at), desc(directoryAudit.id))
      .limit(placeholder('limit')),
  );
const selectPage = compilePage(eq(directoryAudit.companyId, placeholder('companyId')));
export type AuditRow = ReturnType<ReturnType<typeof selectPage>['decode']>;

/** Entries of the company, newest first. */
export function auditPage(scope: CompanyScope, after: Position | undefined, limit: number) {
  return selectPage({ companyId: scope.companyId, at: after?.createdAt ?? null, id: after?.key ?? null, limit });
}

const selectOperatorPage = variants((hasCompany: boolean, hasSubject: boolean, hasPerson: boolean) =>
  compilePage(
    isNotNull(directoryAudit.clientId),
    hasCompany ? eq(directoryAudit.companyId, placeholder('companyId')) : undefined,
    hasSubject ? eq(directoryAudit.subject, placeholder('subject')) : undefined,
    hasPerson ? eq(directoryAudit.personId, placeholder('personId')) : undefined,
  ),
);
/** Changes that operators and their programs made, newest first, each with its company, if any. */
export function operatorAuditPage(filter: OperatorAuditFilter, after: Position | undefined, limit: number) {
  const { companyId, subject, personId } = filter;
  const select = selectOperatorPage(companyId !== undefined, subject !== undefined, personId !== undefined);
  return select({
    ...(companyId === undefined ? {} : { companyId }),
    ...(subject === undefined ? {} : { subject }),
    ...(personId === undefined ? {} : { personId }),
    at: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

const selectNames = read({ id: people.id, name: people.fullName }, (columns) =>
  queries
    .select(columns)
    .from(people)
    .where(sql`${people.id} in (select value from json_each(${placeholder('ids')}))`),
);
/** The names of people who are in the audit of operators. */
export function personNamesByIds(ids: readonly Uuid[]) {
  return selectNames({ ids: JSON.stringify(ids) });
}

/**
 * Things that keep working after their creator has left. Links and shipments are left out: there may be thousands, and
 * they end by themselves.
 */
const SET_UP_ACTIONS = [
  'credential.created',
  'credential.rotated',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.rotated',
  'person.added',
  'branch.created',
  'pickup_location.created',
];
/** More than one person ever creates. */
const SET_UP_MAX = 100;
const selectSetUp = read(
  { action: directoryAudit.action, subject: directoryAudit.subject, at: directoryAudit.at },
  (columns) =>
    queries
      .select(columns)
      .from(directoryAudit)
      .where(
        and(
          eq(directoryAudit.companyId, placeholder('companyId')),
          eq(directoryAudit.personId, placeholder('personId')),
          inArray(directoryAudit.action, SET_UP_ACTIONS),
        ),
      )
      .orderBy(desc(directoryAudit.at), desc(directoryAudit.id))
      .limit(SET_UP_MAX),
);
/** The things that a person created for the company, newest first. */
export function setUpEntriesOf(scope: CompanyScope, personId: Uuid) {
  return selectSetUp({ companyId: scope.companyId, personId });
}

/** The company of an entry; null if it has none. */
export function companyOfEntry({ companyId }: AuditRow): Uuid | null {
  return companyId === NIL_UUID ? null : companyId;
}
