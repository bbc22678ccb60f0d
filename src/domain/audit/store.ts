import { and, desc, eq, sql } from 'drizzle-orm';
import { directoryAudit } from '../../../db/directory/schema/audit.ts';
import { shardAudit } from '../../../db/shard/schema/audit.ts';
import { columnsOf, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of the audit: the same table in the directory and in each shard. */

const place = sql.placeholder;

/** The actor of a change, and the request. */
export interface Actor {
  readonly personId: Uuid | null;
  readonly clientId: string | null;
  readonly address: string | null;
  readonly requestId: Uuid;
}

export interface AuditEntry {
  readonly id: Uuid;
  readonly action: string;
  readonly subject: string;
  readonly at: Instant;
  /** Names and numbers of the changed fields, without personal data. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

const insertIntoDirectory = write(queries.insert(directoryAudit).values(placesOf(directoryAudit)));
const insertIntoShard = write(queries.insert(shardAudit).values(placesOf(shardAudit)));

/** Inserts an entry into the directory, as a statement of the unit that makes the change. */
export function directoryAuditInsert(scope: CompanyScope, actor: Actor, entry: AuditEntry) {
  return insertIntoDirectory(rowOf(scope, actor, entry));
}

const insertOfChallenge = write(
  queries.insert(directoryAudit).select(
    sql`select ${place('id')}, m.company_id, c.person_id, null, ${place('action')}, ${place('subject')}, ${place('at')}, ${place('address')}, ${place('requestId')}, ${place('detail')}
      from challenges c join company_members m on m.person_id = c.person_id
      where c.id = ${place('challengeId')} and c.answer_hash = ${place('answerHash')}`,
  ),
);
/** Inserts an entry for the person who answered this challenge. Inserts nothing if the answer was wrong. */
export function challengeAuditInsert(
  answered: { readonly challengeId: Uuid; readonly answerHash: string },
  where: Pick<Actor, 'address' | 'requestId'>,
  { detail, ...entry }: AuditEntry,
) {
  const { challengeId, answerHash } = answered;
  const { address, requestId } = where;
  return insertOfChallenge({ ...entry, address, requestId, challengeId, answerHash, detail: JSON.stringify(detail) });
}

/** Inserts an entry into the company's shard, as a statement of the unit that makes the change. */
export function shardAuditInsert(scope: CompanyScope, actor: Actor, entry: AuditEntry) {
  return insertIntoShard(rowOf(scope, actor, entry));
}

const selectFromDirectory = read({ id: directoryAudit.id }, (columns) =>
  queries
    .select(columns)
    .from(directoryAudit)
    .where(and(eq(directoryAudit.id, place('id')), eq(directoryAudit.companyId, place('companyId')))),
);
const selectFromShard = read({ id: shardAudit.id }, (columns) =>
  queries
    .select(columns)
    .from(shardAudit)
    .where(and(eq(shardAudit.id, place('id')), eq(shardAudit.companyId, place('companyId')))),
);
/** Returns one row if the unit with this entry was committed to the directory. */
export function directoryAuditById(scope: CompanyScope, id: Uuid) {
  return selectFromDirectory({ companyId: scope.companyId, id });
}
/** Returns one row if the unit with this entry was committed to the company's shard. */
export function shardAuditById(scope: CompanyScope, id: Uuid) {
  return selectFromShard({ companyId: scope.companyId, id });
}

function compilePage(table: typeof directoryAudit) {
  const isBehind = sql`(${place('at')} is null or (${table.at}, ${table.id}) < (${place('at')}, ${place('id')}))`;
  return read(columnsOf(table), (columns) =>
    queries
      .select(columns)
      .from(table)
      .where(and(eq(table.companyId, place('companyId')), isBehind))
      .orderBy(desc(table.at), desc(table.id))
      .limit(place('limit')),
  );
}
const selectDirectoryPage = compilePage(directoryAudit);
const selectShardPage = compilePage(shardAudit);
export type AuditRow = ReturnType<ReturnType<typeof selectDirectoryPage>['decode']>;

/** Entries of the company in the directory, newest first. */
export function directoryAuditPage(scope: CompanyScope, after: Position | undefined, limit: number) {
  return selectDirectoryPage({
    companyId: scope.companyId,
    at: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

/** Entries of the company in its shard, newest first. */
export function shardAuditPage(scope: CompanyScope, after: Position | undefined, limit: number) {
  return selectShardPage({ companyId: scope.companyId, at: after?.createdAt ?? null, id: after?.key ?? null, limit });
}

/** More than one person sets up. */
const SET_UP_MAX = 100;
function compileSetUp(table: typeof directoryAudit) {
  return read({ action: table.action, subject: table.subject, at: table.at }, (columns) =>
    queries
      .select(columns)
      .from(table)
      .where(
        and(
          eq(table.companyId, place('companyId')),
          eq(table.personId, place('personId')),
          sql`(${table.action} like '%.created' or ${table.action} like '%.rotated')`,
        ),
      )
      .orderBy(desc(table.at), desc(table.id))
      .limit(SET_UP_MAX),
  );
}
const selectDirectorySetUp = compileSetUp(directoryAudit);
const selectShardSetUp = compileSetUp(shardAudit);
/** What a person created or rotated for the company in the directory, newest first. */
export function directorySetUpBy(scope: CompanyScope, personId: Uuid) {
  return selectDirectorySetUp({ companyId: scope.companyId, personId });
}
/** The same in the company's shard. */
export function shardSetUpBy(scope: CompanyScope, personId: Uuid) {
  return selectShardSetUp({ companyId: scope.companyId, personId });
}

function rowOf({ companyId }: CompanyScope, actor: Actor, { detail, ...entry }: AuditEntry) {
  return { companyId, ...actor, ...entry, detail: JSON.stringify(detail) };
}
