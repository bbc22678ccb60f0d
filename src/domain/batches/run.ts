import type { Database } from '../../../db/database.ts';
import { COMPANY_SUSPENDED } from '../../access/authenticate.ts';
import type { AuditActor } from '../../access/principal.ts';
import { type CompanyScope, scopeForStoredClient } from '../../access/require.ts';
import type { Scope } from '../../contract/scope.ts';
import { readBatchShipment } from '../../contract/shipment-batch.ts';
import type { BatchState } from '../../contract/shipment-state.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { BATCH_RUNNING_HOURS_MAX } from '../../core/limits.ts';
import { type Refusal, type Result, refuse } from '../../core/result.ts';
import type { NextDue } from '../../ports/alarm.ts';
import type { Clock, CompanyClock } from '../../ports/clock.ts';
import type { Limiter } from '../../ports/limiter.ts';
import { logError } from '../../ports/log.ts';
import type { Routing } from '../../ports/routing.ts';
import { type ClockBook, companyStore } from '../clocks/company-clock.ts';
import { recordEvent } from '../events/record.ts';
import { settle } from '../settle.ts';
import { createShipment, rehearseCreation } from '../shipments/create.ts';
import type { Created } from '../shipments/creation.ts';
import type { CreateDependencies } from '../shipments/prepare-creation.ts';
import { countsOf, presentBatch } from './batch.ts';
import {
  type BatchRow,
  batchEnded,
  type ItemEnd,
  itemCounts,
  itemCreated,
  itemsEnded,
  nextBatch,
  type PendingItem,
  pendingItems,
  type StateCount,
  senderOf,
} from './store.ts';

export interface RunBatchDependencies extends Omit<CreateDependencies, 'routing' | 'clock'> {
  readonly clock: Clock;
  readonly clockBook: ClockBook;
  readonly limiter: Limiter;
  readonly monotonicMs: () => number;
  /** The routing of a company: its sandbox may have set faults. */
  readonly routingOf: (scope: CompanyScope) => Routing;
  /** Items that run at once, each with a request to the routing engine. */
  readonly itemsAtOnce: number;
}

const NEEDED_SCOPE = 'shipments:write' satisfies Scope;
const SCOPE_LOST = refuse('ACCESS_DENIED');

/** Items in one run. */
const ITEMS_IN_RUN = 50;
/** A run starts no item after this time, because other batches of the shard wait for the end of the run. */
const RUN_MS_MAX = 1000;
/** Between two runs of one batch: with the number above, 50 items a second. */
const PAUSE_SECONDS = 1;
/** After a part that failed. */
const FAILED_PAUSE_SECONDS = 5;

/**
 * Runs the next items of the batch of the shard that is due first. Returns when the next batch is due, `null` if none is
 * running, `undefined` if the database did not answer. An item ends in the unit that creates its shipment, so no kill and
 * no second run creates it twice or counts it twice.
 */
export async function runBatches(dependencies: RunBatchDependencies): Promise<NextDue> {
  const { database, clock } = dependencies;
  const first = await nextOf(database);
  if (first === undefined || first === null || first.dueAt > clock.now()) return first && first.dueAt;
  if (!(await runSafely(dependencies, first.batch))) return undefined;
  const next = await nextOf(database);
  return next && next.dueAt;
}

/** A part that fails is tried again after the batches of other companies. False if the database did not answer. */
async function runSafely(dependencies: RunBatchDependencies, batch: BatchRow): Promise<boolean> {
  const { database, writer, clock } = dependencies;
  const hasRun = await runPart(dependencies, batch).catch((error: unknown) => {
    logError({ database: database.id, error: String(error) });
    return false;
  });
  if (hasRun) return true;
  const now = clock.now();
  const dueAt = addSeconds(now, FAILED_PAUSE_SECONDS);
  const postponed = itemsEnded(scopeOf(database.id, batch), batch.id, { ends: [], now, dueAt });
  return (await writer.commit({ statements: postponed })).status === 'committed';
}

async function nextOf(database: Database): Promise<{ batch: BatchRow; dueAt: Instant } | null | undefined> {
  const answer = await database.read(nextBatch());
  if (!answer.ok) return undefined;
  const [batch] = answer.rows;
  return batch === undefined || batch.dueAt === null ? null : { batch, dueAt: batch.dueAt };
}

/** A batch in work. */
interface Work {
  readonly dependencies: CreateDependencies & Pick<RunBatchDependencies, 'limiter' | 'monotonicMs' | 'itemsAtOnce'>;
  readonly scope: CompanyScope;
  readonly batch: BatchRow;
  /** Whether the items are only judged. */
  readonly isCheck: boolean;
  /** Set when the batch must pause: nothing more is started. */
  pauseSeconds: number | undefined;
  /** Whether an item was refused and the batch stops at a refusal. */
  isStopping: boolean;
}

async function runPart(all: RunBatchDependencies, batch: BatchRow): Promise<boolean> {
  const { database, writer, clock: wall } = all;
  const scope = scopeOf(database.id, batch);
  // When a part runs is real time. What it makes has the time of the company.
  const clocked = await all.clockBook.clockOf(database, batch.companyId);
  if (!clocked.ok) return false;
  const clock = clocked.value;
  const own = { ...all, ...companyStore(all, clock) };
  const [answer, refusal] = await Promise.all([
    database.readAll([pendingItems(scope, batch.id, ITEMS_IN_RUN), itemCounts(scope, batch.id)] as const),
    refusalOf(own, scope, batch),
  ]);
  if (!answer.ok || refusal === undefined) return false;
  const [pending, states] = answer.results;
  const [first] = pending;
  if (refusal !== null && first !== undefined)
    return endBatch(own, batch, { scope, states, state: 'STOPPED', refusal });
  const stops = batch.mode === 'CREATE' && batch.onInvalid === 'STOP';
  const hasRefused = states.some(({ state }) => state === 'REFUSED');
  if (first === undefined)
    return endBatch(own, batch, { scope, states, state: stops && hasRefused ? 'STOPPED' : 'COMPLETED' });
  // All items are checked before the first is created.
  if (stops && first.checked === 1 && hasRefused) return endBatch(own, batch, { scope, states, state: 'STOPPED' });
  const startedAt = wall.now();
  const work: Work = {
    dependencies: { ...own, routing: all.routingOf(scope) },
    scope,
    batch,
    isCheck: batch.mode === 'VALIDATE' || (stops && first.checked === 0),
    pauseSeconds: undefined,
    isStopping: false,
  };
  const ends = await runItems(
    work,
    pending.filter(({ checked }) => checked === first.checked),
  );
  const realNow = wall.now();
  // A short part is the last of the batch, or of its check.
  const pauseSeconds = work.pauseSeconds ?? (pending.length < ITEMS_IN_RUN ? 0 : PAUSE_SECONDS);
  const dueAt = addSeconds(startedAt, pauseSeconds);
  const times = { now: clock.now(), dueAt: dueAt < realNow ? realNow : dueAt };
  const statements = itemsEnded(scope, batch.id, { ends, ...times });
  return settle(await writer.commit({ statements })).ok;
}

/**
 * Why no further item may be created, as a creation would be answered: its sender lost the right to create shipments, or the
 * batch waited for too long, in the company's time. Null if nothing is in its way, undefined if the directory did not answer.
 */
async function refusalOf(
  { directory, clock }: Pick<RunBatchDependencies, 'directory'> & { readonly clock: CompanyClock },
  scope: CompanyScope,
  { createdAt }: BatchRow,
): Promise<Refusal | null | undefined> {
  if (clock.now() >= addSeconds(createdAt, BATCH_RUNNING_HOURS_MAX * 3600)) return refuse('SERVICE_UNAVAILABLE');
  const answer = await directory.database.read(senderOf(scope));
  if (!answer.ok) return undefined;
  const [sender] = answer.rows;
  if (sender === undefined) return refuse('AUTHENTICATION_REQUIRED');
  if (sender.suspendedSince !== null) return COMPANY_SUSPENDED;
  // A person of the company may create shipments whatever the role.
  const mayCreate = sender.scopes === null || sender.scopes.split(' ').includes(NEEDED_SCOPE);
  return mayCreate ? null : SCOPE_LOST;
}

/** The company and the client that sent the batch. */
function scopeOf(shard: string, { companyId, clientId, actor }: BatchRow): CompanyScope {
  const stored = actor === null ? undefined : parseStored<AuditActor>(actor);
  return scopeForStoredClient({ shard, companyId, clientId }, stored);
}

/**
 * Runs items in their order, some at once. Items with one key, price lock or reference run one after the other, so the first of
 * them is created, as if they were sent one by one.
 */
async function runItems(work: Work, items: readonly PendingItem[]): Promise<ItemEnd[]> {
  const { monotonicMs, itemsAtOnce } = work.dependencies;
  const until = monotonicMs() + RUN_MS_MAX;
  const ends: ItemEnd[] = [];
  const waiting = items.map((item) => {
    const raw = parseStored<Record<string, unknown>>(item.request ?? '{}');
    return {
      item,
      raw,
      claims: [`key ${item.key}`, `lock ${item.priceLock ?? item.key}`, raw['externalReference'] ?? raw],
    };
  });
  const busy = new Set<unknown>();
  const runOne = async (): Promise<void> => {
    for (;;) {
      if (work.pauseSeconds !== undefined || work.isStopping || monotonicMs() >= until) return;
      const claimed = new Set(busy);
      const at = waiting.findIndex(({ claims }) => {
        const isFree = !claims.some((claim) => claimed.has(claim));
        for (const claim of claims) claimed.add(claim);
        return isFree;
      });
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      for (const claim of next.claims) busy.add(claim);
      const end = await runItem(work, next.item, next.raw);
      for (const claim of next.claims) busy.delete(claim);
      if (end !== undefined) ends.push(end);
    }
  };
  await Promise.all(Array.from({ length: itemsAtOnce }, runOne));
  return ends;
}

/** Undefined if the item stays as it is, or has ended in the unit of its creation. */
async function runItem(
  work: Work,
  item: PendingItem,
  raw: Readonly<Record<string, unknown>>,
): Promise<ItemEnd | undefined> {
  const { limiter } = work.dependencies;
  const taken = await limiter.take(work.isCheck ? 'estimates' : 'writes', identityOf(work.scope));
  if (!taken.ok) {
    work.pauseSeconds = taken.retryAfterSeconds;
    return undefined;
  }
  const result = await resultOf(work, item, raw);
  const { position } = item;
  if (result.ok) {
    const { value } = result;
    if (value === 'created') return undefined;
    if (value === 'valid' && work.batch.mode === 'VALIDATE') return { position, state: 'VALID', ...NOTHING };
    if (value === 'valid') return { position, state: 'PENDING', ...NOTHING };
    return { position, state: 'REPLAYED', shipmentId: value.shipment.shipmentId, refusal: null };
  }
  const { ok: _ok, retryAfterSeconds, ...refusal } = result;
  // Nothing was decided, so the item is tried again.
  if (retryAfterSeconds !== undefined) {
    work.pauseSeconds = retryAfterSeconds;
    return undefined;
  }
  if (!work.isCheck && work.batch.onInvalid === 'STOP') work.isStopping = true;
  return { position, state: 'REFUSED', shipmentId: null, refusal: JSON.stringify(refusal) };
}

const NOTHING = { shipmentId: null, refusal: null } as const;

/** Whose rate limit the items count against, as in a request. */
function identityOf({ clientId, actor }: CompanyScope): string {
  return actor?.personId ?? clientId;
}

async function resultOf(
  work: Work,
  item: PendingItem,
  raw: Readonly<Record<string, unknown>>,
): Promise<Result<'created' | 'valid' | Created>> {
  const { dependencies, scope, batch, isCheck } = work;
  const read = readBatchShipment(raw);
  if (!read.ok) return refuse('VALIDATION_FAILED', { violations: read.violations });
  const { request } = read;
  const order = {
    idempotencyKey: item.key,
    correlationId: batch.correlationId,
    request,
    priceLock: item.priceLock ?? undefined,
    priceLimit: item.priceLimit ?? undefined,
    nationalAddress: item.nationalAddress ?? undefined,
  };
  try {
    if (isCheck) {
      const repeated = answerOfRepetition(item.repeats);
      if (repeated !== undefined) return repeated;
      const rehearsed = await rehearseCreation(dependencies, scope, order);
      return rehearsed.ok ? { ok: true, value: 'valid' } : rehearsed;
    }
    const { position } = item;
    const also = (shipmentId: BatchRow['id'], now: Instant) =>
      itemCreated(scope, { batchId: batch.id, position, shipmentId, now });
    const created = await createShipment(dependencies, scope, { ...order, also });
    if (!created.ok) return created;
    return { ok: true, value: created.value.isReplay ? created.value : 'created' };
  } catch (error) {
    // A bug must not stop the batches of other companies.
    logError({ database: dependencies.database.id, error: String(error) });
    return refuse('INTERNAL_ERROR');
  }
}

/** What a creation would answer after the earlier item of the batch; undefined if that does not decide it. A pure function. */
function answerOfRepetition(repeats: PendingItem['repeats']): Result<'valid'> | undefined {
  switch (repeats) {
    case null:
      return undefined;
    case 'KEY':
      return { ok: true, value: 'valid' };
    case 'KEY_REUSED':
      return refuse('IDEMPOTENCY_KEY_REUSED');
    case 'PRICE_LOCK':
      return refuse('PRICE_LOCK_USED');
    case 'REFERENCE':
      return refuse('VALIDATION_FAILED', { violations: [{ field: 'externalReference', code: 'DUPLICATE_ITEM' }] });
  }
}

/** Ends the batch in one unit with its event. A second run of the batch is refused, which is as good. */
async function endBatch(
  { writer, clock, random, config }: Omit<RunBatchDependencies, 'clock'> & { readonly clock: CompanyClock },
  batch: BatchRow,
  {
    scope,
    states,
    state,
    refusal,
  }: {
    readonly scope: CompanyScope;
    readonly states: readonly StateCount[];
    readonly state: BatchState;
    /** Why its pending items end, if no item was refused. */
    readonly refusal?: Refusal;
  },
): Promise<boolean> {
  const now = clock.now();
  const before = countsOf(batch, states);
  // Without the right to create, each of the rest is refused, as its creation would be.
  const itemState = refusal === SCOPE_LOST ? 'REFUSED' : 'SKIPPED';
  const counted = itemState === 'REFUSED' ? 'refused' : 'skipped';
  const counts = { ...before, [counted]: before[counted] + before.pending, pending: 0 };
  const recorded = recordEvent(config, {
    id: random.uuid(),
    type: 'shipment_batch.completed',
    companyId: batch.companyId,
    shipmentId: null,
    occurredAt: now,
    previousState: null,
    correlationId: batch.correlationId,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipmentBatch: presentBatch({ ...batch, state, completedAt: now }, counts) },
  });
  const reason = refusal === undefined ? null : JSON.stringify({ code: refusal.code, members: refusal.members });
  const ended = batchEnded(scope, {
    batchId: batch.id,
    state,
    pending: before.pending,
    itemState,
    refusal: reason,
    now,
  });
  return settle(await writer.commit({ statements: [...ended, ...recorded] })).ok;
}
