import { and, asc, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { companies, companySuspensions } from '../../../db/directory/schema/companies.ts';
import { credentials } from '../../../db/directory/schema/credentials.ts';
import { companyMembers } from '../../../db/directory/schema/people.ts';
import { compilePastRows, type PastRows } from '../../../db/past-rows.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { shipmentBatches, shipmentBatchItems } from '../../../db/shard/schema/batches.ts';
import {
  columnsOf,
  placeholder,
  placeListOf,
  queries,
  read,
  variants,
  write,
  writeRow,
} from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { BatchItemState, BatchRepetition, BatchState } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import { BATCHES_RUNNING_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of batches and their items. */

const isRunning = sql`${shipmentBatches.state} = 'RUNNING'`;
const isPending = sql`${shipmentBatchItems.state} = 'PENDING'`;

export type BatchRow = typeof shipmentBatches.$inferSelect;
export type ItemRow = typeof shipmentBatchItems.$inferSelect;

const runningOf = sql`(select count(*) from ${shipmentBatches} where ${shipmentBatches.companyId} = ${placeholder('companyId')} and ${isRunning})`;
const insertBatch = write(
  queries
    .insert(shipmentBatches)
    .select(sql`select ${placeListOf(shipmentBatches)} where ${runningOf} < ${sql.raw(String(BATCHES_RUNNING_MAX))}`),
  { mustChange: true },
);
const insertItems = write(
  queries.insert(shipmentBatchItems).select(
    sql`select ${placeholder('batchId')}, item.key, ${placeholder('companyId')}, item.value ->> '$.key', 'PENDING', 0, item.value ->> '$.repeats', item.value ->> '$.request', item.value ->> '$.priceLock', item.value ->> '$.nationalAddress', item.value ->> '$.priceLimit', null, null, null
      from json_each(${placeholder('items')}) as item`,
  ),
);
/** An item as it was sent. */
export interface SentItem {
  readonly key: string;
  readonly repeats: BatchRepetition | null;
  /** JSON of the creation request with decimals as text. */
  readonly request: string;
  readonly priceLock?: string | undefined;
  readonly nationalAddress?: string | undefined;
  readonly priceLimit?: string | undefined;
}
/** A running batch with its items. Refuses the unit if the company has as many running batches as it may. */
export function batchInsert(
  scope: CompanyScope,
  row: Omit<BatchRow, 'companyId' | 'clientId' | 'state' | 'completedAt' | 'total'>,
  items: readonly SentItem[],
) {
  const { companyId, clientId } = scope;
  return [
    insertBatch({ ...row, companyId, clientId, state: 'RUNNING', total: items.length, completedAt: null }),
    insertItems({ batchId: row.id, companyId, items: JSON.stringify(items) }),
  ];
}

const batchColumns = columnsOf(shipmentBatches);
const selectBatch = read(batchColumns, (columns) =>
  queries
    .select(columns)
    .from(shipmentBatches)
    .where(and(eq(shipmentBatches.id, placeholder('id')), eq(shipmentBatches.companyId, placeholder('companyId')))),
);
export function batchById(scope: CompanyScope, id: Uuid) {
  return selectBatch({ companyId: scope.companyId, id });
}

const countColumns = { state: shipmentBatchItems.state, count: shipmentBatchItems.checked };
const selectCounts = read(countColumns, (columns) =>
  queries
    .select({ ...columns, count: sql`count(*)`.as('count') })
    .from(shipmentBatchItems)
    .where(
      and(
        eq(shipmentBatchItems.batchId, placeholder('batchId')),
        eq(shipmentBatchItems.companyId, placeholder('companyId')),
      ),
    )
    .groupBy(shipmentBatchItems.state),
);
export type StateCount = ReturnType<ReturnType<typeof selectCounts>['decode']>;
/** How many items of a batch are in each state. */
export function itemCounts(scope: CompanyScope, batchId: Uuid) {
  return selectCounts({ companyId: scope.companyId, batchId });
}

const shownColumns = {
  position: shipmentBatchItems.position,
  key: shipmentBatchItems.key,
  state: shipmentBatchItems.state,
  shipmentId: shipmentBatchItems.shipmentId,
  refusal: shipmentBatchItems.refusal,
  endedAt: shipmentBatchItems.endedAt,
};
const selectItems = variants((hasState: boolean) =>
  read(shownColumns, (columns) =>
    queries
      .select(columns)
      .from(shipmentBatchItems)
      .where(
        and(
          eq(shipmentBatchItems.batchId, placeholder('batchId')),
          eq(shipmentBatchItems.companyId, placeholder('companyId')),
          sql`${shipmentBatchItems.position} > ${placeholder('after')}`,
          hasState ? eq(shipmentBatchItems.state, placeholder('state')) : undefined,
        ),
      )
      .orderBy(asc(shipmentBatchItems.position))
      .limit(placeholder('limit')),
  ),
);
export type ShownItemRow = Pick<ItemRow, keyof typeof shownColumns>;
/** Items of a batch after a position, in their order. */
export function itemPage(
  scope: CompanyScope,
  { batchId, state }: { readonly batchId: Uuid; readonly state: BatchItemState | undefined },
  after: number,
  limit: number,
) {
  const { companyId } = scope;
  return selectItems(state !== undefined)({ companyId, batchId, state: state ?? null, after, limit });
}

const selectNextBatch = read(batchColumns, (columns) =>
  queries
    .select(columns)
    .from(shipmentBatches)
    .where(and(isNotNull(shipmentBatches.dueAt), isAtHome(shipmentBatches.companyId)))
    .orderBy(asc(shipmentBatches.dueAt))
    .limit(1),
);
/** The running batch of the shard that is due first. For the alarm and the sweep. */
export function nextBatch() {
  return selectNextBatch({});
}

const workColumns = {
  position: shipmentBatchItems.position,
  key: shipmentBatchItems.key,
  checked: shipmentBatchItems.checked,
  repeats: shipmentBatchItems.repeats,
  request: shipmentBatchItems.request,
  priceLock: shipmentBatchItems.priceLock,
  nationalAddress: shipmentBatchItems.nationalAddress,
  priceLimit: shipmentBatchItems.priceLimit,
};
const selectPending = read(workColumns, (columns) =>
  queries
    .select(columns)
    .from(shipmentBatchItems)
    .where(
      and(
        eq(shipmentBatchItems.batchId, placeholder('batchId')),
        eq(shipmentBatchItems.companyId, placeholder('companyId')),
        isPending,
      ),
    )
    .orderBy(asc(shipmentBatchItems.checked), asc(shipmentBatchItems.position))
    .limit(placeholder('limit')),
);
export type PendingItem = ReturnType<ReturnType<typeof selectPending>['decode']>;
/** The next items, those first that are not checked yet. */
export function pendingItems(scope: CompanyScope, batchId: Uuid, limit: number) {
  return selectPending({ companyId: scope.companyId, batchId, limit });
}

const markCreated = writeRow(
  queries
    .update(shipmentBatchItems)
    .set({
      state: sql`'CREATED'`,
      shipmentId: sql`made.column3`,
      request: sql`null`,
      priceLock: sql`null`,
      nationalAddress: sql`null`,
      endedAt: sql`made.column4`,
    })
    .from(
      sql`(values (${placeholder('batchId')}, ${placeholder('position')}, ${placeholder('shipmentId')}, ${placeholder('now')}, ${placeholder('companyId')})) as made`,
    )
    .where(
      sql`${shipmentBatchItems.batchId} = made.column1 and ${shipmentBatchItems.position} = made.column2 and ${shipmentBatchItems.companyId} = made.column5 and ${isPending}`,
    ),
  { mustChange: true },
);
/** Marks an item in the unit that creates its shipment. Refuses the unit if the item has ended already. */
export function itemCreated(
  scope: CompanyScope,
  item: { readonly batchId: Uuid; readonly position: number; readonly shipmentId: Uuid; readonly now: Instant },
) {
  return markCreated({ companyId: scope.companyId, ...item });
}

/** The outcome of an item that was not created. */
export interface ItemEnd {
  readonly position: number;
  /** PENDING: it has only been checked. */
  readonly state: Exclude<BatchItemState, 'CREATED'>;
  readonly shipmentId: string | null;
  readonly refusal: string | null;
}

const endItems = write(
  queries
    .update(shipmentBatchItems)
    .set({
      state: sql`ended.value ->> '$.state'`,
      checked: sql`1`,
      shipmentId: sql`ended.value ->> '$.shipmentId'`,
      refusal: sql`ended.value ->> '$.refusal'`,
      request: sql`case ended.value ->> '$.state' when 'PENDING' then ${shipmentBatchItems.request} end`,
      priceLock: sql`case ended.value ->> '$.state' when 'PENDING' then ${shipmentBatchItems.priceLock} end`,
      nationalAddress: sql`case ended.value ->> '$.state' when 'PENDING' then ${shipmentBatchItems.nationalAddress} end`,
      endedAt: sql`case ended.value ->> '$.state' when 'PENDING' then null else ${placeholder('now')} end`,
    })
    .from(sql`json_each(${placeholder('ends')}) as ended`)
    .where(
      sql`${shipmentBatchItems.batchId} = ${placeholder('batchId')} and ${shipmentBatchItems.companyId} = ${placeholder('companyId')} and ${shipmentBatchItems.position} = ended.value ->> '$.position' and ${isPending}`,
    ),
);
const postponeBatch = write(
  queries
    .update(shipmentBatches)
    .set({ dueAt: sql`${placeholder('dueAt')}` })
    .where(
      and(
        eq(shipmentBatches.id, placeholder('batchId')),
        eq(shipmentBatches.companyId, placeholder('companyId')),
        isRunning,
      ),
    ),
);
/** Records the outcomes of items, and when the batch continues. Items that have ended already do not change. */
export function itemsEnded(
  scope: CompanyScope,
  batchId: Uuid,
  { ends, now, dueAt }: { readonly ends: readonly ItemEnd[]; readonly now: Instant; readonly dueAt: Instant },
) {
  const { companyId } = scope;
  const postponed = postponeBatch({ companyId, batchId, dueAt });
  return ends.length === 0
    ? [postponed]
    : [endItems({ companyId, batchId, ends: JSON.stringify(ends), now }), postponed];
}

const pendingCount = sql`(select count(*) from ${shipmentBatchItems} where ${shipmentBatchItems.batchId} = ${placeholder('batchId')} and ${isPending})`;
const endBatch = write(
  queries
    .update(shipmentBatches)
    .set({ state: sql`${placeholder('state')}`, completedAt: sql`${placeholder('now')}`, dueAt: null })
    .where(
      and(
        eq(shipmentBatches.id, placeholder('batchId')),
        eq(shipmentBatches.companyId, placeholder('companyId')),
        isRunning,
        sql`${pendingCount} = ${placeholder('pending')}`,
      ),
    ),
  { mustChange: true },
);
const endPending = write(
  queries
    .update(shipmentBatchItems)
    .set({
      state: sql`${placeholder('itemState')}`,
      request: null,
      priceLock: null,
      nationalAddress: null,
      refusal: sql`${placeholder('refusal')}`,
      endedAt: sql`${placeholder('now')}`,
    })
    .where(
      and(
        eq(shipmentBatchItems.batchId, placeholder('batchId')),
        eq(shipmentBatchItems.companyId, placeholder('companyId')),
        isPending,
      ),
    ),
);
/** Ends a batch and its pending items. Refuses the unit if it is not running or has another number of them. */
export function batchEnded(
  scope: CompanyScope,
  end: {
    readonly batchId: Uuid;
    readonly state: BatchState;
    readonly pending: number;
    /** What becomes of its pending items. */
    readonly itemState: 'SKIPPED' | 'REFUSED';
    /** JSON of why; null if they are skipped because an item was refused. */
    readonly refusal: string | null;
    readonly now: Instant;
  },
) {
  const { companyId } = scope;
  const { refusal, itemState, ...ended } = end;
  const { batchId, now } = ended;
  return [endBatch({ companyId, ...ended }), endPending({ companyId, batchId, itemState, refusal, now })];
}

const senderColumns = { suspendedSince: companySuspensions.since, scopes: credentials.scopes };
const selectSender = read(senderColumns, (columns) =>
  queries
    .select(columns)
    .from(companies)
    .leftJoin(
      companySuspensions,
      and(eq(companySuspensions.companyId, companies.id), isNull(companySuspensions.endedAt)),
    )
    .leftJoin(
      credentials,
      and(
        eq(credentials.clientId, placeholder('clientId')),
        eq(credentials.companyId, companies.id),
        isNull(credentials.deletedAt),
      ),
    )
    .leftJoin(
      companyMembers,
      and(eq(companyMembers.companyId, companies.id), eq(companyMembers.personId, placeholder('personId'))),
    )
    .where(
      and(
        eq(companies.id, placeholder('companyId')),
        or(isNotNull(credentials.clientId), isNotNull(companyMembers.personId)),
      ),
    ),
);
/**
 * In the directory: since when the company is suspended, if it is, and the scopes of a program. No row if the client that sent a batch was deleted, or
 * the person no longer belongs to the company.
 */
export function senderOf(scope: CompanyScope) {
  const { companyId, clientId, actor } = scope;
  return selectSender({ companyId, clientId, personId: actor?.personId ?? null });
}

const isPast = lt(shipmentBatches.createdAt, placeholder('before'));
const pastBatches = compilePastRows<{ before: Instant }>(
  shipmentBatches,
  and(
    isPast,
    isAtHome(shipmentBatches.companyId),
    sql`not exists (select 1 from ${shipmentBatchItems} where ${shipmentBatchItems.batchId} = ${shipmentBatches.id})`,
  ),
);
const pastItems = compilePastRows<{ before: Instant }>(
  shipmentBatchItems,
  sql`${shipmentBatchItems.batchId} in (select ${shipmentBatches.id} from ${shipmentBatches} where ${isPast} and ${isAtHome(shipmentBatches.companyId)})`,
);
/** Items of batches that were started before that instant, and those batches without items. For the sweep only. */
export function oldBatches(before: Instant): readonly PastRows[] {
  return [pastItems({ before }), pastBatches({ before })];
}
