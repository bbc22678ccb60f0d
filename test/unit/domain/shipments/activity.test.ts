import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { Sealer } from '../../../../src/access/sealer.ts';
import { ACTIVITY_FIGURES, type ActivityFigure } from '../../../../src/contract/shipment-state.ts';
import { addMillis, addSeconds, type Instant, instantFromMillis, toMillis } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { realClock } from '../../../../src/domain/clocks/company-clock.ts';
import { listActivity, readActivity } from '../../../../src/domain/shipments/activity.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { openMemoryShard, WELL } from '../../../support/dispatch/memory-shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';

/* The counts of days, compared with a plain count over the same events. */

const shard = openMemoryShard();
const { scope } = shard;
const cursors = new Sealer([Buffer.alloc(32, 1).toString('base64url')], systemRandom);
afterAll(() => shard.close());

const START = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));
const DAY_MS = 86_400_000;
/** So few that a reading of some events stores several parts. */
const LIMIT = 4;
const DRIVE_SECONDS = 600;

let now: Instant;
let template: Uuid;
let events: { day: string; city: string; figures: ActivityFigure[] }[];
let open: { id: Uuid; city: string; windowEnd: Instant }[];
const clock = realClock({ now: () => now });
const aProcess = () => ({ ...shard.process(), clock, cursors });

beforeEach(async () => {
  await begin();
});

async function begin(): Promise<void> {
  await shard.clear();
  now = START;
  [events, open] = [[], []];
  template = await addShipment(shard, shard.process());
  // It is only copied. No reading finds it, because its creation is to come.
  run(`update shipments set created_at = ${toMillis(START) * 1000} * 2`);
  run(`update shipment_terms set duration_seconds = ${DRIVE_SECONDS}`);
  run('delete from events');
}

const run = (sql: string, ...args: (string | number | null)[]) => shard.run('shard-1', sql, args);
const micros = (instant: Instant) => Number(instant);
const dayOf = (instant: Instant) => new Date(toMillis(instant) + 3 * 3_600_000).toISOString().slice(0, 10);

/** A row like that of the template, with other values in some columns. */
async function copy(table: string, key: string, changes: Readonly<Record<string, string | number>>): Promise<void> {
  const names = (await shard.rows('select name from pragma_table_info(?)', [table])).map(([name]) => String(name));
  const values = names.map((name) => (name in changes ? '?' : name));
  const args = names.flatMap((name) => changes[name] ?? []);
  run(
    `insert into ${table} (${names.join()}) select ${values.join()} from ${table} where ${key} = ?`,
    ...args,
    template,
  );
}

function addEvent(type: string, shipment: (typeof open)[number], sequence: number, figures: ActivityFigure[]): void {
  run(
    `insert into events (id, company_id, type, shipment_id, step, sequence, occurred_at, correlation_id, body)
     values (?, ?, ?, ?, ?, ?, ?, 'x', '{}')`,
    ...[newId(), scope.companyId, type, shipment.id, sequence, sequence, micros(now)],
  );
  events.push({ day: dayOf(now), city: shipment.city, figures });
}

async function create(city: string, isHurried: boolean): Promise<void> {
  const id = newId();
  const shipment = {
    id,
    city,
    windowEnd: addSeconds(now, isHurried ? -DRIVE_SECONDS - 1 : 5 * 86_400),
  };
  await copy('shipments', 'id', {
    ...{ id, shipment_number: id, external_reference: id, created_at: micros(now), due_at: micros(now) },
    ...{ pickup_window_end: micros(shipment.windowEnd), destination: JSON.stringify({ cityCode: city }) },
  });
  await copy('shipment_terms', 'shipment_id', { shipment_id: id });
  open.push(shipment);
  addEvent('shipment.created', shipment, 1, ['created']);
}

function end(kind: 'delivered' | 'failed' | 'cancelled', isRetried: boolean): void {
  const shipment = open.shift();
  if (shipment === undefined) return;
  if (kind === 'cancelled') return addEvent('shipment.cancelled', shipment, 2, ['cancelled']);
  if (kind === 'failed' || isRetried) {
    run(
      "insert into events (shipment_id, step, id, company_id, type, state, occurred_at, actor, correlation_id, sequence) values (?, 7, ?, ?, 'shipment.delivery_failed', 'DELIVERY_FAILED', ?, 'DRIVER', ?, 7)",
      ...[shipment.id, newId(), scope.companyId, micros(now), newId()],
    );
    addEvent('shipment.delivery_failed', shipment, 2, ['failed']);
  }
  if (kind === 'failed') return;
  const isInTime = now <= addSeconds(shipment.windowEnd, DRIVE_SECONDS);
  const figures: ActivityFigure[] = ['delivered', ...(isRetried ? [] : ['firstAttempt' as const])];
  addEvent('shipment.delivered', shipment, 3, isInTime ? [...figures, 'inTime'] : figures);
}

/** The events of another company lie between, and a copy in another shard has other positions in the same order. */
function move(): void {
  run(
    "insert into events (id, company_id, type, sequence, occurred_at, correlation_id, body) values (?, 'other', 'shipment.created', 0, 0, 'x', '{}')",
    newId(),
  );
  run('update events set position = -position - (select max(position) from events)');
  run('update events set position = 7 - position');
}

function plainCount(isCounted: (event: (typeof events)[number]) => boolean) {
  return Object.fromEntries(
    ACTIVITY_FIGURES.map((figure) => [
      figure,
      events.filter((event) => isCounted(event) && event.figures.includes(figure)).length,
    ]),
  );
}

function expected() {
  const days = [6, 5, 4, 3, 2, 1, 0].map((ago) => dayOf(addMillis(now, -ago * DAY_MS)));
  const shown = events.filter(({ day, figures }) => days.includes(day) && figures.length > 0);
  return {
    days: days.map((day) => ({ day, ...plainCount((event) => event.day === day) })),
    cities: [...new Set(shown.map(({ city }) => city))]
      .toSorted()
      .map((cityCode) => ({ cityCode, ...plainCount((event) => event.city === cityCode && shown.includes(event)) })),
  };
}

async function readAll(limit = LIMIT) {
  for (;;) {
    const read = await readActivity(aProcess(), scope, limit);
    if (!read.ok) throw new Error('No answer');
    const { isComplete, days, cities } = read.value;
    if (isComplete) return { days, cities };
  }
}

/** The outcome of the next unit: it is not sent, or its answer is lost. */
function breakOff(when: 'before' | 'after'): void {
  shard.wire.carry = (batch, carry) => {
    if (!batch.isWrite) return carry();
    shard.wire.carry = WELL;
    if (when === 'after') carry();
    throw new TypeError('The connection was lost');
  };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('create'), city: fc.constantFrom('RUH', 'JED'), flag: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('delivered', 'failed', 'cancelled'), flag: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance'), hours: fc.integer({ min: 48, max: 24 * 40 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('read', 'race', 'die', 'lose', 'move', 'forget') }) },
);

test('each event is counted once, with readings at once, lost units, moves and an advancing clock', async () => {
  const scripts = fc.array(step, { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      await begin();
      for (const one of script) {
        now = addSeconds(now, 60);
        if ('city' in one) await create(one.city, one.flag);
        else if ('flag' in one) end(one.do, one.flag);
        else if ('hours' in one) now = addSeconds(now, one.hours * 3600);
        else if (one.do === 'move') move();
        else if (one.do === 'forget')
          run('update events set body = null where occurred_at < ?', micros(addMillis(now, -30 * DAY_MS)));
        else if (one.do === 'race') expect(await Promise.all([readAll(), readAll()])).toEqual([expected(), expected()]);
        else {
          if (one.do !== 'read') breakOff(one.do === 'die' ? 'before' : 'after');
          await readActivity(aProcess(), scope, LIMIT);
          shard.wire.carry = WELL;
        }
      }
      expect(await readAll()).toEqual(expected());
      // Also from what is stored, without another unit.
      expect(await readAll(1000)).toEqual(expected());
      await expectLists();
    }),
    { numRuns: 12 },
  );
}, 60_000);

/** The list behind each figure has as many shipments as the figure says. */
async function expectLists(): Promise<void> {
  for (const { day, ...figures } of expected().days) {
    for (const figure of ACTIVITY_FIGURES) {
      const start = instantFromMillis(Date.parse(day));
      const page = await listActivity(aProcess(), scope, { day: start, figure, limit: 100 });
      expect(page).toMatchObject({ ok: true });
      if (page.ok) expect([day, figure, page.value.data.length]).toEqual([day, figure, Reflect.get(figures, figure)]);
    }
  }
}

test('a first reading starts a day before the week, not with the oldest event', async () => {
  await create('RUH', false);
  end('delivered', false);
  now = addMillis(now, 20 * DAY_MS);
  await create('RUH', false);
  const texts: string[] = [];
  shard.wire.carry = (batch, carry) => {
    texts.push(...batch.steps.map(({ stmt }) => stmt.sql));
    return carry();
  };
  expect(await readAll(3)).toEqual(expected());
  // Only two of the three events lie after the creation before the week, so nothing is stored.
  expect(texts.filter((text) => /insert into/i.test(text))).toEqual([]);
  expect(await shard.rows('select * from activity_days')).toEqual([]);
});

test('days that are no longer read are deleted', async () => {
  for (let index = 0; index < LIMIT; index += 1) await create('RUH', false);
  await readAll();
  expect(await shard.rows('select created from activity_days')).toEqual([[LIMIT]]);
  now = addMillis(now, 8 * DAY_MS);
  for (let index = 0; index < LIMIT; index += 1) await create('JED', false);
  await readAll();
  expect(await shard.rows('select city_code, created from activity_days')).toEqual([['JED', LIMIT]]);
});

test('shipments that have looked for a driver for five minutes are named, the longest wait first', async () => {
  const isWith = (state: string) => ({ state, stage: 'WITH_DRIVER' });
  const offered = await searching(9, isWith('OFFERED'));
  const looking = await searching(5);
  await searching(4);
  await searching(-60);
  await searching(8, { held: 1 });
  await searching(8, isWith('ACCEPTED'));
  await searching(8, { state: 'DISPATCH_UNRESOLVED', stage: 'DISPATCH_UNRESOLVED' });
  await searching(8, { company_id: 'other' });
  const asked: { sql: string; args: string[] }[] = [];
  shard.wire.carry = (batch, carry) => {
    for (const { stmt } of batch.steps)
      if (stmt.sql.includes('search_since'))
        asked.push({ sql: stmt.sql, args: (stmt.args ?? []).map((arg) => ('value' in arg ? String(arg.value) : '')) });
    return carry();
  };
  expect(await waitingNow()).toEqual({ ids: [offered, looking], isMore: false });
  for (let minutes = 10; minutes < 14; minutes += 1) await searching(minutes);
  expect(await waitingNow()).toMatchObject({ ids: { length: 5 }, isMore: true });
  const [one] = asked;
  const plan = (await shard.rows(`explain query plan ${one?.sql}`, one?.args)).map((row) => String(row.at(-1)));
  expect(plan.length).toBeGreaterThan(2);
  expect(plan.filter((line) => /shipments/.test(line) && !/shipments_newest_of_stage|rowid=/.test(line))).toEqual([]);
});

test('only the newest 500 shipments of a stage are searched for long waits', async () => {
  const oldest = await searching(9, { created_at: micros(addSeconds(now, -60)) });
  for (let index = 1; index < 500; index += 1) await searching(1);
  expect((await waitingNow()).ids).toEqual([oldest]);
  await searching(1);
  expect((await waitingNow()).ids).toEqual([]);
});

/** A shipment that has looked for a driver for so long. */
async function searching(minutes: number, changes: Readonly<Record<string, string | number>> = {}): Promise<Uuid> {
  const id = newId();
  await copy('shipments', 'id', {
    ...{ id, shipment_number: id, external_reference: id, created_at: micros(now), due_at: micros(now) },
    ...{ state: 'READY_FOR_DISPATCH', stage: 'READY_FOR_DISPATCH' },
    ...{ search_since: micros(addSeconds(now, -60 * minutes)), ...changes },
  });
  return id;
}

async function waitingNow() {
  const read = await readActivity(aProcess(), scope);
  if (!read.ok) throw new Error('No answer');
  const { shipments, isMore } = read.value.waiting;
  return { ids: shipments.map(({ shipmentId }) => shipmentId), isMore };
}
