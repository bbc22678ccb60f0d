import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { ShipmentRequest } from '../../../../src/contract/shipment.ts';
import { formatInstant } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { readBatch, startBatch } from '../../../../src/domain/batches/batch.ts';
import { type RunBatchDependencies, runBatches } from '../../../../src/domain/batches/run.ts';
import { createShipment } from '../../../../src/domain/shipments/create.ts';
import { broken } from '../../../support/dispatch/creator.ts';
import { type MemoryShard, openMemoryShard, WELL } from '../../../support/dispatch/memory-shard.ts';
import { requestOf } from '../../../support/dispatch/shipments.ts';

/* A batch whose process is killed at every request to a database, and one that two processes run at once. */

let shard: MemoryShard;
let base: ShipmentRequest;
beforeEach(() => {
  shard = openMemoryShard();
  base = requestOf(shard);
});
afterEach(() => shard.close());

type Process = ReturnType<MemoryShard['process']>;

const ITEMS = 7;
const REFUSED = 2;
const REPLAYED = 4;

function sentItems() {
  const { pickupWindowStart, pickupWindowEnd, ...request } = base;
  const window = {
    pickupWindowStart: formatInstant(pickupWindowStart),
    pickupWindowEnd: formatInstant(pickupWindowEnd),
  };
  return Array.from({ length: ITEMS }, (_, index) => ({
    key: `item-key-number-${index}`,
    shipment: {
      ...request,
      ...window,
      externalReference: `order-${index}`,
      ...(index === REFUSED ? { branchCode: 'NOWHERE' } : {}),
    },
  }));
}

async function start(process: Process, changes: Partial<Parameters<typeof startBatch>[2]> = {}): Promise<Uuid> {
  const order = { mode: 'CREATE', onInvalid: 'SKIP', items: sentItems() } as const;
  const started = await startBatch(process, shard.scope, {
    ...order,
    correlationId: newId(),
    requestId: newId(),
    ...changes,
  });
  if (!started.ok) throw new Error(`Not started: ${started.code}`);
  return started.value.batchId as Uuid;
}

function runnerOf(process: Process): RunBatchDependencies {
  return {
    ...process,
    limiter: { take: () => Promise.resolve({ ok: true }) },
    monotonicMs: () => 0,
    routingOf: () => process.routing,
    itemsAtOnce: 16,
  };
}

/** Runs the batch with a new process until it has ended. */
async function runToTheEnd(): Promise<void> {
  const runner = runnerOf(shard.process());
  for (let run = 0; run < 10; run += 1) {
    if ((await runBatches(runner)) === null) return;
    shard.clock.advance(10);
  }
  throw new Error('The batch does not end');
}

async function outcomeOf(batchId: Uuid) {
  const batch = await readBatch(shard.process().database, shard.scope, batchId);
  const [shipments, keys, ends, events] = await Promise.all([
    shard.rows('SELECT external_reference FROM shipments ORDER BY external_reference'),
    shard.rows("SELECT count(*) FROM idempotency_records WHERE operation = 'shipments.create'"),
    shard.rows("SELECT count(*) FROM events WHERE type = 'shipment_batch.completed'"),
    shard.rows("SELECT count(*) FROM events WHERE type = 'shipment.created'"),
  ]);
  const items = await shard.rows(
    `SELECT i.state, i.request, i.shipment_id IS s.id FROM shipment_batch_items AS i LEFT JOIN idempotency_records AS k ON k.key = i.key
     LEFT JOIN shipments AS s ON k.location = '/v2/external/shipments/' || s.id ORDER BY i.position`,
  );
  return {
    batch: batch.ok ? { state: batch.value.state, counts: batch.value.counts } : batch,
    shipments: shipments.flat(),
    rows: { keys: keys[0]?.[0], ends: ends[0]?.[0], created: events[0]?.[0] },
    items,
  };
}

const CREATED_ONES = Array.from({ length: ITEMS }, (_, index) => index).filter((index) => index !== REFUSED);
const WHOLE = {
  batch: {
    state: 'COMPLETED',
    counts: { total: ITEMS, created: ITEMS - 2, replayed: 1, refused: 1, skipped: 0, pending: 0, valid: 0 },
  },
  shipments: CREATED_ONES.map((index) => `order-${index}`),
  rows: { keys: ITEMS - 1, ends: 1, created: ITEMS - 1 },
  items: Array.from({ length: ITEMS }, (_, index) => {
    if (index === REFUSED) return ['REFUSED', null, 1];
    return [index === REPLAYED ? 'REPLAYED' : 'CREATED', null, 1];
  }),
};

/** One of the items exists already, by its own key. */
async function createOne(process: Process): Promise<void> {
  const created = await createShipment(process, shard.scope, {
    idempotencyKey: `item-key-number-${REPLAYED}`,
    correlationId: newId(),
    request: { ...base, externalReference: `order-${REPLAYED}` },
  });
  if (!created.ok) throw new Error(`Not created: ${created.code}`);
}

describe('a batch', () => {
  test('creates each item once, replays one that exists and refuses one that breaks a rule', async () => {
    const process = shard.process();
    await createOne(process);
    const batchId = await start(process);
    await runToTheEnd();
    expect(await outcomeOf(batchId)).toEqual(WHOLE);
  });

  test.each(['before', 'after'] as const)('killed %s any of its requests to a database ends the same', async (when) => {
    let kills = 0;
    for (let dies = 1; ; dies += 1) {
      await shard.clear();
      await createOne(shard.process());
      const batchId = await start(shard.process());
      let requests = 0;
      let isDead = false;
      shard.wire.carry = (_batch, run) => {
        if (isDead) return broken();
        requests += 1;
        isDead = requests === dies;
        if (isDead && when === 'before') return broken();
        const response = run();
        return isDead ? broken() : response;
      };
      const dying = runnerOf(shard.process());
      for (let run = 0; run < 5 && !isDead; run += 1) {
        if ((await runBatches(dying)) === null) break;
        shard.clock.advance(10);
      }
      shard.wire.carry = WELL;
      if (!isDead) break;
      kills += 1;
      await runToTheEnd();
      expect(await outcomeOf(batchId), `killed ${when} request ${dies}`).toEqual(WHOLE);
    }
    expect(kills).toBeGreaterThan(5);
  });

  test('that cannot be run lets the next one run, and is tried again', async () => {
    const process = shard.process();
    const stuck = await start(process, { items: sentItems().slice(0, 1) });
    await shard.rows("UPDATE shipment_batch_items SET request = 'no JSON'");
    shard.clock.advance(1);
    const [first, second] = sentItems().slice(3, 5);
    const next = await start(process, { items: [first, second].flatMap((item) => (item === undefined ? [] : [item])) });
    const runner = runnerOf(process);
    for (let run = 0; run < 4; run += 1) {
      await runBatches(runner);
      shard.clock.advance(1);
    }
    const stateOf = async (id: Uuid) => readBatch(process.database, shard.scope, id);
    expect(await stateOf(next)).toMatchObject({ ok: true, value: { state: 'COMPLETED', counts: { created: 2 } } });
    expect(await stateOf(stuck)).toMatchObject({ ok: true, value: { state: 'RUNNING' } });
  });

  test('that waits for a day of the time of its company is stopped', async () => {
    const batchId = await start(shard.process());
    await shard.rows(
      `INSERT INTO sandboxes (company_id, generation, dispatch_held, driver_id, relief_driver_id, created_at, clock_offset) VALUES (?, 1, 0, 'one', 'two', 1, ?)`,
      [shard.scope.companyId, String(24 * 3600 * 1e6)],
    );
    await runBatches(runnerOf(shard.process()));
    const batch = await readBatch(shard.process().database, shard.scope, batchId);
    expect(batch).toMatchObject({ ok: true, value: { state: 'STOPPED' } });
  });

  test('that two processes run at once ends the same', async () => {
    await createOne(shard.process());
    const batchId = await start(shard.process());
    const runners = [runnerOf(shard.process()), runnerOf(shard.process())];
    for (let run = 0; run < 10; run += 1) {
      await Promise.all(runners.map((runner) => runBatches(runner)));
      shard.clock.advance(10);
    }
    expect(await outcomeOf(batchId)).toEqual(WHOLE);
  });

  test.each([
    ['its client was deleted', 'UPDATE credentials SET deleted_at = 1', 'AUTHENTICATION_REQUIRED', 'SKIPPED'],
    [
      'its client may no longer create shipments',
      "UPDATE credentials SET scopes = 'shipments:read webhooks:manage'",
      'ACCESS_DENIED',
      'REFUSED',
    ],
    [
      'its company is suspended',
      "INSERT INTO company_suspensions (company_id, version, since, suspended_by, reason) SELECT id, 1, 1, 'x', 'x' FROM companies",
      'ACCESS_DENIED',
      'SKIPPED',
    ],
    ['it has waited for a day', undefined, 'SERVICE_UNAVAILABLE', 'SKIPPED'],
  ] as const)('ends, and creates no more, when %s', async (_case, sql, code, state) => {
    const process = shard.process();
    const runner = runnerOf(process);
    const batchId = await start(process);
    let left = 1;
    const take = async () => {
      left -= 1;
      return left >= 0 ? ({ ok: true } as const) : ({ ok: false, retryAfterSeconds: 30 } as const);
    };
    await runBatches({ ...runner, limiter: { take } });
    if (sql !== undefined) shard.run('directory', sql);
    shard.clock.advance(sql === undefined ? 86_400 : 31);
    await runToTheEnd();
    const outcome = await outcomeOf(batchId);
    expect(outcome).toMatchObject({
      batch: { state: 'STOPPED', counts: { created: 1, pending: 0, [state.toLowerCase()]: ITEMS - 1 } },
      rows: { ends: 1, created: 1 },
    });
    const items = await shard.rows('SELECT state, request, refusal FROM shipment_batch_items ORDER BY position');
    const refusal = expect.stringContaining(`"code":"${code}"`);
    const rest = Array.from({ length: ITEMS - 1 }, () => [state, null, refusal]);
    expect(items).toEqual([['CREATED', null, null], ...rest]);
  });

  test('that stops creates nothing if one of its items is refused', async () => {
    const batchId = await start(shard.process(), { onInvalid: 'STOP' });
    await runToTheEnd();
    expect(await outcomeOf(batchId)).toMatchObject({
      batch: { state: 'STOPPED', counts: { refused: 1, skipped: ITEMS - 1, created: 0, pending: 0 } },
      shipments: [],
      rows: { keys: 0, ends: 1, created: 0 },
    });
  });

  test('that stops creates all items if none is refused, also those that exist', async () => {
    await createOne(shard.process());
    const items = sentItems().filter((_, index) => index !== REFUSED);
    const batchId = await start(shard.process(), { onInvalid: 'STOP', items });
    await runToTheEnd();
    expect(await outcomeOf(batchId)).toMatchObject({
      batch: { state: 'COMPLETED', counts: { created: ITEMS - 2, replayed: 1, refused: 0, skipped: 0 } },
    });
  });

  test('pauses while the rate limit is used up or no route is found, and goes on afterwards', async () => {
    const process = shard.process();
    const batchId = await start(process, { items: sentItems().filter((_, index) => index !== REFUSED) });
    let left = 3;
    const limited: RunBatchDependencies = {
      ...runnerOf(process),
      limiter: {
        take: async () => {
          left -= 1;
          return left >= 0 ? { ok: true } : { ok: false, retryAfterSeconds: 30 };
        },
      },
    };
    const startedAt = shard.clock.now();
    const dueAt = await runBatches(limited);
    expect(Number(dueAt) - Number(startedAt)).toBeGreaterThanOrEqual(30_000_000);
    expect(await outcomeOf(batchId)).toMatchObject({ batch: { counts: { created: 3, pending: ITEMS - 4 } } });
    shard.clock.advance(31);
    const away: RunBatchDependencies = {
      ...runnerOf(process),
      routingOf: () => ({ engine: 'osrm', findRoute: async () => ({ ok: false, reason: 'unavailable' }) }),
    };
    await runBatches(away);
    expect(await outcomeOf(batchId)).toMatchObject({ batch: { state: 'RUNNING', counts: { created: 3, refused: 0 } } });
    shard.clock.advance(31);
    await runToTheEnd();
    expect(await outcomeOf(batchId)).toMatchObject({ batch: { state: 'COMPLETED', counts: { created: ITEMS - 1 } } });
  });

  test('creates the first of two items with one reference', async () => {
    const [first, ...others] = sentItems();
    if (first === undefined) throw new Error('There are no items');
    const again = { key: 'another-key-for-it', shipment: { ...first.shipment, codAmount: '0', declaredValue: '1' } };
    const batchId = await start(shard.process(), { items: [first, again, ...others] });
    await runToTheEnd();
    const [kept] = await shard.rows("SELECT declared_value FROM shipments WHERE external_reference = 'order-0'");
    expect(kept).toEqual([first.shipment.declaredValue]);
    expect(await outcomeOf(batchId)).toMatchObject({ batch: { counts: { created: ITEMS - 1, refused: 2 } } });
  });
});

test('a batch has no more requests to the routing engine at once than its platform allows', async () => {
  const process = shard.process();
  await start(process);
  const ALLOWED = 3;
  // Opens once as many items are on their way as are allowed. One more would come in before it.
  const full = Promise.withResolvers<void>();
  let [active, most] = [0, 0];
  const routing: typeof process.routing = {
    ...process.routing,
    async findRoute(...places) {
      active += 1;
      most = Math.max(most, active);
      if (active === ALLOWED) full.resolve();
      await full.promise;
      active -= 1;
      return process.routing.findRoute(...places);
    },
  };
  const runner = { ...runnerOf(process), routingOf: () => routing, itemsAtOnce: ALLOWED };
  while ((await runBatches(runner)) !== null) shard.clock.advance(10);
  expect(most).toBe(ALLOWED);
});
