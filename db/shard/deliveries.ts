import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/* Conditions on deliveries `d` that several statements share. */

/** Must be the same text as in the partial indexes, otherwise SQLite does not use them. */
export const isOpen = sql.raw(`d.status in ('PENDING', 'RETRYING')`);
/** After this many failed attempts, a delivery no longer blocks the next one of its line. */
const PATIENCE = 3;
/** Only deliveries of one shipment have the same line, and the index by shipment is also used for lists. */
export const isFirstOfLine = sql.raw(
  `not exists (select 1 from webhook_deliveries as f indexed by webhook_deliveries_of_shipment where f.shipment_id = d.shipment_id and f.endpoint_id = d.endpoint_id and f.line = d.line and f.position < d.position and f.status in ('PENDING', 'RETRYING') and f.attempt_count < ${PATIENCE})`,
);
/** Whether a receiver's pause is over at an instant. */
export const isUnpaused = (pausedUntil: SQLWrapper, at: SQLWrapper): SQL => sql`(coalesce(${pausedUntil}, 0) <= ${at})`;

/** Which deliveries of a company are merged: of one endpoint, of one type, or of all. */
export interface DeliveryGroup {
  readonly hasEndpoint: boolean;
  readonly hasType: boolean;
}

/**
 * A delivery `one` of each endpoint and type of the company, or of each endpoint if the type is given, found by skipping from one to
 * the next in the index of the log. The index has no order beyond these, so lists take the first ones of each and merge them.
 */
export function eachGroup({ hasEndpoint, hasType }: DeliveryGroup): SQL {
  const ofEndpoint = hasEndpoint ? sql`and o.endpoint_id = ${sql.placeholder('endpointId')}` : sql``;
  const of = sql`o.company_id = ${sql.placeholder('companyId')} ${ofEndpoint}`;
  const first = sql.raw('order by o.company_id, o.endpoint_id, o.event_type limit 1');
  // Without affinity: SQLite compares a whole row with an index only then.
  const isNext = sql.raw(
    hasType ? 'o.endpoint_id > one.endpoint_id' : '(o.endpoint_id, o.event_type) > (+one.endpoint_id, +one.event_type)',
  );
  return sql`(with recursive firsts(position) as (
      select (select o.position from webhook_deliveries as o where ${of} ${first})
      union all
      select (select o.position from webhook_deliveries as o where ${of} and ${isNext} ${first}) from firsts
        cross join webhook_deliveries as one on one.position = firsts.position)
    select firsts.position from firsts where firsts.position is not null) as groups cross join webhook_deliveries as one on one.position = groups.position`;
}
/** Deliveries `d` of the group of `one`. */
export function isOfGroup({ hasType }: Pick<DeliveryGroup, 'hasType'>): SQL {
  const type = hasType ? sql.placeholder('eventType') : sql.raw('one.event_type');
  return sql`d.company_id = one.company_id and d.endpoint_id = one.endpoint_id and d.event_type = ${type}`;
}

/**
 * The position of a delivery of the company by its id, or null. Most deliveries are the first of an event of a shipment and have the
 * time of its id, so they need no index of their own: the events of that millisecond lead to them.
 */
export function positionOfDelivery(id: SQL): SQL {
  const time = sql`substr(${id}, 1, 15)`;
  const isWanted = sql`d.id = ${id} and d.company_id = ${sql.placeholder('companyId')}`;
  return sql`(select d.position from webhook_deliveries as d where ${isWanted} and (d.shipment_id is null or d.replay_of is not null)
    union all
    select d.position from events as e cross join webhook_deliveries as d indexed by webhook_deliveries_of_shipment on d.shipment_id = e.shipment_id
    where e.id > ${time} and e.id < ${time} || 'g' and e.body is not null and e.company_id = ${sql.placeholder('companyId')} and ${isWanted})`;
}
