import { and, desc, eq, sql } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { v7 } from 'uuid';
import { type Endpoint, effectsOf } from './usual-effects.ts';
import { fingerprintOf, present, rowOf, type ShipmentRow } from './usual-row.ts';
import type { Shipment, ShipmentRequest } from './usual-schemas.ts';
import {
  branches,
  idempotencyRecords,
  pickupLocations,
  shipmentEvents,
  shipments,
  webhookEndpoints,
} from './usual-tables.ts';
import { messagesOf, writeWhenFree } from './usual-write.ts';

export async function findShipment(db: LibSQLDatabase, companyId: string, id: string): Promise<Shipment | undefined> {
  const [row] = await db
    .select()
    .from(shipments)
    .where(and(eq(shipments.id, id), eq(shipments.companyId, companyId)));
  return row === undefined ? undefined : present(row);
}

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly state?: string | undefined;
  readonly externalReference?: string | undefined;
}

export async function listShipments(db: LibSQLDatabase, companyId: string, query: ListQuery) {
  const after = query.cursor === undefined ? undefined : (JSON.parse(atob(query.cursor)) as [number, string]);
  const rows = await db
    .select()
    .from(shipments)
    .where(
      and(
        eq(shipments.companyId, companyId),
        query.state === undefined ? undefined : eq(shipments.state, query.state),
        query.externalReference === undefined ? undefined : eq(shipments.externalReference, query.externalReference),
        after === undefined ? undefined : sql`(${shipments.createdAt}, ${shipments.id}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(shipments.createdAt), desc(shipments.id))
    .limit(query.limit + 1);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > query.limit && last !== undefined ? btoa(JSON.stringify([last.createdAt, last.id])) : null;
  return { data: shown.map(present), page: { nextCursor, hasMore: nextCursor !== null } };
}

export type Created =
  | { readonly ok: true; readonly isReplay: boolean; readonly shipment: Shipment }
  | { readonly ok: false; readonly status: 409 | 422; readonly code: string };
interface Caller {
  readonly companyId: string;
  readonly clientId: string;
}

const OPERATION = 'shipments.create';
const KEY_MICROS = 7 * 24 * 3600 * 1_000_000;

export async function createShipment(
  db: LibSQLDatabase,
  caller: Caller,
  key: string,
  request: ShipmentRequest,
): Promise<Created> {
  const fingerprint = await fingerprintOf(request);
  const earlier = await readEarlier(db, caller, key, request);
  if (earlier.record !== undefined) return replayOf(earlier.record, fingerprint);
  if (earlier.point === undefined) return { ok: false, status: 422, code: 'PICKUP_LOCATION_UNKNOWN' };
  const row = rowOf(caller.companyId, request, earlier.point);
  const shipment = present(row);
  try {
    await writeWhenFree(() => insertAll(db, caller, { key, fingerprint, row, shipment, endpoints: earlier.endpoints }));
    return { ok: true, isReplay: false, shipment };
  } catch (error) {
    const text = messagesOf(error);
    if (text.includes('UNIQUE constraint failed: shipments.company_id, shipments.external_reference')) {
      return { ok: false, status: 409, code: 'EXTERNAL_REFERENCE_CONFLICT' };
    }
    if (text.includes('UNIQUE constraint failed: idempotency_records')) {
      return { ok: false, status: 409, code: 'IDEMPOTENCY_REQUEST_IN_PROGRESS' };
    }
    throw error;
  }
}

/** Reads the record of the key, the pickup location and the subscribed endpoints in one request. */
async function readEarlier(db: LibSQLDatabase, { companyId, clientId }: Caller, key: string, request: ShipmentRequest) {
  const { branchCode, pickupLocationCode } = request;
  const [[record], [place], endpoints] = await db.batch([
    db
      .select()
      .from(idempotencyRecords)
      .where(
        and(
          eq(idempotencyRecords.companyId, companyId),
          eq(idempotencyRecords.clientId, clientId),
          eq(idempotencyRecords.operation, OPERATION),
          eq(idempotencyRecords.key, key),
        ),
      ),
    db
      .select({ place: pickupLocations })
      .from(pickupLocations)
      .innerJoin(
        branches,
        and(eq(branches.companyId, pickupLocations.companyId), eq(branches.branchCode, pickupLocations.branchCode)),
      )
      .where(
        and(
          eq(pickupLocations.companyId, companyId),
          eq(pickupLocations.pickupLocationCode, pickupLocationCode),
          eq(pickupLocations.branchCode, branchCode),
          eq(pickupLocations.status, 'ACTIVE'),
          eq(branches.status, 'ACTIVE'),
        ),
      ),
    db
      .select({ id: webhookEndpoints.id, eventTypes: webhookEndpoints.eventTypes, state: webhookEndpoints.state })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.companyId, companyId)),
  ]);
  return { record, point: place?.place, endpoints };
}

function replayOf(record: typeof idempotencyRecords.$inferSelect, fingerprint: string): Created {
  if (record.fingerprint !== fingerprint) return { ok: false, status: 422, code: 'IDEMPOTENCY_KEY_REUSED' };
  return { ok: true, isReplay: true, shipment: JSON.parse(record.response) as Shipment };
}

interface Creation {
  readonly key: string;
  readonly fingerprint: string;
  readonly row: ShipmentRow;
  readonly shipment: Shipment;
  readonly endpoints: readonly Endpoint[];
}

/** One transaction, sent as one batch. */
async function insertAll(
  db: LibSQLDatabase,
  { companyId, clientId }: Caller,
  { key, fingerprint, row, shipment, endpoints }: Creation,
) {
  const { id: shipmentId, createdAt: occurredAt, state } = row;
  const eventId = v7();
  await db.batch([
    db.insert(idempotencyRecords).values({
      companyId,
      clientId,
      operation: OPERATION,
      key,
      fingerprint,
      status: 201,
      response: JSON.stringify(shipment),
      etag: '"0"',
      location: `/v2/external/shipments/${shipmentId}`,
      expiresAt: occurredAt + KEY_MICROS,
    }),
    db.insert(shipments).values(row),
    db.insert(shipmentEvents).values({
      shipmentId,
      sequence: 1,
      id: eventId,
      companyId,
      type: 'shipment.created',
      state,
      occurredAt,
      actor: 'MERCHANT',
      correlationId: v7(),
    }),
    ...effectsOf(db, row, eventId, endpoints),
  ]);
}
