import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import { addMillis, addSeconds, type Instant, toMillis } from '../../../src/core/instant.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { deliveryTerms } from '../../../src/core/webhook-terms.ts';
import { ClockBook, companyStore } from '../../../src/domain/clocks/company-clock.ts';
import { Looks } from '../../../src/domain/dispatch/due.ts';
import { advanceClock } from '../../../src/domain/sandbox/clock/advance.ts';
import { dueThings } from '../../../src/domain/sandbox/clock/store.ts';
import { startScenario } from '../../../src/domain/sandbox/scenario/start.ts';
import { executeCommand } from '../../../src/domain/shipments/command.ts';
import { createShipment } from '../../../src/domain/shipments/create.ts';
import { runMovedClocks } from '../../../src/service/run-clocks.ts';
import { earlierDue, runShard } from '../../../src/service/run-shard.ts';
import { openMemoryShard } from '../../support/dispatch/memory-shard.ts';
import { addDriver, requestOf } from '../../support/dispatch/shipments.ts';
import { scopeOf } from '../../support/dispatch/test-shard.ts';

/* The rules of a sandbox's clock, each with a clock that breaks it. */

vi.setConfig({ testTimeout: 30_000 });

const shard = openMemoryShard();
afterAll(() => shard.close());
const { scope, clock: wall } = shard;
const { companyId } = scope;
const terms = deliveryTerms('local', {});

const CANCELLATION = { name: 'CANCEL', reasonCode: 'CUSTOMER_REQUEST', comment: null } as const;

let process = processAnew();
function processAnew() {
  const made = shard.process();
  const clockBook = new ClockBook(wall, () => toMillis(wall.now()), true);
  return { ...made, clockBook, looks: new Looks(), config: { ...made.config, webhookTerms: terms } };
}

beforeEach(async () => {
  await shard.clear();
  await shard.rows('DELETE FROM sandboxes');
  await shard.rows('DELETE FROM sandbox_scenarios');
  process = processAnew();
  const drivers = await Promise.all([1, 2].map(() => addDriver(shard, process, { companyId, activeMax: 100 })));
  await shard.rows(
    `INSERT INTO sandboxes (company_id, generation, dispatch_held, driver_id, relief_driver_id, created_at) VALUES (?, 1, 0, ?, ?, 1)`,
    [companyId, ...drivers],
  );
});

/** One ring of the alarm. Returns when it rings next. */
async function ring(): Promise<Instant | null> {
  const dependencies = { ...process, clock: wall, monotonicMs: () => 0, wakeEndpoint: async () => undefined };
  const next = earlierDue(await runShard(dependencies), await runMovedClocks(dependencies));
  if (next === undefined) throw new Error('The database is gone');
  return next;
}

/** Lets the real time pass, with an alarm that is never late. */
async function pass(seconds: number): Promise<void> {
  const until = addMillis(wall.now(), seconds * 1000);
  for (;;) {
    const next = await ring();
    const now = wall.now();
    const to = next === null || next > until ? until : next;
    if (to > now) wall.advance((toMillis(to) - toMillis(now)) / 1000 + 0.001);
    if (wall.now() >= until) break;
  }
  await ring();
}

async function own() {
  const clock = await process.clockBook.clockOf(process.database, companyId);
  if (!clock.ok) throw new Error(clock.code);
  return { ...process, ...companyStore(process, clock.value) };
}

const advance = async (seconds: number) => {
  expect(await advanceClock(await own(), scope, { seconds })).toMatchObject({ ok: true });
  await pass(0.6);
};
/** What an advance must not be: the clock jumps, and what was due is done late. */
const jump = async (seconds: number) => {
  await shard.rows(`UPDATE sandboxes SET clock_offset = clock_offset + ${seconds * 1_000_000}`);
  process.clockBook.forget(process.database.id);
  await pass(0.6);
};

/** A delivery in steps of a minute, and a shipment whose offers nobody answers. */
async function begin(): Promise<void> {
  await create();
  const shipmentId = await create();
  await pass(2);
  // Only WINDOW_MISSED commands a shipment as it starts.
  const lane = { execute: () => Promise.reject(new Error('No command is expected')) };
  const compareAddress = () => Promise.resolve();
  const order = { shipmentId, name: 'HAPPY_PATH', stepSeconds: 60, correlationId: newId() } as const;
  await startScenario({ ...(await own()), lane, compareAddress }, scope, order);
}

async function create(from = shard): Promise<Uuid> {
  const request = { ...requestOf(from), pickupWindowEnd: addSeconds(wall.now(), 30 * 24 * 3600) };
  const order = { idempotencyKey: newId(), correlationId: newId(), request };
  const created = await createShipment(await own(), from.scope, order);
  if (!created.ok) throw new Error(created.code);
  return requireUuid(created.value.shipment.shipmentId);
}

/** Each event of each shipment, in tenths of a second since its creation. */
async function timeline(): Promise<string[]> {
  const rows = await shard.rows(
    `SELECT type, (occurred_at - min(occurred_at) OVER (PARTITION BY shipment_id)) / 100000,
       dense_rank() OVER (ORDER BY shipment_id) FROM shipment_events ORDER BY shipment_id, sequence`,
  );
  return rows.map((row) => row.join(' '));
}

test('many small advances, and the same advance again, leave what one large advance leaves, at the same instants', async () => {
  await begin();
  await advance(1200);
  const once = await timeline();
  expect(once.at(-1)).toMatch(/^shipment\.delivered 225/);
  expect(once.filter((row) => row.startsWith('shipment.dispatch_unresolved'))).toHaveLength(1);
  await again();
  for (let times = 0; times < 60; times += 1) await advance(20);
  expect(rounded(await timeline())).toEqual(rounded(once));
  await again();
  await advance(1200);
  expect(rounded(await timeline())).toEqual(rounded(once));
  await again();
  await jump(1200);
  expect(rounded(await timeline())).not.toEqual(rounded(once));
});

/** Whole seconds: an alarm rings up to a few milliseconds after its time. */
const rounded = (rows: readonly string[]) => rows.map((row) => row.replace(/ (\d+)\d? /, ' $1 '));

async function again(): Promise<void> {
  await shard.clear();
  await shard.rows('DELETE FROM sandbox_scenarios');
  process = processAnew();
  const drivers = await Promise.all([1, 2].map(() => addDriver(shard, process, { companyId, activeMax: 100 })));
  await shard.rows(`UPDATE sandboxes SET driver_id = ?, relief_driver_id = ?`, drivers);
  await begin();
}

test('nothing that is due is left behind the clock, and nothing has happened after it', async () => {
  await begin();
  const left = async () => {
    const { clock } = await own();
    const now = clock.now();
    const due = await process.database.read(dueThings(scope, { now, terms, what: null, hasLinks: false, limit: 10 }));
    if (!due.ok) throw new Error('No answer');
    const [last] = await shard.rows('SELECT max(occurred_at) FROM shipment_events');
    return { behind: due.rows.filter(({ at }) => at <= now).length, isAfter: BigInt(String(last?.[0])) > now };
  };
  for (const seconds of [1, 59, 61, 900]) {
    await advance(seconds);
    expect(await left()).toEqual({ behind: 0, isAfter: false });
  }
  await create();
  await shard.rows('UPDATE sandboxes SET clock_offset = clock_offset + 60000000');
  process.clockBook.forget(process.database.id);
  expect((await left()).behind).toBe(1);
  await shard.rows('UPDATE sandboxes SET clock_offset = 0');
  process.clockBook.forget(process.database.id);
  expect((await left()).isAfter).toBe(true);
});

test('work that is committed while the clock is about to move is done at its own instant', async () => {
  await begin();
  let due: unknown;
  shard.wire.carry = async ({ steps }, run) => {
    const isMove = steps.some(({ stmt }) => stmt.sql.startsWith('update "sandboxes" set "clock_at"'));
    const standing = 'SELECT clock_at + 1000000 FROM sandboxes WHERE clock_at IS NOT NULL';
    const [row] = isMove && due === undefined ? await shard.rows(standing) : [];
    if (row !== undefined) {
      [due] = row;
      await shard.rows('UPDATE shipments SET due_at = ? WHERE id NOT IN (SELECT shipment_id FROM sandbox_scenarios)', [
        String(due),
      ]);
    }
    return run();
  };
  await advance(600);
  await pass(1);
  const [expired] = await shard.rows(
    `SELECT min(occurred_at) FROM shipment_events WHERE type = 'shipment.offer_expired'`,
  );
  expect(expired).toEqual([due]);
});

test('a request commits nothing if the clock has moved since it began', async () => {
  await begin();
  await advance(60);
  const slow = await own();
  const command = { shipmentId: await create(), command: CANCELLATION, actor: 'MERCHANT' } as const;
  const order = { ...command, precondition: { kind: 'any' }, correlationId: newId() } as const;
  await advance(60);
  expect(await executeCommand(slow, scope, order)).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' });
  expect(await shard.rows(`SELECT count(*) FROM shipment_events WHERE type = 'shipment.cancelled'`)).toEqual([[0]]);
  expect(await executeCommand(await own(), scope, order)).toMatchObject({ ok: true, value: { state: 'CANCELLED' } });
});

test('the rows of another company do not move', async () => {
  const [other] = shard.genesis.companies.filter(
    (company) => company.shard === 'shard-1' && company.companyId !== companyId,
  );
  if (other === undefined) throw new Error('There is one company');
  const { branchCode, pickupLocationCode } = other;
  const scoped = { ...shard, scope: scopeOf(other.companyId), places: { branchCode, pickupLocationCode } };
  await create(scoped);
  const rows = () => shard.rows('SELECT state, version, due_at FROM shipments WHERE company_id = ?', [other.companyId]);
  await begin();
  const before = await rows();
  await advance(3600);
  expect(await rows()).toEqual(before);
});

test('production reads no column of a clock', async () => {
  const read: string[] = [];
  shard.wire.carry = ({ steps }, run) => {
    read.push(...steps.map(({ stmt }) => String(stmt.sql)));
    return run();
  };
  const reads = async (deployment: 'production' | 'local') => {
    read.length = 0;
    const clockBook = new ClockBook(wall, () => 0, deployment !== 'production');
    const config = { ...process.config, deployment };
    await runShard({ ...process, clock: wall, config });
    await clockBook.clockOf(process.database, newId());
    return read.some((sql) => sql.includes('clock_'));
  };
  expect(await reads('production')).toBe(false);
  expect(await reads('local')).toBe(true);
});
