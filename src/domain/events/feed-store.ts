import { and, eq, sql } from 'drizzle-orm';
import { events } from '../../../db/shard/schema/events.ts';
import { placeholder, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { firstPosition, firstPositions, isKept, lastPosition } from './positions.ts';

/* The SQL of the feed of events. */

export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly shipmentId?: Uuid | undefined;
}

const pageColumns = { position: events.position, body: events.body };
const ofCompany = eq(events.companyId, placeholder('companyId'));
const afterEvent = sql`(select position from ${events} as earlier where earlier.id = ${placeholder('after')} and ${isKept} and earlier.company_id = ${placeholder('companyId')})`;

const isEarlier = sql`found < high and (select occurred_at from ${events} where position = found) < ${placeholder('from')}`;
const middle = sql`(low + high) / 2`;
/**
 * The position before the first event of the company at or after an instant. A company's events follow its clock, so a binary
 * search of the index of the feed finds it and no index of times is needed. It takes two rows for a step: one finds the first event
 * from the middle on, the next compares its time.
 */
const beforeInstant = sql`(with recursive search (low, high, found) as (
    select 0, coalesce(${lastPosition}, 0) + 1, null
    union all
    select
      case when ${isEarlier} then found + 1 else low end,
      case when found is null or ${isEarlier} then high else ${middle} end,
      case when found is null then coalesce(${firstPosition(sql`position >= ${middle}`)}, high) end
    from search where low < high
  ) select low - 1 from search where low = high)`;

const BEGINNINGS = { position: placeholder('position'), event: afterEvent, instant: beforeInstant };
type Begin = keyof typeof BEGINNINGS;

const selectLast = read({ position: events.position }, (columns) =>
  queries.select(columns).from(events).where(sql`${events.position} = ${lastPosition}`),
);
/** The position of the company's last event. */
export function lastEvent(scope: CompanyScope) {
  return selectLast({ companyId: scope.companyId });
}

/**
 * The largest total size of the envelopes on a page. A hundred of the largest envelopes have 6.5 MB, and other requests
 * wait while they are read and parsed.
 */
const PAGE_BYTES_MAX = 1_048_576;

const selectPage = variants((hasType: boolean, hasShipment: boolean, begin: Begin) => {
  const isAfter = sql`position > ${BEGINNINGS[begin]}`;
  const positions = hasShipment
    ? sql`(select position from events where shipment_id = ${placeholder('shipmentId')} and +company_id = ${placeholder('companyId')}
        and ${isKept} and ${isAfter} ${hasType ? sql`and +type = ${placeholder('type')}` : sql``} order by position limit ${placeholder('limit')})`
    : firstPositions(
        isAfter,
        sql`${placeholder('limit')}`,
        hasType ? sql`(select ${placeholder('type')} as type)` : undefined,
      );
  // `octet_length` reads only the head of a row, so an envelope that does not fit is not read.
  const sizes = sql`(select kept.position, octet_length(kept.body) as size from ${positions} as wanted cross join events as kept on kept.position = wanted.position)`;
  const page = sql`(select position, size, sum(size) over (order by position) as total from ${sizes}) as page`;
  const fits = sql`page.total <= ${sql.raw(String(PAGE_BYTES_MAX))} or page.total = page.size`;
  return read(pageColumns, () =>
    queries
      .select({ position: sql`page.position`, body: sql`case when ${fits} then ${events.body} else '' end` })
      .from(page)
      .crossJoin(sql`${events} on ${events.position} = page.position`)
      .orderBy(sql`page.position`),
  );
});

/** The start of a page: after a position, after an event of the company, or at an instant. */
export type Beginning = { readonly position: bigint } | { readonly after: Uuid } | { readonly from: Instant };

/**
 * Events of the company, oldest first. The body is empty if it does not fit on the page; the first body always fits.
 */
export function eventPage(scope: CompanyScope, filter: EventFilter, beginning: Beginning, limit: number) {
  const { type, shipmentId } = filter;
  const begin = 'after' in beginning ? 'event' : 'from' in beginning ? 'instant' : 'position';
  const select = selectPage(type !== undefined, shipmentId !== undefined, begin);
  return select({
    companyId: scope.companyId,
    type: type ?? null,
    shipmentId: shipmentId ?? null,
    after: 'after' in beginning ? beginning.after : null,
    position: 'position' in beginning ? beginning.position : null,
    from: 'from' in beginning ? beginning.from : null,
    limit,
  });
}

const selectEvent = read({ id: events.id }, (columns) =>
  queries
    .select(columns)
    .from(events)
    .where(and(eq(events.id, placeholder('id')), isKept, ofCompany)),
);
/** Whether the company still has this event. */
export function eventById(scope: CompanyScope, id: Uuid) {
  return selectEvent({ companyId: scope.companyId, id });
}
