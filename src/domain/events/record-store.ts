import { and, eq, type SQLWrapper, sql } from 'drizzle-orm';
import { events, type shipmentEvents } from '../../../db/shard/schema/events.ts';
import { mediaLists } from '../../../db/shard/schema/media-assets.ts';
import { shipmentMetadata } from '../../../db/shard/schema/shipment-metadata.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { webhookDeliveries, webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { placeholder, queries, write, writeRow } from '../../../db/statement.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { LeaseHolder } from '../../core/webhook-terms.ts';
import { isKept } from './positions.ts';

/* The SQL that writes an event and its deliveries, in the unit of the change. */

/** What the history of a shipment keeps for ever beside the facts that every event has. */
export type HistoryStep = Pick<
  typeof shipmentEvents.$inferSelect,
  'sequence' | 'state' | 'actor' | 'reasonCode' | 'note'
>;

export interface EventRow {
  readonly id: Uuid;
  readonly companyId: Uuid;
  readonly type: EventType;
  readonly shipmentId: Uuid | null;
  readonly occurredAt: Instant;
  readonly previousState: ShipmentState | null;
  readonly correlationId: Uuid;
  /** Of a transition. */
  readonly step: HistoryStep | undefined;
  /** The parts of the envelope before and after its sequence, which only the database knows. */
  readonly before: string;
  readonly after: string;
}

const takeSequence = write(
  queries
    .update(shipments)
    .set({ eventCount: sql`${shipments.eventCount} + 1` })
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
  { mustChange: true },
);
/**
 * The next sequence of a shipment, for an event that does not change its state. Refuses the unit if the shipment is not
 * the company's.
 */
export function sequenceTaken(companyId: Uuid, shipmentId: Uuid) {
  return takeSequence({ companyId, shipmentId });
}

const event = sql`(values (${placeholder('id')}, ${placeholder('companyId')}, ${placeholder('type')}, ${placeholder('shipmentId')}, ${placeholder('occurredAt')}, ${placeholder('before')}, ${placeholder('after')},
  ${placeholder('previousState')}, ${placeholder('correlationId')}, ${placeholder('sequence')}, ${placeholder('state')}, ${placeholder('actor')}, ${placeholder('reasonCode')}, ${placeholder('note')})) as event`;
/** All columns but the body. */
const facts = sql`null, event.column1, event.column2, event.column3, ${shipments.id}, ${shipments.eventCount}, event.column5,
  event.column8, event.column9, event.column10, event.column11, event.column12, event.column13, event.column14`;
/** The closing braces of `data` and of the envelope. A new member of `data` is inserted before them. */
const DATA_CLOSING = '}}';
/** Null for a shipment without metadata, as most are. */
const metadata = sql`nullif((select json_group_object(key, value) from (select key, value from ${shipmentMetadata}
  where ${eq(shipmentMetadata.shipmentId, shipments.id)} order by key)), '{}')`;
const insertOfShipment = writeRow(
  queries.insert(events).select(
    sql`select ${facts}, event.column6 || ${shipments.eventCount} || event.column7 || coalesce(',"metadata":' || ${metadata}, '') || ${sql.raw(`'${DATA_CLOSING}'`)}
      from ${event} cross join ${shipments} on ${shipments.id} = event.column4`,
  ),
);
/**
 * The closing braces of the shipment, of `data` and of the envelope. A new member of the shipment is inserted before
 * them.
 */
const CLOSING = '}}}';
const insertOfCreation = writeRow(
  queries.insert(events).select(
    sql`select ${facts}, event.column6 || ${shipments.eventCount} || event.column7 || coalesce(',"timelineMedia":' || ${mediaLists.listed}, '') || ${sql.raw(`'${CLOSING}'`)}
      from ${event} cross join ${shipments} on ${shipments.id} = event.column4
      left join ${mediaLists} on ${mediaLists.companyId} = ${shipments.companyId} and ${mediaLists.externalReference} = ${shipments.externalReference}`,
  ),
);
const insertOfNone = write(
  queries.insert(events).values({
    id: placeholder('id'),
    companyId: placeholder('companyId'),
    type: placeholder('type'),
    sequence: 0,
    occurredAt: placeholder('occurredAt'),
    correlationId: placeholder('correlationId'),
    body: sql`${placeholder('before')} || '0' || ${placeholder('after')}`,
  }),
);
/**
 * Inserts the event with the shipment's next sequence. The event of a creation also contains the list of READY pictures
 * that was prepared for the reference; each later one the metadata of the shipment.
 */
export function eventInsert({ shipmentId, step, ...row }: EventRow) {
  if (shipmentId === null) return insertOfNone({ ...row });
  const { sequence = null, state = null, actor = null, reasonCode = null, note = null } = step ?? {};
  const placed = { ...row, shipmentId, sequence, state, actor, reasonCode, note };
  if (row.type !== 'shipment.created')
    return insertOfShipment({ ...placed, after: row.after.slice(0, -DATA_CLOSING.length) });
  return insertOfCreation({ ...placed, after: row.after.slice(0, -CLOSING.length) });
}

/** A version 7 UUID with the millisecond of the UUID `like`. */
const newUuid = (like: SQLWrapper) =>
  sql`substr(${like}, 1, 15) || substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;

/** A delivery that waits for an earlier one of its shipment begins free, because the queue that sends that one will send it too. */
const beginsWithLease = sql`${webhookEndpoints.state} = 'ENABLED' and not exists (select 1 from webhook_deliveries as f indexed by webhook_deliveries_of_shipment
  where f.shipment_id = ${events.shipmentId} and f.endpoint_id = ${webhookEndpoints.id} and f.status in ('PENDING', 'RETRYING'))`;
const insertDeliveries = writeRow(
  queries
    .insert(webhookDeliveries)
    .select(
      sql`select null, ${newUuid(events.id)}, ${webhookEndpoints.id}, ${webhookEndpoints.companyId}, ${events.id}, ${events.type}, ${events.shipmentId}, ${events.shipmentId},
      case ${webhookEndpoints.state} when 'ENABLED' then 'PENDING' else 'SKIPPED' end, 0, 0,
      case ${webhookEndpoints.state} when 'ENABLED' then ${events.occurredAt} end,
      case when ${beginsWithLease} then ${webhookEndpoints.version} || ' ' || event.column2 end,
      case when ${beginsWithLease} then event.column3 end, ${events.occurredAt},
      case when ${webhookEndpoints.state} <> 'ENABLED' then ${events.occurredAt} end, null, null, null, null
      from (values (${placeholder('eventId')}, ${placeholder('holder')}, ${placeholder('leaseUntil')})) as event cross join ${events} on ${events.id} = event.column1 and ${isKept}
      cross join ${webhookEndpoints} on ${webhookEndpoints.companyId} = ${events.companyId}
      where ${webhookEndpoints.state} <> 'DELETED'
      and exists (select 1 from json_each(${webhookEndpoints.eventTypes}) where value in ('*', ${events.type}))`,
    )
    .returning({ endpointId: sql`case status when 'PENDING' then endpoint_id end` }),
  { wakes: true },
);
/**
 * Inserts one delivery for each endpoint that subscribes to the event's type, and wakes those that are enabled. Deliveries of disabled endpoints are SKIPPED,
 * the others leased to the holder if there is one.
 */
export function deliveriesInsert(order: { eventId: Uuid; holder: LeaseHolder | null; leaseUntil: Instant | null }) {
  return insertDeliveries(order);
}
