import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commitGroup, type Unit, type UnitOutcome } from '../../db/commit.ts';
import { type BatchReply, sendBatch, stepOf, valuesOf } from '../../db/hrana.ts';
import { check, placeholder, queries, type WriteStatement, write, writeRow } from '../../db/statement.ts';
import { freePort } from '../../scripts/shared/ports.ts';
import { type Sqld, startSqld } from '../../scripts/shared/sqld.ts';

/* Units of one kind are merged, with the same outcomes as if they were separate. */

const TIMEOUT_MS = 10_000;
const parcels = sqliteTable('parcel', { id: integer().primaryKey(), name: text(), version: integer() });
const insertParcel = writeRow(
  queries.insert(parcels).values({ id: placeholder('id'), name: placeholder('name'), version: 0 }),
);
const moveOn = writeRow(
  queries
    .update(parcels)
    .set({ version: sql`${parcels.version} + 1` })
    .from(sql`(values (${placeholder('id')}, ${placeholder('version')})) as moved`)
    .where(sql`${parcels.id} = moved.column1 and ${parcels.version} = moved.column2`),
  { mustChange: true },
);
const isOpen = check(sql`${placeholder('depot')} <> 'closed'`);

const add = (id: number, name = `n${id}`, depot = 'open'): Unit => ({
  statements: [isOpen({ depot }), insertParcel({ id, name })],
});
const move = (id: number, version: number): Unit => ({ statements: [moveOn({ id, version })] });

const folder = mkdtempSync(join(tmpdir(), 'mirsal-merge-'));
let sqld: Sqld;
/** The number of steps of each request. */
let requests: number[] = [];
/** The number of savepoints of each request. */
let savepoints: number[] = [];

beforeAll(async () => {
  sqld = await startSqld({ folder, port: await freePort(), adminPort: await freePort() });
  await rowsOf(
    'CREATE TABLE parcel (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL) STRICT',
  );
});
beforeEach(async () => {
  await rowsOf('DELETE FROM parcel');
  woken = [];
  requests = [];
  savepoints = [];
});
afterAll(async () => {
  await sqld.stop();
  rmSync(folder, { recursive: true, force: true });
});

const fetchCounted = async (url: string, init: RequestInit) => {
  const body = JSON.parse(init.body as string) as { requests: [{ batch: { steps: { stmt: { sql: string } }[] } }] };
  const { steps } = body.requests[0].batch;
  requests.push(steps.length);
  const response = await fetch(url, init);
  const { results } = (await response.clone().json()) as {
    results: [{ response: { result: { step_results: unknown[] } } }];
  };
  const done = results[0].response.result.step_results;
  savepoints.push(steps.filter(({ stmt }, at) => stmt.sql === 'SAVEPOINT unit' && done[at] !== null).length);
  return response;
};

/** What the statements of the last groups woke. */
let woken: string[] = [];
function commit(...units: Unit[]): Promise<UnitOutcome[]> {
  const connection = { url: sqld.url, authToken: undefined, requireDurable: true, report: expect.unreachable };
  const wake = (ids: readonly string[]) => void woken.push(...ids);
  return commitGroup({ ...connection, fetch: fetchCounted, wake }, units, TIMEOUT_MS);
}

async function rowsOf(statement: string): Promise<unknown[][]> {
  const connection = { url: sqld.url, authToken: undefined, report: expect.unreachable, fetch };
  const reply: BatchReply = await sendBatch(connection, [stepOf(statement, [], true)], TIMEOUT_MS);
  if (reply.status !== 'answered' || reply.errors[0] != null) throw new Error(JSON.stringify(reply));
  return (reply.results[0]?.rows ?? []).map(valuesOf);
}
const stored = () => rowsOf('SELECT id, name, version FROM parcel ORDER BY id');
const statusesOf = (outcomes: readonly UnitOutcome[]) => outcomes.map(({ status }) => status);

describe('a group', () => {
  test('of one kind needs as many steps as one unit', async () => {
    await commit(add(1));
    const outcomes = await commit(...Array.from({ length: 60 }, (_, index) => add(index + 2)));
    expect(new Set(statusesOf(outcomes))).toEqual(new Set(['committed']));
    expect(requests[1]).toBe(requests[0]);
    expect(await stored()).toHaveLength(61);
  });

  test('keeps the order of its units', async () => {
    await rowsOf(
      'CREATE TABLE IF NOT EXISTS told (position INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL) STRICT',
    );
    const tell: (values: { id: number }) => WriteStatement = writeRow(
      queries.insert(sqliteTable('told', { position: integer(), id: integer() })).values({ id: placeholder('id') }),
    );
    const ids = [7, 3, 9, 1, 8];
    await commit(...ids.map((id) => ({ statements: [tell({ id })] })));
    expect(await rowsOf('SELECT id FROM told ORDER BY position')).toEqual(ids.map((id) => [BigInt(id)]));
  });

  test('tells what its statements wake, each once, and nothing of a unit that was refused', async () => {
    const visit: (values: { id: number; name: string }) => WriteStatement = writeRow(
      queries
        .insert(parcels)
        .values({ id: placeholder('id'), name: placeholder('name'), version: 0 })
        .returning({ wakes: sql`case when name <> 'quiet' then 'depot ' || (id % 2) end` }),
      { wakes: true },
    );
    await commit(add(1, 'taken'));
    const visits = ['a', 'b', 'taken', 'quiet', 'c'].map((name, index) => visit({ id: index + 10, name }));
    const outcomes = await commit(...visits.map((statement) => ({ statements: [statement] })));
    expect(statusesOf(outcomes)).toEqual(['committed', 'committed', 'refused', 'committed', 'committed']);
    expect(woken.toSorted()).toEqual(['depot 0', 'depot 1']);
  });

  test('commits the other units when one is refused, and reports which one', async () => {
    const outcomes = await commit(add(1), add(2), add(3, 'n1'), add(4));
    expect(statusesOf(outcomes)).toEqual(['committed', 'committed', 'refused', 'committed']);
    expect((await stored()).map(([id]) => id)).toEqual([1n, 2n, 4n]);
    expect(requests).toHaveLength(2);
  });

  test('runs few units separately when two of 64 are refused', async () => {
    await commit(add(10), add(50));
    requests = [];
    savepoints = [];
    const outcomes = await commit(...Array.from({ length: 64 }, (_, id) => add(id)));
    expect(statusesOf(outcomes).flatMap((status, id) => (status === 'committed' ? [] : [[id, status]]))).toEqual([
      [10, 'refused'],
      [50, 'refused'],
    ]);
    expect(requests).toHaveLength(2);
    // First all together; then eight parts, of which the two with a refused unit run their eight units separately.
    expect(savepoints).toEqual([1, 8 + 2 * 8]);
  });

  test('refuses only the unit whose check fails', async () => {
    const outcomes = await commit(add(1), add(2, 'n2', 'closed'), add(3));
    expect(statusesOf(outcomes)).toEqual(['committed', 'refused', 'committed']);
  });

  test('refuses only the unit whose row has changed', async () => {
    await commit(add(1), add(2), add(3));
    expect(statusesOf(await commit(move(1, 0), move(2, 5), move(3, 0)))).toEqual(['committed', 'refused', 'committed']);
    // Two updates of one version: the first one succeeds.
    expect(statusesOf(await commit(move(1, 1), move(3, 1), move(1, 1)))).toEqual(['committed', 'committed', 'refused']);
    expect((await stored()).map(([, , version]) => version)).toEqual([2n, 0n, 2n]);
  });

  test('of several kinds, and with statements of their own, is one request', async () => {
    await commit(add(1), add(2));
    requests = [];
    const rename = write(
      queries
        .update(parcels)
        .set({ name: 'renamed' })
        .where(sql`${parcels.id} = ${placeholder('id')}`),
    );
    const own: Unit = { statements: [rename({ id: 2 })] };
    expect(statusesOf(await commit(move(1, 0), add(3), own, move(2, 0), add(4)))).toEqual(Array(5).fill('committed'));
    expect(requests).toHaveLength(1);
    expect(await stored()).toEqual([
      [1n, 'n1', 1n],
      [2n, 'renamed', 1n],
      [3n, 'n3', 0n],
      [4n, 'n4', 0n],
    ]);
  });

  // Groups of one kind only: the order between different kinds may change.
  test('gives each unit the outcome that it has alone', { timeout: 60_000 }, async () => {
    const some = <Drawn>(unit: fc.Arbitrary<Drawn>) => fc.array(unit, { minLength: 1, maxLength: 20 });
    const adds = some(fc.tuple(fc.nat(5), fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('open', 'closed')));
    const moves = some(fc.tuple(fc.nat(5), fc.nat(1)));
    const inTurn = async (units: readonly Unit[]) => {
      const told: UnitOutcome[] = [];
      for (const unit of units) told.push(...(await commit(unit)));
      return told;
    };
    const kept = async (units: readonly Unit[], how: (units: readonly Unit[]) => Promise<UnitOutcome[]>) => {
      await rowsOf('DELETE FROM parcel');
      await rowsOf("INSERT INTO parcel VALUES (0, 'x', 0), (1, 'y', 1)");
      return [statusesOf(await how(units)), await stored()];
    };
    const group = fc.oneof(
      adds.map((drawn) => drawn.map((unit) => add(...unit))),
      moves.map((drawn) => drawn.map((unit) => move(...unit))),
    );
    await fc.assert(
      fc.asyncProperty(group, async (units) => {
        expect(await kept(units, (all) => commit(...all))).toEqual(await kept(units, inTurn));
      }),
      { numRuns: 60 },
    );
  });
});

test('a statement with placeholders outside a single row cannot be merged', () => {
  const outside = queries.update(parcels).set({ name: sql`${placeholder('name')}` });
  expect(() => writeRow(outside)).toThrow('All placeholders must be in one row of values');
  expect(() =>
    writeRow(queries.insert(parcels).values({ id: 1, name: placeholder('name'), version: 0 })),
  ).not.toThrow();
});
