import { afterEach, describe, expect, test, vi } from 'vitest';
import { ScriptedDatabase } from './scripted-database.ts';

/*
 * The queue in front of one database, with a database and a clock that the test controls. How real sqld handles the
 * batches is tested in test/database/commit.test.ts.
 */

describe('grouping', () => {
  test('units that arrive during a commit are sent together in the next one, in order', async () => {
    const database = new ScriptedDatabase();
    const outcomes = [database.commit('a')];
    const first = await database.nextBatch();
    outcomes.push(database.commit('b'), database.commit('c'), database.commit('d'));
    first.commit();
    const second = await database.nextBatch();
    second.commit();
    expect(first.markers).toEqual(['a']);
    expect(second.markers).toEqual(['b', 'c', 'd']);
    expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 4 }, () => ({ status: 'committed' })));
  });

  test('units of one turn share the first group, up to its size', async () => {
    const database = new ScriptedDatabase();
    const outcomes = ['a', 'b', 'c', 'd'].map((marker) => database.commit(marker));
    const first = await database.nextBatch();
    first.commit();
    const second = await database.nextBatch();
    second.commit();
    expect([first.markers, second.markers]).toEqual([['a', 'b', 'c'], ['d']]);
    await Promise.all(outcomes);
  });

  test('only committed units set the alarm', async () => {
    const database = new ScriptedDatabase();
    const outcome = database.commit('a');
    (await database.nextBatch()).refuse();
    expect((await outcome).status).toBe('refused');
    expect(database.woken).toEqual([]);
  });
});

describe('limits', () => {
  test('a full queue refuses at once', async () => {
    const database = new ScriptedDatabase();
    const first = database.commit('a');
    const batch = await database.nextBatch();
    const queued = ['b', 'c', 'd', 'e'].map((marker) => database.commit(marker));
    expect(await database.commit('f')).toEqual({ status: 'unavailable', reason: 'queue_full' });
    batch.commit();
    (await database.nextBatch()).commit();
    (await database.nextBatch()).commit();
    expect((await Promise.all([first, ...queued])).every(({ status }) => status === 'committed')).toBe(true);
  });

  test('a unit past its deadline is never sent', async () => {
    const database = new ScriptedDatabase();
    const first = database.commit('a');
    const batch = await database.nextBatch();
    const late = database.commit('late');
    database.nowMs = 1001;
    batch.commit();
    expect(await late).toEqual({ status: 'unavailable', reason: 'deadline' });
    expect(await first).toEqual({ status: 'committed' });
    const next = database.commit('next');
    const after = await database.nextBatch();
    after.commit();
    expect(after.markers).toEqual(['next']);
    await next;
  });

  test("a busy server is retried until the group's deadline", async () => {
    const database = new ScriptedDatabase();
    const outcome = database.commit('a');
    (await database.nextBatch()).answerBusy();
    (await database.nextBatch()).answerBusy();
    const third = await database.nextBatch();
    database.nowMs = 1000;
    third.answerBusy();
    expect(await outcome).toEqual({ status: 'unavailable', reason: 'busy' });
  });

  test('a unit with an unknown error is answered at once, and the others are committed', async () => {
    const database = new ScriptedDatabase();
    const outcomes = ['a', 'b'].map((marker) => database.commit(marker));
    (await database.nextBatch()).fail('a', 'disk I/O error');
    expect(await Promise.all(outcomes)).toEqual([{ status: 'unavailable', reason: 'failed' }, { status: 'committed' }]);
  });

  test('units that arrive while a server is busy join its next attempt', async () => {
    const database = new ScriptedDatabase();
    const first = database.commit('a');
    (await database.nextBatch()).answerBusy();
    const second = database.commit('b');
    const retry = await database.nextBatch();
    retry.commit();
    expect(retry.markers).toEqual(['a', 'b']);
    expect(await Promise.all([first, second])).toEqual([{ status: 'committed' }, { status: 'committed' }]);
  });
});

describe('a unit whose claim another unit has', () => {
  const INSERT = 'INSERT INTO t VALUES (?)';
  const claim = (value: string) => ({
    statements: [{ sql: INSERT, args: [value], row: [INSERT.indexOf('('), INSERT.length] as const }],
    claims: [value],
  });
  const statementsOf = (batch: { readonly markers: readonly string[] }) => batch.markers.length;

  test('is not merged with other units, in the same group or in later ones', async () => {
    const database = new ScriptedDatabase();
    const outcomes = ['x', 'y', 'x'].map((value) => database.committer.commit(claim(value)));
    const first = await database.nextBatch();
    first.commit();
    expect(statementsOf(first)).toBe(2);
    const later = ['x', 'z', 'w'].map((value) => database.committer.commit(claim(value)));
    const second = await database.nextBatch();
    second.commit();
    expect(statementsOf(second)).toBe(2);
    await Promise.all([...outcomes, ...later]);
  });

  test('is looked up for ten seconds after a repeat that nobody remembered, and then not merged', async () => {
    const database = new ScriptedDatabase();
    database.taken.push('old', 'older');
    const send = async (values: string[], { refused = false } = {}) => {
      const outcomes = values.map((value) => database.committer.commit(claim(value)));
      const batch = await database.nextBatch();
      if (refused) batch.refuse();
      else batch.commit();
      await Promise.all(outcomes);
      return statementsOf(batch);
    };
    expect(await send(['a', 'b'])).toBe(1);
    expect(database.lookedUp).toEqual([]);
    await send(['old'], { refused: true });
    expect(await send(['c', 'older', 'd'])).toBe(2);
    expect(database.lookedUp).toEqual([['c', 'older', 'd']]);
    database.nowMs += 10_000;
    expect(await send(['e', 'f'])).toBe(1);
    expect(database.lookedUp).toHaveLength(1);
  });

  test('is not looked up again after a lookup that took too long, so that one group at most waits for it', async () => {
    const database = new ScriptedDatabase();
    database.canLookUp = false;
    const send = async (values: string[], end: 'commit' | 'refuse') => {
      const outcomes = values.map((value) => database.committer.commit(claim(value)));
      (await database.nextBatch())[end]();
      return Promise.all(outcomes);
    };
    await send(['old'], 'refuse');
    for (const values of [
      ['a', 'b'],
      ['c', 'd'],
    ])
      expect(await send(values, 'commit')).toEqual([{ status: 'committed' }, { status: 'committed' }]);
    expect(database.lookedUp).toEqual([['a', 'b']]);
  });

  test('is not merged after it was refused, because it would be refused again', async () => {
    const database = new ScriptedDatabase();
    const refused = database.committer.commit(claim('x'));
    (await database.nextBatch()).refuse();
    expect((await refused).status).toBe('refused');
    const later = ['x', 'z', 'w'].map((value) => database.committer.commit(claim(value)));
    const batch = await database.nextBatch();
    batch.commit();
    expect(statementsOf(batch)).toBe(2);
    await Promise.all(later);
  });
});

describe('durability', () => {
  test('a server that does not sync is reconfigured, and the group is sent again', async () => {
    const database = new ScriptedDatabase();
    const outcome = database.commit('a');
    (await database.nextBatch()).answerNotDurable();
    (await database.nextBatch()).commit();
    expect(await outcome).toEqual({ status: 'committed' });
    expect(database.restored).toBe(1);
  });

  test('if the server cannot be reconfigured, the unit is unavailable', async () => {
    const database = new ScriptedDatabase();
    database.canRestore = false;
    const outcome = database.commit('a');
    (await database.nextBatch()).answerNotDurable();
    expect(await outcome).toEqual({ status: 'unavailable', reason: 'not_durable' });
  });
});

describe('a commit with unknown outcome', () => {
  test('is unknown for the first unit, and in progress for a second one with the same key', async () => {
    const database = new ScriptedDatabase();
    const outcomes = [database.commit('a', 'key'), database.commit('a', 'key')];
    (await database.nextBatch()).cut();
    expect(await Promise.all(outcomes)).toEqual([{ status: 'unknown' }, { status: 'in_progress' }]);
  });

  test('is unknown for a second unit too, if that came after the answer to the first', async () => {
    const database = new ScriptedDatabase();
    for (const _attempt of [1, 2]) {
      const outcome = database.commit('a', 'key');
      (await database.nextBatch()).cut();
      expect(await outcome).toEqual({ status: 'unknown' });
    }
  });

  test('does not concern units that were refused: both get their refusal', async () => {
    const database = new ScriptedDatabase();
    const outcomes = [database.commit('a', 'key'), database.commit('a', 'key')];
    (await database.nextBatch()).refuse();
    expect((await Promise.all(outcomes)).map(({ status }) => status)).toEqual(['refused', 'refused']);
  });
});

describe('group and queue size in bytes', () => {
  const heavy = (bytes: number) => ({ statements: [{ sql: 'INSERT heavy', args: ['x'.repeat(bytes)] }] });

  test('a group stays below its limit, and a larger unit is sent alone', async () => {
    const database = new ScriptedDatabase();
    const outcomes = [600, 600].map((bytes) => database.committer.commit(heavy(bytes)));
    const first = await database.nextBatch();
    first.commit();
    const second = await database.nextBatch();
    second.commit();
    expect([first.markers, second.markers]).toEqual([['heavy'], ['heavy']]);
    await Promise.all(outcomes);
    const alone = database.committer.commit(heavy(2000));
    (await database.nextBatch()).commit();
    expect(await alone).toEqual({ status: 'committed' });
  });

  test('a queue beyond its limit refuses at once', async () => {
    const database = new ScriptedDatabase();
    const first = database.committer.commit(heavy(2500));
    expect(await database.committer.commit(heavy(2500))).toEqual({ status: 'unavailable', reason: 'queue_full' });
    (await database.nextBatch()).commit();
    await first;
  });
});

test('a unit that cannot be serialised is invalid and does not block the next one', async () => {
  const database = new ScriptedDatabase();
  const broken = { statements: [{ sql: 'INSERT broken', args: [undefined as unknown as string] }] };
  expect((await database.committer.commit(broken)).status).toBe('invalid');
  const next = database.commit('next');
  (await database.nextBatch()).commit();
  expect(await next).toEqual({ status: 'committed' });
});

describe('a failed report of a group', () => {
  afterEach(() => void vi.restoreAllMocks());
  const log = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failing = () => {
    throw new Error('cannot be told');
  };

  test.each([
    [
      'its measurement',
      (database: ScriptedDatabase) => vi.spyOn(database.metrics, 'measure').mockImplementation(failing),
    ],
    ['its bell', (database: ScriptedDatabase) => void (database.onCommitted = failing)],
  ])('(%s) is logged; the units are answered, and the next group is sent', async (_what, fail) => {
    const lines = log();
    const database = new ScriptedDatabase();
    fail(database);
    for (const marker of ['a', 'b']) {
      const outcome = database.commit(marker);
      (await database.nextBatch()).commit();
      expect(await outcome).toEqual({ status: 'committed' });
    }
    await expect.poll(() => lines.mock.calls.length).toBe(2);
    const time: unknown = expect.any(String);
    const told = { level: 'error', time, database: 'shard-1', error: 'Error: cannot be told' };
    expect(lines.mock.calls.flat().map((line) => JSON.parse(String(line)))).toEqual([told, told]);
  });

  test('does not change refusals that cannot be counted', async () => {
    log();
    const database = new ScriptedDatabase();
    const first = database.commit('a');
    const batch = await database.nextBatch();
    const queued = ['b', 'c', 'd', 'e'].map((marker) => database.commit(marker));
    vi.spyOn(database.metrics, 'count').mockImplementation(failing);
    expect(await database.commit('f')).toEqual({ status: 'unavailable', reason: 'queue_full' });
    database.nowMs = 1001;
    batch.commit();
    expect((await first).status).toBe('committed');
    const late = await Promise.all(queued);
    expect(late.map((outcome) => 'reason' in outcome && outcome.reason)).toEqual(Array(4).fill('deadline'));
    const next = database.commit('next');
    (await database.nextBatch()).commit();
    expect((await next).status).toBe('committed');
  });
});
