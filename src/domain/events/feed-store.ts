import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { compilePastRows, oldestOfEach, type PastRows } from '../../../db/past-rows.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { events } from '../../../db/shard/schema/events.ts';
import { placeholder, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of the feed of events. */

export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly shipmentId?: Uuid | undefined;
}

const pageColumns = { position: events.position, body: events.body };
const ofCompany = eq(events.companyId, placeholder('companyId'));
const afterEvent = sql`(select position from ${events} as earlier where earlier.id = ${placeholder('after')} and earlier.company_id = ${placeholder('companyId')})`;

const isEarlier = sql`found < high and (select occurred_at from ${events} where position = found) < ${placeholder('from')}`;
const middle = sql`(low + high) / 2`;
/**
 * The position before the first event of the company at or after an instant. A company's events follow its clock, so a binary
 * search of the index of the feed finds it and no index of times is needed. It takes two rows for a step: one finds the first event
 * from the middle on, the next compares its time.
 */
const beforeInstant = sql`(with recursive search (low, high, found) as (
    select 0, coalesce(max(position), 0) + 1, null from ${events} where ${ofCompany}
    union all
    select
      case when ${isEarlier} then found + 1 else low end,
      case when found is null or ${isEarlier} then high else ${middle} end,
      case when found is null then coalesce(
        (select position from ${events} where ${ofCompany} and position >= ${middle} order by position limit 1), high
      ) end
    from search where low < high
  ) select low - 1 from search where low = high)`;

const BEGINNINGS = { position: placeholder('position'), event: afterEvent, instant: beforeInstant };
type Begin = keyof typeof BEGINNINGS;

const selectLast = read({ position: events.position }, (columns) =>
  queries.select(columns).from(events).where(ofCompany).orderBy(desc(events.position)).limit(1),
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
  const isWanted = and(
    ofCompany,
    hasType ? eq(events.type, placeholder('type')) : undefined,
    hasShipment ? eq(events.shipmentId, placeholder('shipmentId')) : undefined,
    gt(events.position, BEGINNINGS[begin]),
  );
  // `octet_length` reads only the head of a row, so an envelope that does not fit is not read.
  const sizes = queries
    .select({ position: events.position, size: sql`octet_length(${events.body})`.as('size') })
    .from(events)
    .where(isWanted)
    .orderBy(asc(events.position))
    .limit(placeholder('limit'));
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
    .where(and(eq(events.id, placeholder('id')), ofCompany)),
);
/** Whether the company still has this event. */
export function eventById(scope: CompanyScope, id: Uuid) {
  return selectEvent({ companyId: scope.companyId, id });
}

/** The positions of a company follow its time, so no index of times is needed. */
const mayDelete = isAtHome(sql`r.company_id`);
const oldest = oldestOfEach({ table: 'events', owner: 'company_id', order: 'position', at: 'occurred_at', mayDelete });
const old = compilePastRows<{ before: Instant }>(events, sql`${events.position} in ${oldest}`);
/** Events before that instant, of all companies that are not moving. For the sweep only. */
export function oldEvents(before: Instant): PastRows {
  return old({ before });
}
