import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries } from '../../../db/shard/schema/webhooks.ts';
import { columnsOf, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, type EventType } from '../../contract/event-type.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of the log of deliveries. */

const place = sql.placeholder;
const columns = columnsOf(webhookDeliveries);

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type AttemptRow = typeof webhookAttempts.$inferSelect;

export interface DeliveryFilter {
  readonly endpointId?: Uuid | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: EventType | undefined;
  readonly shipmentId?: Uuid | undefined;
}

const ofCompany = eq(webhookDeliveries.companyId, place('companyId'));
const CONDITIONS = {
  endpointId: eq(webhookDeliveries.endpointId, place('endpointId')),
  status: eq(webhookDeliveries.status, place('status')),
  eventType: eq(webhookDeliveries.eventType, place('eventType')),
  shipmentId: eq(webhookDeliveries.shipmentId, place('shipmentId')),
} as const;
type FilterName = keyof typeof CONDITIONS;
const isAfter = sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.position}) < (${place('createdAt')}, ${place('key')})`;

const STATUSES = sql.raw(`(values ${DELIVERY_STATUSES.map((status) => `('${status}')`).join(', ')})`);
/** Without a filter, the newest of each status are merged, so that no index of all deliveries is needed. */
const selectNewest = variants((hasPosition: boolean) => {
  const before = hasPosition ? sql`and (d.created_at, d.position) < (${place('createdAt')}, ${place('key')})` : sql``;
  const ofStatus = sql`(select d.position from webhook_deliveries as d where d.company_id = ${place('companyId')} and d.status = one.column1 ${before}
    order by d.created_at desc, d.position desc limit ${place('limit')})`;
  const newest = sql`(select f.position from ${STATUSES} as one cross join webhook_deliveries as f on f.position in ${ofStatus})`;
  return read(columns, (selected) =>
    queries
      .select(selected)
      .from(webhookDeliveries)
      .where(sql`${webhookDeliveries.position} in ${newest}`)
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.position))
      .limit(place('limit')),
  );
});

const selectPage = variants((names: readonly FilterName[], hasPosition: boolean) => {
  const wanted = names.map((name) => CONDITIONS[name]);
  return read(columns, (selected) =>
    queries
      .select(selected)
      .from(webhookDeliveries)
      .where(and(ofCompany, ...wanted, hasPosition ? isAfter : undefined))
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.position))
      .limit(place('limit')),
  );
});

/** Deliveries of the company, newest first. The key of a position is the delivery's position in the table. */
export function deliveryPage(scope: CompanyScope, filter: DeliveryFilter, after: Position | undefined, limit: number) {
  const names = (Object.keys(CONDITIONS) as FilterName[]).filter((name) => filter[name] !== undefined);
  const select = names.length === 0 ? selectNewest(after !== undefined) : selectPage(names, after !== undefined);
  return select({
    companyId: scope.companyId,
    endpointId: filter.endpointId ?? null,
    status: filter.status ?? null,
    eventType: filter.eventType ?? null,
    shipmentId: filter.shipmentId ?? null,
    createdAt: after?.createdAt ?? null,
    key: after === undefined ? null : BigInt(after.key),
    limit,
  });
}

const selectDelivery = read(columns, (selected) =>
  queries
    .select(selected)
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, place('id')), ofCompany)),
);
export function deliveryById(scope: CompanyScope, id: Uuid) {
  return selectDelivery({ companyId: scope.companyId, id });
}

const selectAttempts = read(columnsOf(webhookAttempts), (selected) =>
  queries
    .select(selected)
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.deliveryId, place('id')),
        sql`exists (select 1 from ${webhookDeliveries} where ${webhookDeliveries.id} = ${place('id')} and ${ofCompany})`,
      ),
    )
    .orderBy(asc(webhookAttempts.number)),
);
/** Attempts of one delivery of the company, oldest first. */
export function attemptsOf(scope: CompanyScope, id: Uuid) {
  return selectAttempts({ companyId: scope.companyId, id });
}
