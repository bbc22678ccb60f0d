import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { columnsOf, placeholder, placeListOf, queries, read, setOf, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { EndpointState } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of webhook endpoints, as their owners see and change them. */

const columns = columnsOf(webhookEndpoints);

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

const ofCompany = and(eq(webhookEndpoints.companyId, placeholder('companyId')), ne(webhookEndpoints.state, 'DELETED'));
const selectEndpoint = read(columns, (wanted) =>
  queries
    .select(wanted)
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, placeholder('id')), ofCompany)),
);
export function endpointById(scope: CompanyScope, id: Uuid) {
  return selectEndpoint({ companyId: scope.companyId, id });
}

const isAfter = sql`(${webhookEndpoints.createdAt}, ${webhookEndpoints.id}) < (${placeholder('createdAt')}, ${placeholder('key')})`;
const compilePage = (hasPosition: boolean) =>
  read(columns, (wanted) =>
    queries
      .select(wanted)
      .from(webhookEndpoints)
      .where(and(ofCompany, hasPosition ? isAfter : undefined))
      .orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id))
      .limit(placeholder('limit')),
  );
const selectFirstPage = compilePage(false);
const selectPage = compilePage(true);
/** Endpoints of the company, newest first. */
export function endpointPage(scope: CompanyScope, after: Position | undefined, limit: number) {
  const { companyId } = scope;
  return after === undefined ? selectFirstPage({ companyId, limit }) : selectPage({ companyId, ...after, limit });
}

const insertEndpoint = write(
  queries
    .insert(webhookEndpoints)
    .select(
      sql`select ${placeListOf(webhookEndpoints)} where (select count(*) from ${webhookEndpoints} where ${ofCompany}) < ${placeholder('companyMax')}`,
    ),
  { mustChange: true },
);
/** A new endpoint. Refuses the unit if the company already has `companyMax`. */
export function endpointInsert(scope: CompanyScope, row: EndpointRow, companyMax: number) {
  return insertEndpoint({ ...row, companyId: scope.companyId, companyMax });
}

const atVersion = and(
  eq(webhookEndpoints.id, placeholder('id')),
  ofCompany,
  eq(webhookEndpoints.version, placeholder('version')),
);
/** Columns that never change, that deliveries and rotations write, or that the statement computes. */
const WRITTEN_BY_OTHERS = [
  ...(['id', 'companyId', 'createdAt', 'updatedAt', 'version', 'lastSuccessAt', 'lastFailureAt'] as const),
  ...(['secret', 'secretHint', 'previousSecret', 'previousSecretExpiresAt'] as const),
  ...(['consecutiveFailures', 'failingSince', 'pausedUntil', 'pauseCount'] as const),
] as const;
const updateEndpoint = write(
  queries
    .update(webhookEndpoints)
    .set({
      ...setOf(webhookEndpoints, WRITTEN_BY_OTHERS),
      consecutiveFailures: sql`case when ${placeholder('isFresh')} = 1 then 0 else ${webhookEndpoints.consecutiveFailures} end`,
      failingSince: sql`case when ${placeholder('isFresh')} = 1 then null else ${webhookEndpoints.failingSince} end`,
      pausedUntil: sql`case when ${placeholder('isFresh')} = 1 then null else ${webhookEndpoints.pausedUntil} end`,
      pauseCount: sql`case when ${placeholder('isFresh')} = 1 then 0 else ${webhookEndpoints.pauseCount} end`,
      updatedAt: sql`${placeholder('now')}`,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(atVersion),
  { mustChange: true },
);
export interface EndpointUpdate {
  readonly id: Uuid;
  /** The version that the row must still have. */
  readonly version: number;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: string;
  readonly state: EndpointState;
  /** Whether to reset the failures and end a pause, because the endpoint has a new address or is enabled again. */
  readonly isFresh: boolean;
  readonly now: Instant;
}
export function endpointUpdate(scope: CompanyScope, { isFresh, ...update }: EndpointUpdate) {
  return updateEndpoint({ companyId: scope.companyId, ...update, isFresh: isFresh ? 1 : 0 });
}

const deleteEndpoint = write(
  queries
    .update(webhookEndpoints)
    .set({
      state: sql`'DELETED'`,
      secret: sql`''`,
      previousSecret: sql`null`,
      updatedAt: sql`${placeholder('now')}`,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(atVersion),
  { mustChange: true },
);
/** Deletes the endpoint and its secrets. The row stays until its open deliveries are skipped. */
export function endpointDelete(scope: CompanyScope, order: { id: Uuid; version: number; now: Instant }) {
  return deleteEndpoint({ companyId: scope.companyId, ...order });
}

const rotateSecret = write(
  queries
    .update(webhookEndpoints)
    .set({
      secret: sql`${placeholder('secret')}`,
      secretHint: sql`${placeholder('secretHint')}`,
      previousSecret: sql`case when ${placeholder('expiresAt')} is not null then ${webhookEndpoints.secret} end`,
      previousSecretExpiresAt: sql`${placeholder('expiresAt')}`,
      updatedAt: sql`${placeholder('now')}`,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(
      and(
        eq(webhookEndpoints.id, placeholder('id')),
        ofCompany,
        sql`coalesce(${webhookEndpoints.previousSecretExpiresAt}, 0) <= ${placeholder('now')}`,
      ),
    ),
  { mustChange: true },
);
export interface SecretUpdate {
  readonly id: Uuid;
  readonly secret: string;
  readonly secretHint: string;
  /** When the previous secret stops signing; null for at once. */
  readonly expiresAt: Instant | null;
  readonly now: Instant;
}
/** The next secret. Refuses the unit while the previous rotation overlaps. */
export function secretUpdate(scope: CompanyScope, update: SecretUpdate) {
  return rotateSecret({ companyId: scope.companyId, ...update });
}
