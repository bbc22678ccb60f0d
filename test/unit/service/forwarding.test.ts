import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/database.ts';
import type { BatchStep } from '../../../db/hrana.ts';
import { Dice } from '../../../scripts/shared/dice.ts';
import { DatabaseServer } from '../../../scripts/shared/memory/database-server.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import { DriverSessions, newDriverToken } from '../../../src/access/driver-token.ts';
import { scopeForService } from '../../../src/access/require.ts';
import { ClockBook } from '../../../src/domain/clocks/company-clock.ts';
import { PositionBook } from '../../../src/domain/drivers/positions.ts';
import { findDriver } from '../../../src/domain/drivers/session.ts';
import { MoveBook } from '../../../src/domain/moves/move-book.ts';
import { readTracking } from '../../../src/domain/tracking/reading.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';
import { currentShardOf, type Store } from '../../../src/service/services.ts';

/* Tokens, links and requests that name a shard from which their company has moved, once or several times. */

const SHARDS = ['a', 'b', 'c', 'd'] as const;
type Shard = (typeof SHARDS)[number];
const servers = new Map(SHARDS.map((id) => [id, new DatabaseServer({ kind: 'shard', dice: new Dice(1), onCommit })]));
afterAll(() => servers.forEach((server) => server.close()));

let silent: Shard | undefined;
const asked: string[] = [];
const shards = new Map(SHARDS.map((id) => [id as string, { database: databaseOf(id) } as unknown as Store]));
const [companyId, other] = [newId(), newId()];
const token = newDriverToken('a', systemRandom);

beforeEach(() => {
  silent = undefined;
  asked.length = 0;
  for (const server of servers.values()) {
    for (const table of ['company_moves', 'driver_sessions', 'drivers']) server.run(`delete from ${table}`);
  }
});

test('a driver is found by their token after several moves', async () => {
  const driverId = await addDriver('c');
  sentOn('a', companyId, 'b');
  sentOn('b', companyId, 'c');
  expect(await findHim()).toEqual({ driverId, shard: 'c', companyId });
});

test("a driver is found even if a shard of other companies' moves does not answer", async () => {
  sentOn('a', other, 'b');
  sentOn('a', companyId, 'd');
  const driverId = await addDriver('d');
  silent = 'b';
  expect(await findHim()).toEqual({ driverId, shard: 'd', companyId });
});

test('a driver is unknown, not missing, while a shard on their way does not answer', async () => {
  sentOn('a', companyId, 'b');
  sentOn('b', companyId, 'c');
  silent = 'c';
  expect(await findHim()).toBe('unknown');
});

test('a link is looked up in every shard that the companies of its shard moved to, and in no other', async () => {
  sentOn('a', companyId, 'b');
  sentOn('b', companyId, 'c');
  // This company was never in shard a.
  sentOn('b', other, 'd');
  const clock = new SystemClock();
  const positionBook = new PositionBook();
  const clockBook = new ClockBook(clock, () => 0, false);
  const config = { baseUrl: 'https://api.example.com' };
  const enterShard = () => undefined;
  const dependencies = { config, shards, clock, clockBook, enterShard, moveBook: newBook(), positionBook };
  const link = 'a_0h5q7c4m2x9vt8ekdw3zrnjby6p1sgaf';
  expect(await readTracking(dependencies, link, { locale: 'en' })).toMatchObject({ code: 'TRACKING_LINK_UNAVAILABLE' });
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('a request reaches the current shard of its company, whichever earlier shard it names', async () => {
  sentOn('a', companyId, 'b');
  sentOn('b', companyId, 'c');
  const moveBook = newBook();
  for (const named of ['a', 'b', 'c']) {
    const home = await currentShardOf({ shards, moveBook }, scopeForService(named, companyId));
    expect(home).toMatchObject({ ok: true, value: { company: { companyId, shard: 'c' }, store: shards.get('c') } });
  }
});

test.each<[string, () => void, object]>([
  ['does not answer', () => (silent = 'a'), { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 }],
  [
    'forwards to a shard that does not answer',
    () => (sentOn('a', companyId, 'b'), (silent = 'b')),
    { retryAfterSeconds: 1 },
  ],
  ['forwards to an unknown shard', () => sentOn('a', companyId, 'gone' as Shard), { retryAfterSeconds: 60 }],
])('the shard of a company is unavailable when the named shard %s', async (_what, happen, refusal) => {
  happen();
  expect(await currentShardOf({ shards, moveBook: newBook() }, scopeForService('a', companyId))).toMatchObject(refusal);
});

test('shards that forward a company to each other do not cause an endless search', async () => {
  sentOn('a', companyId, 'b');
  sentOn('b', companyId, 'a');
  expect(await currentShardOf({ shards, moveBook: newBook() }, scopeForService('a', companyId))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await findHim()).toBeUndefined();
});

test('a shard that is back is used at once, even if its last answer has expired', async () => {
  let nowMs = 0;
  const book = new MoveBook(() => nowMs);
  const atMs = async (ms: number) => {
    nowMs = ms;
    return (await book.forwardsOf(databaseOf('a')))?.get(companyId);
  };
  sentOn('a', companyId, 'b');
  expect(await atMs(0)).toBe('b');
  silent = 'a';
  expect(await atMs(4500)).toBe('b');
  silent = undefined;
  // An answer is valid for six seconds.
  expect(await atMs(6000)).toBe('b');
  silent = 'a';
  expect(await atMs(11_900)).toBe('b');
  silent = undefined;
  expect(await atMs(12_100)).toBeUndefined();
  expect(await atMs(12_150)).toBe('b');
});

test('a shard that does not answer is asked four times a second in total', async () => {
  let nowMs = 0;
  let asks = 0;
  const book = new MoveBook(() => nowMs);
  const read = () => {
    asks += 1;
    return Promise.resolve({ ok: false });
  };
  const away = { id: 'a', read } as unknown as Database;
  for (nowMs = 0; nowMs < 1000; nowMs += 10) expect(await book.forwardsOf(away)).toBeUndefined();
  expect(asks).toBe(4);
});

async function findHim() {
  const clock = new SystemClock();
  const driverSessions = new DriverSessions(clock);
  return findDriver(
    { shards, clock, enterShard: () => undefined, moveBook: newBook(), driverSessions },
    'a',
    await tokenHashOf(token),
  );
}

async function addDriver(shard: Shard): Promise<string> {
  const driverId = newId();
  servers.get(shard)?.run(
    `insert into drivers values (?, '+966500000001', 'Sami', 'CAR', ?, '[]', '100', '100', 'RUH', 'ACTIVE', 1, 0, 1,
       null, null, null, 1, 0, null, null, 1, 1, 1)`,
    [driverId, companyId],
  );
  const expiresAt = (Date.now() + 3_600_000) * 1000;
  servers
    .get(shard)
    ?.run('insert into driver_sessions values (?, ?, 1, ?)', [await tokenHashOf(token), driverId, expiresAt]);
  return driverId;
}

function sentOn(from: Shard, company: string, to: Shard): void {
  const insert = "insert into company_moves values (?, 'MOVED', ?, ?, 'run', 1)";
  servers.get(from)?.run(insert, [company, to, to]);
}

function newBook(): MoveBook {
  return new MoveBook(() => 0);
}

function databaseOf(id: Shard) {
  return openDatabase({
    id,
    url: `http://${id}`,
    authToken: undefined,
    monotonicMs: () => performance.now(),
    report: () => undefined,
    fetch: (_url, { body }) => {
      if (silent === id) return Promise.reject(new Error('Network connection lost'));
      const { requests } = JSON.parse(body as string) as { requests: [{ batch: { steps: BatchStep[] } }] };
      const { steps } = requests[0].batch;
      if (steps.some(({ stmt }) => stmt.sql.includes('"tracking_links"'))) asked.push(id);
      const result = servers.get(id)?.batch(steps);
      return Promise.resolve(Response.json({ results: [{ type: 'ok', response: { result } }] }));
    },
  });
}

function onCommit(): void {}
