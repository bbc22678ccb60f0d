import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import { externalReference as externalReferenceSchema } from '../../contract/shipment.ts';
import type { BatchCounts, ShipmentBatch, ShipmentBatchItem, StartedBatch } from '../../contract/shipment-batch.ts';
import type { BatchItemState, BatchMode, BatchRepetition, OnInvalid } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import { formatInstant } from '../../core/instant.ts';
import { canonicalJson, parseStored } from '../../core/json.ts';
import type { Locale } from '../../core/locale.ts';
import { problemBody } from '../../core/problem-body.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { type Page, type PageRequest, readPage } from '../page.ts';
import {
  type BatchRow,
  batchById,
  batchInsert,
  itemCounts,
  itemPage,
  type SentItem,
  type ShownItemRow,
  type StateCount,
} from './store.ts';

/** Where a creation is sent. The problem of an item names the same path as the problem of a creation. */
const CREATION_PATH = '/v2/external/shipments';

export interface StartBatchDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
}

/** A batch as it was sent. Each shipment is judged when its turn comes. */
export interface BatchOrder {
  readonly mode: BatchMode;
  readonly onInvalid: OnInvalid;
  readonly items: readonly {
    readonly key: string;
    readonly priceLock?: string | undefined;
    readonly nationalAddress?: string | undefined;
    readonly priceLimit?: Decimal | undefined;
    readonly shipment: object;
  }[];
  readonly correlationId: Uuid;
  readonly requestId: Uuid;
}

/** Stores a batch, which the alarm of the shard's writer then runs. 409 if the company has two running ones. */
export async function startBatch(
  dependencies: StartBatchDependencies,
  scope: CompanyScope,
  { items, ...order }: BatchOrder,
  bind: Bind<StartedBatch> = unbound,
): Promise<Result<StartedBatch>> {
  const { clock, random } = dependencies;
  const now = clock.now();
  const id = random.uuid();
  const actor = scope.actor === undefined ? null : JSON.stringify(scope.actor);
  const statements = batchInsert(
    scope,
    { id, actor, createdAt: now, dueAt: clock.wall.now(), ...order },
    sentItems(items),
  );
  const counts = { ...NONE, total: items.length, pending: items.length };
  const started: StartedBatch = { batchId: id, state: 'RUNNING', counts };
  const settled = await commitChange(dependencies, {
    unit: await bind({ statements, dueAt: now }, started),
    audit: auditOf(dependencies, scope, {
      action: 'shipment_batch.created',
      subject: id,
      at: now,
      detail: { mode: order.mode, items: items.length },
    }),
    committed: batchById(scope, id),
  });
  if (!settled.ok) return settled;
  return settled.value ? ok(started) : refuse('BATCH_TOO_MANY_RUNNING');
}

const referenceSchema = externalReferenceSchema();

/** The items with what each repeats of an earlier one, in the order in which a creation checks it. */
function sentItems(items: BatchOrder['items']): SentItem[] {
  const shipments = new Map<string, object>();
  const [locks, references] = [new Set<string>(), new Set<string>()];
  return items.map(({ key, shipment, ...terms }) => {
    const { priceLock } = terms;
    const { data: reference } = referenceSchema.safeParse(Reflect.get(shipment, 'externalReference'));
    const before = shipments.get(key);
    const repeats = (): BatchRepetition | null => {
      if (before !== undefined) return canonicalJson(before) === canonicalJson(shipment) ? 'KEY' : 'KEY_REUSED';
      if (priceLock !== undefined && locks.has(priceLock)) return 'PRICE_LOCK';
      return reference !== undefined && references.has(reference) ? 'REFERENCE' : null;
    };
    const item = { key, repeats: repeats(), request: JSON.stringify(shipment), ...terms };
    if (before === undefined) shipments.set(key, shipment);
    if (priceLock !== undefined) locks.add(priceLock);
    if (reference !== undefined) references.add(reference);
    return item;
  });
}

/** A batch with its progress. */
export async function readBatch(
  database: Database,
  scope: CompanyScope,
  batchId: Uuid,
): Promise<Result<ShipmentBatch>> {
  const answer = await database.readAll([batchById(scope, batchId), itemCounts(scope, batchId)] as const);
  if (!answer.ok) return unavailable();
  const [[row], states] = answer.results;
  return row === undefined ? refuse('RESOURCE_NOT_FOUND') : ok(presentBatch(row, countsOf(row, states)));
}

export interface ListItemsDependencies {
  readonly database: Database;
  readonly cursors: Sealer;
  readonly config: { readonly baseUrl: string };
}

/** The items of a batch in their order. */
export async function listItems(
  { database, cursors, config }: ListItemsDependencies,
  scope: CompanyScope,
  {
    batchId,
    state,
    locale,
    ...request
  }: PageRequest & {
    readonly batchId: Uuid;
    readonly state?: BatchItemState | undefined;
    readonly locale: Locale;
  },
): Promise<Result<Page<ShipmentBatchItem>>> {
  const found = await database.read(batchById(scope, batchId));
  if (!found.ok) return unavailable();
  const [batch] = found.rows;
  if (batch === undefined) return refuse('RESOURCE_NOT_FOUND');
  return readPage({ database, cursors }, request, {
    binding: ['batch items', scope.companyId, batchId, state, 'index asc'],
    select: (after, rows) => itemPage(scope, { batchId, state }, Number(after?.[0] ?? -1), rows),
    positionOf: ({ position }) => [String(position)],
    present: (row) => presentItem(row, batch, { baseUrl: config.baseUrl, locale }),
  });
}

const NONE = { created: 0, replayed: 0, refused: 0, skipped: 0, pending: 0, valid: 0 };

export function countsOf({ total }: Pick<BatchRow, 'total'>, states: readonly StateCount[]): BatchCounts {
  const countOf = (state: BatchItemState) => states.find((found) => found.state === state)?.count ?? 0;
  return {
    total,
    created: countOf('CREATED'),
    replayed: countOf('REPLAYED'),
    refused: countOf('REFUSED'),
    skipped: countOf('SKIPPED'),
    pending: countOf('PENDING'),
    valid: countOf('VALID'),
  };
}

export function presentBatch(
  row: Pick<BatchRow, 'id' | 'mode' | 'state' | 'createdAt' | 'completedAt'>,
  counts: BatchCounts,
): ShipmentBatch {
  const { id, mode, state, createdAt, completedAt } = row;
  return {
    batchId: id,
    mode,
    state,
    counts,
    createdAt: formatInstant(createdAt),
    completedAt: completedAt === null ? null : formatInstant(completedAt),
  };
}

function presentItem(
  { position, key, state, shipmentId, refusal, endedAt }: ShownItemRow,
  { requestId, correlationId, createdAt }: BatchRow,
  { baseUrl, locale }: { readonly baseUrl: string; readonly locale: Locale },
): ShipmentBatchItem {
  const problem =
    refusal === null
      ? null
      : problemBody(parseStored<Refusal>(refusal), {
          baseUrl,
          instance: CREATION_PATH,
          timestamp: formatInstant(endedAt ?? createdAt),
          requestId,
          correlationId,
          traceId: undefined,
          locale,
        });
  return { index: position, key, state, shipmentId, problem };
}
