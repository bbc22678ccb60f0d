import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { nationalAddresses } from '../../../db/shard/schema/national-addresses.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, writeRow } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import { ADDRESS_WAIT_SECONDS } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';

/*
 * The SQL that keeps shipments without a valid National Address from drivers, and that of an address that comes with a creation. A
 * Worker loads it when it starts.
 */

export const isGateClosed = sql`${shipments.addressGate} = 'CLOSED'`;

/** When a wait for a National Address that began at `from` ends. */
export function addressWaitEnd(from: SQL | Placeholder): SQL {
  return sql`${from} + ${sql.raw(String(ADDRESS_WAIT_SECONDS * 1_000_000))}`;
}

const insertFirst = writeRow(
  queries.insert(nationalAddresses).values({
    shipmentId: placeholder('shipmentId'),
    companyId: placeholder('companyId'),
    shortAddress: placeholder('shortAddress'),
    status: sql`'UNVERIFIED'`,
    source: sql`'MERCHANT'`,
    found: null,
    distanceMeters: null,
    checkedAt: null,
    checkDueAt: placeholder('checkDueAt'),
    checkAttempts: sql`0`,
    version: sql`1`,
  }),
);
/** The address that a creation brings, for its unit. */
export function firstAddress(address: {
  readonly shipmentId: Uuid;
  readonly companyId: Uuid;
  readonly shortAddress: string;
  readonly checkDueAt: Instant | null;
}) {
  return insertFirst({ ...address });
}
