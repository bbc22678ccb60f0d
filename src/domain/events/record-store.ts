import { and, eq, type SQLWrapper, sql } from 'drizzle-orm';
import { events } from '../../../db/shard/schema/events.ts';
import { mediaLists } from '../../../db/shard/schema/media-assets.ts';
import { shipmentMetadata } from '../../../db/shard/schema/shipment-metadata.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { webhookDeliveries, webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { placeholder, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL that writes an event and its deliveries, in the unit of the change, and that finds the endpoints to wake after it. */

export interface EventRow {
  readonly id: Uuid;
  readonly companyId: Uuid;
  readonly type: EventType;
  readonly shipmentId: Uuid | null;
  readonly occurredAt: Instant;
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

const event = sql`(values (${placeholder('id')}, ${placeholder('companyId')}, ${placeholder('type')}, ${placeholder('shipmentId')}, ${placeholder('occurredAt')}, ${placeholder('before')}, ${placeholder('after')})) as event`;
/** The closing braces of `data` and of the envelope. A new member of `data` is inserted before them. */
const DATA_CLOSING = '}}';
/** Null for a shipment without metadata, as most are. */
const metadata = sql`nullif((select json_group_object(key, value) from (select key, value from ${shipmentMetadata}
  where ${eq(shipmentMetadata.shipmentId, shipments.id)} order by key)), '{}')`;
const insertOfShipment = writeRow(
  queries.insert(events).select(
    sql`select null, event.column1, event.column2, event.column3, ${shipments.id}, ${shipments.eventCount}, event.column5,
      event.column6 || ${shipments.eventCount} || event.column7 || coalesce(',"metadata":' || ${metadata}, '') || ${sql.raw(`'${DATA_CLOSING}'`)}
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
    sql`select null, event.column1, event.column2, event.column3, ${shipments.id}, ${shipments.eventCount}, event.column5,
      event.column6 || ${shipments.eventCount} || event.column7 || coalesce(',"timelineMedia":' || ${mediaLists.listed}, '') || ${sql.raw(`'${CLOSING}'`)}
      from ${event} cross join ${shipments} on ${shipments.id} = event.column4
      left join ${mediaLists} on ${mediaLists.companyId} = ${shipments.companyId} and ${mediaLists.externalReference} = ${shipments.externalReference}`,
  ),
);
const insertOfNone = write(
  queries.insert(events).values({
    id: placeholder('id'),
    companyId: placeholder('companyId'),
    type: placeholder('type'),
    shipmentId: null,
    sequence: 0,
    occurredAt: placeholder('occurredAt'),
    body: sql`${placeholder('before')} || '0' || ${placeholder('after')}`,
  }),
);
/**
 * Inserts the event with the shipment's next sequence. The event of a creation also contains the list of READY pictures
 * that was prepared for the reference; each later one the metadata of the shipment.
 */
export function envelopeInsert({ shipmentId, ...row }: EventRow) {
  if (shipmentId === null) return insertOfNone(row);
  if (row.type !== 'shipment.created')
    return insertOfShipment({ ...row, shipmentId, after: row.after.slice(0, -DATA_CLOSING.length) });
  return insertOfCreation({ ...row, shipmentId, after: row.after.slice(0, -CLOSING.length) });
}

/** A version 7 UUID with the millisecond of the UUID `like`. */
const newUuid = (like: SQLWrapper) =>
  sql`substr(${like}, 1, 15) || substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;

const insertDeliveries = writeRow(
  queries.insert(webhookDeliveries).select(
    sql`select null, ${newUuid(events.id)}, ${webhookEndpoints.id}, ${webhookEndpoints.companyId}, ${events.id}, ${events.type}, ${events.shipmentId}, ${events.shipmentId},
      case ${webhookEndpoints.state} when 'ENABLED' then 'PENDING' else 'SKIPPED' end, 0, 0,
      case ${webhookEndpoints.state} when 'ENABLED' then ${events.occurredAt} end, null, null, ${events.occurredAt},
      case when ${webhookEndpoints.state} <> 'ENABLED' then ${events.occurredAt} end, null, null, null, null
      from (values (${placeholder('eventId')})) as event cross join ${events} on ${events.id} = event.column1
      cross join ${webhookEndpoints} on ${webhookEndpoints.companyId} = ${events.companyId}
      where ${webhookEndpoints.state} <> 'DELETED'
      and exists (select 1 from json_each(${webhookEndpoints.eventTypes}) where value in ('*', ${events.type}))`,
  ),
);
/**
 * Inserts one delivery for each endpoint that subscribes to the event's type. Deliveries of disabled endpoints are SKIPPED.
 */
export function deliveriesInsert({ id }: Pick<EventRow, 'id'>) {
  return insertDeliveries({ eventId: id });
}

const wantingColumns = {
  id: webhookEndpoints.id,
  companyId: webhookEndpoints.companyId,
  eventTypes: webhookEndpoints.eventTypes,
};
const selectOfCompanies = read(wantingColumns, (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(
      and(
        sql`${webhookEndpoints.companyId} in (select value from json_each(${placeholder('companyIds')}))`,
        eq(webhookEndpoints.state, 'ENABLED'),
      ),
    ),
);
/** Enabled endpoints of these companies. */
export function enabledEndpoints(companyIds: readonly Uuid[]) {
  return selectOfCompanies({ companyIds: JSON.stringify(companyIds) });
}
