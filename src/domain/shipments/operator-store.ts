import { and, asc, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { drivers } from '../../../db/shard/schema/dispatch.ts';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { IS_UNANSWERED } from '../../../db/shard/schema/national-addresses.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { OperatorQueue } from '../../contract/operator-shipment.ts';
import { isTerminal, SHIPMENT_STATES } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { isGateClosed } from '../addresses/gate-store.ts';
import type { Position } from '../page.ts';

/* The SQL of lists for operators: shipments of all companies of a shard, oldest first, without data of recipients. */

/** Each computed value uses the type of a column. */
const columns = {
  shipmentId: shipments.id,
  companyId: shipments.companyId,
  shipmentNumber: shipments.shipmentNumber,
  externalReference: shipments.externalReference,
  state: shipments.state,
  version: shipments.version,
  createdAt: shipments.createdAt,
  since: shipments.createdAt,
  pickupWindowStart: shipments.pickupWindowStart,
  pickupWindowEnd: shipments.pickupWindowEnd,
  pickupCity: shipments.shipmentNumber,
  destinationCity: shipments.shipmentNumber,
  reasonCode: shipmentEvents.reasonCode,
  driverId: shipments.driverId,
  firstName: drivers.firstName,
  onDuty: drivers.onDuty,
  driverStatus: drivers.status,
};
const computed = {
  pickupCity: sql`json_extract(${shipments.pickup}, '$.cityCode')`.as('pickup_city'),
  destinationCity: sql`json_extract(${shipments.destination}, '$.cityCode')`.as('destination_city'),
  reasonCode:
    sql`(select reason_code from shipment_events where shipment_id = ${shipments.id} and type <> 'shipment.amended' order by sequence desc limit 1)`.as(
      'last_reason',
    ),
};

type Since = typeof shipments.createdAt | typeof shipments.pickupWindowEnd | SQL;
function compileEntries(where: SQL | undefined, since: Since = shipments.createdAt, others: object = {}) {
  return read(columns, (selected) =>
    queries
      .select({ ...selected, ...computed, ...others, since: sql`${since}`.as('since') })
      .from(shipments)
      .leftJoin(drivers, eq(drivers.id, shipments.driverId))
      .where(where)
      .orderBy(asc(since), asc(shipments.id))
      .limit(placeholder('limit')),
  );
}
function isBehind(since: Since) {
  return sql`(${placeholder('at')} is null or (${since}, ${shipments.id}) > (${placeholder('at')}, ${placeholder('key')}))`;
}

/** The drivers come first: some thousands, with few shipments each. */
const acceptedOf = (whose: SQL) =>
  sql`${shipments.id} in (select o.shipment_id from drivers d cross join offers o where ${whose} and o.driver_id = d.id and o.ended_at is null and o.state = 'ACCEPTED')`;
/** How long the end of a shipment that was carried without a verified address is shown. */
const WEEK_MICROS = 7 * 24 * 3600 * 1_000_000;
const carried = sql.raw(`('PICKED_UP', 'OUT_FOR_DELIVERY', 'DELIVERED', 'DELIVERY_FAILED')`);
const ended = sql.raw(
  `(${SHIPMENT_STATES.filter(isTerminal)
    .map((state) => `'${state}'`)
    .join(', ')})`,
);
const ofReports = (what: SQL) => sql`(select ${what} from late_reports where shipment_id = ${shipments.id})`;
const MEMBERS: Readonly<Record<OperatorQueue, readonly [members: SQL | undefined, since: Since]>> = {
  // Reports are rare: few shipments are taken over, and their drivers know of it.
  lateReports: [
    sql`${shipments.id} in (select shipment_id from late_reports) and ${shipments.state} not in ${ended}`,
    ofReports(sql`min(reported_at)`),
  ],
  // The service approves the others by itself, and has set when.
  pendingApproval: [and(sql`${shipments.state} = 'PENDING_APPROVAL'`, isNull(shipments.dueAt)), shipments.createdAt],
  addressBlocked: [and(isGateClosed, isNull(shipments.endedAt)), shipments.createdAt],
  carriedUnverified: [
    and(
      sql`${shipments.id} in (select shipment_id from national_addresses where ${IS_UNANSWERED})`,
      sql`${shipments.addressGate} = 'OPEN' and ${shipments.state} in ${carried}`,
      sql`(${shipments.endedAt} is null or ${shipments.endedAt} > ${placeholder('late')} - ${sql.raw(String(WEEK_MICROS))})`,
    ),
    shipments.createdAt,
  ],
  unresolved: [sql`${shipments.state} = 'DISPATCH_UNRESOLVED'`, shipments.createdAt],
  // Of drivers who work: the queue of stranded goods has the others, late or not.
  acceptedTooLong: [
    and(
      acceptedOf(sql`(d.on_duty = 1 and d.status = 'ACTIVE' and d.active_count > 0)`),
      sql`${shipments.state} = 'ACCEPTED' and ${shipments.pickupWindowEnd} <= ${placeholder('late')}`,
    ),
    shipments.pickupWindowEnd,
  ],
  undecidedGoods: [
    sql`${shipments.id} in (select shipment_id from resolutions where state = 'OPEN')`,
    sql`(select failed_at from resolutions where shipment_id = ${shipments.id})`,
  ],
  strandedGoods: [acceptedOf(sql`(d.on_duty = 0 or d.status <> 'ACTIVE')`), shipments.createdAt],
};
const selectQueue = variants((queue: OperatorQueue) => {
  const [members, since] = MEMBERS[queue];
  // With `min`, SQLite takes the other columns from the row of the minimum.
  const first = sql`(select action from (select action, min(reported_at) from late_reports where shipment_id = ${shipments.id}))`;
  const others = queue === 'lateReports' ? { reasonCode: first.as('first_action') } : {};
  return compileEntries(and(members, isAtHome(shipments.companyId), isBehind(since)), since, others);
});
export type OperatorRow = ReturnType<ReturnType<ReturnType<typeof selectQueue>>['decode']>;

/** One page of a queue in one shard. `late`: pickup windows that ended by then are late. */
export function queuePage(queue: OperatorQueue, late: Instant, after: Position | undefined, limit: number) {
  return selectQueue(queue)({ late, at: after?.createdAt ?? null, key: after?.key ?? null, limit });
}

/** Counting stops here, because a larger number would not change what an operator does. */
const COUNTED_MAX = 10_000;
const sizeColumns = { shipments: shipments.version, since: shipments.createdAt };
const selectSize = variants((queue: OperatorQueue) => {
  const [members, since] = MEMBERS[queue];
  return read(sizeColumns, () =>
    queries.select({ shipments: sql`count(*)`.as('shipments'), since: sql`min(since)`.as('since') }).from(
      queries
        .select({ since: sql`${since}`.as('since') })
        .from(shipments)
        .where(and(members, isAtHome(shipments.companyId)))
        .orderBy(asc(since), asc(shipments.id))
        .limit(COUNTED_MAX)
        .as('members'),
    ),
  );
});
/** How many shipments wait in a queue of one shard, up to ten thousand, and since when the first of them waits. */
export function queueSize(queue: OperatorQueue, late: Instant) {
  return selectSize(queue)({ late });
}

/** What operators search by: exactly one of the three. The text of a reference is a JSON array of its spellings. */
export type OperatorSearch =
  | { readonly by: 'shipmentNumber' | 'externalReference'; readonly text: string }
  | { readonly by: 'phoneTail'; readonly text: string; readonly from: Instant; readonly to: Instant };

/**
 * All companies that have shipments in the shard, by one seek for each: every index on shipments begins with the company.
 */
const anyCompany = sql`${shipments.companyId} in (with recursive found(id) as (select min(company_id) from shipments
  union all select (select min(s.company_id) from shipments s where s.company_id > found.id) from found where found.id is not null)
  select id from found where id is not null)`;
const MATCHES: Readonly<Record<OperatorSearch['by'], SQL | undefined>> = {
  shipmentNumber: eq(shipments.shipmentNumber, placeholder('text')),
  externalReference: sql`${shipments.externalReference} in (select value from json_each(${placeholder('text')}))`,
  phoneTail: and(
    gte(shipments.createdAt, placeholder('from')),
    lt(shipments.createdAt, placeholder('to')),
    sql`substr(${shipments.recipientPhone}, -4) = ${placeholder('text')}`,
  ),
};
const selectFound = variants((by: OperatorSearch['by'], hasCompany: boolean) => {
  const whose = hasCompany ? eq(shipments.companyId, placeholder('companyId')) : anyCompany;
  return compileEntries(and(whose, MATCHES[by], isAtHome(shipments.companyId), isBehind(shipments.createdAt)));
});
/** Shipments that the search finds in one shard. */
export function foundPage(
  search: OperatorSearch & { readonly companyId: Uuid | undefined },
  after: Position | undefined,
  limit: number,
) {
  const { by, companyId, text } = search;
  const { from = null, to = null } = search.by === 'phoneTail' ? search : {};
  const position = { at: after?.createdAt ?? null, key: after?.key ?? null };
  return selectFound(by, companyId !== undefined)({ companyId: companyId ?? null, text, from, to, ...position, limit });
}

const selectEntry = compileEntries(
  and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId'))),
);
/** One shipment of the company, as lists for operators show it. */
export function operatorEntry(scope: CompanyScope, shipmentId: Uuid) {
  return selectEntry({ shipmentId, companyId: scope.companyId, limit: 1 });
}
