import { and, eq, lt, lte } from 'drizzle-orm';
import { compilePastRows, type PastRows } from '../../../db/past-rows.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { idempotencyRecords } from '../../../db/shard/schema/shipments.ts';
import { columnsOf, placeholder, placesOf, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of idempotency keys and their first responses. */

export type IdempotencyRow = typeof idempotencyRecords.$inferSelect;

const insertIdempotencyRecord = writeRow(queries.insert(idempotencyRecords).values(placesOf(idempotencyRecords)));
/** Stores a key with its response. Refuses the unit if the key exists. */
export function idempotencyInsert(row: IdempotencyRow) {
  return insertIdempotencyRecord({ ...row });
}

const isRecord = and(
  eq(idempotencyRecords.companyId, placeholder('companyId')),
  eq(idempotencyRecords.clientId, placeholder('clientId')),
  eq(idempotencyRecords.operation, placeholder('operation')),
  eq(idempotencyRecords.key, placeholder('key')),
);
const deleteExpiredRecord = write(
  queries.delete(idempotencyRecords).where(and(isRecord, lte(idempotencyRecords.expiresAt, placeholder('now')))),
);
/** Deletes one expired key, so that the same unit can use it again. */
export function expiredKeyDelete(scope: CompanyScope, operation: string, key: string, now: Instant) {
  return deleteExpiredRecord({ companyId: scope.companyId, clientId: scope.clientId, operation, key, now });
}

/** The claim of a unit on its key, which is also its exclusive key: see db/writer.ts. */
export function keyClaimOf(scope: CompanyScope, operation: string, key: string): string {
  return JSON.stringify(['key', scope.companyId, scope.clientId, operation, key]);
}

const selectRecord = read(columnsOf(idempotencyRecords), (columns) =>
  queries.select(columns).from(idempotencyRecords).where(isRecord),
);
export function idempotencyByKey(scope: CompanyScope, operation: string, key: string) {
  return selectRecord({ companyId: scope.companyId, clientId: scope.clientId, operation, key });
}

const expired = compilePastRows<{ now: Instant }>(
  idempotencyRecords,
  and(lt(idempotencyRecords.expiresAt, placeholder('now')), isAtHome(idempotencyRecords.companyId)),
);
/** Expired keys. For the sweep only. */
export function expiredKeys(now: Instant): PastRows {
  return expired({ now });
}
