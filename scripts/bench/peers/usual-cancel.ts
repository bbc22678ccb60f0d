import { and, eq } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { v7 } from 'uuid';
import { present } from './usual-row.ts';
import type { Shipment } from './usual-schemas.ts';
import { dispatches, events, shipmentEvents, shipments } from './usual-tables.ts';
import { writeWhenFree } from './usual-write.ts';

export type Cancelled =
  | { readonly ok: true; readonly shipment: Shipment }
  | { readonly ok: false; readonly status: 403 | 409; readonly code: string };

/**
 * Cancels a shipment that is not approved yet. It writes the same rows as the service: state, history, event, end of
 * dispatch.
 */
export async function cancelShipment(
  db: LibSQLDatabase,
  companyId: string,
  id: string,
  reasonCode: string,
): Promise<Cancelled> {
  const [row] = await db
    .select()
    .from(shipments)
    .where(and(eq(shipments.id, id), eq(shipments.companyId, companyId)));
  if (row === undefined) return { ok: false, status: 403, code: 'ACCESS_DENIED' };
  if (row.state === 'CANCELLED') return { ok: true, shipment: present(row) };
  if (row.state !== 'PENDING_APPROVAL') return { ok: false, status: 409, code: 'SHIPMENT_NOT_CANCELLABLE' };
  const next = { ...row, state: 'CANCELLED', version: row.version + 1 };
  await writeWhenFree(() => db.batch(statementsOf(db, next, reasonCode)));
  return { ok: true, shipment: present(next) };
}

function statementsOf(db: LibSQLDatabase, next: typeof shipments.$inferSelect, reasonCode: string) {
  const { id: shipmentId, companyId, version, state } = next;
  const occurredAt = Date.now() * 1000;
  const [eventId, correlationId, sequence] = [v7(), v7(), version + 1];
  const body = {
    id: eventId,
    type: 'shipment.cancelled',
    timestamp: new Date(occurredAt / 1000).toISOString(),
    apiVersion: 'v2',
    deployment: 'local',
    companyId,
    shipmentId,
    sequence,
    correlationId,
    previousState: 'PENDING_APPROVAL',
    data: { shipment: present(next) },
  };
  return [
    db
      .update(shipments)
      .set({ state, version })
      .where(and(eq(shipments.id, shipmentId), eq(shipments.version, version - 1))),
    db.insert(shipmentEvents).values({
      shipmentId,
      sequence,
      id: eventId,
      companyId,
      type: 'shipment.cancelled',
      state,
      occurredAt,
      previousState: 'PENDING_APPROVAL',
      actor: 'MERCHANT',
      reasonCode,
      correlationId,
    }),
    db.insert(events).values({
      id: eventId,
      companyId,
      type: 'shipment.cancelled',
      shipmentId,
      sequence,
      occurredAt,
      body: JSON.stringify(body),
    }),
    db.update(dispatches).set({ endedAt: occurredAt }).where(eq(dispatches.shipmentId, shipmentId)),
  ] as const;
}
