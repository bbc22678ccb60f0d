import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../db/database.ts';
import { ONCE, StreamPool } from '../../../db/streams.ts';

const NEW = { baton: null, isKept: true };
const FIRST_READS = 9;

/** A pool with frequent requests, whose clock only the test advances. */
function poolInUse() {
  const clock = { nowMs: 0 };
  const pool = new StreamPool(() => clock.nowMs);
  const askOften = () => {
    for (let asked = 0; asked < FIRST_READS; asked += 1) pool.take();
  };
  askOften();
  return { clock, pool, askOften };
}

describe('streams kept open', () => {
  test('none with less than ten requests in 200 ms', () => {
    const clock = { nowMs: 0 };
    const pool = new StreamPool(() => clock.nowMs);
    for (let asked = 0; asked < 30; asked += 1) {
      clock.nowMs += 23;
      expect(pool.take()).toEqual(ONCE);
    }
  });

  test('one with ten requests in 198 ms', () => {
    const clock = { nowMs: 0 };
    const pool = new StreamPool(() => clock.nowMs);
    for (let asked = 0; asked < FIRST_READS; asked += 1, clock.nowMs += 22) expect(pool.take()).toEqual(ONCE);
    expect(pool.take()).toEqual(NEW);
  });

  test('none after the pool has learned that the next request may reach another server', () => {
    const { clock, pool, askOften } = poolInUse();
    pool.stopKeeping();
    pool.pause();
    clock.nowMs = 60_000;
    askOften();
    expect(pool.take()).toEqual(ONCE);
  });

  test('one per concurrent request, the last returned first', () => {
    const { pool } = poolInUse();
    const [first, second] = [pool.take(), pool.take()];
    expect([first, second]).toEqual([NEW, NEW]);
    pool.giveBack(first, 'first-2');
    pool.giveBack(second, 'second-2');
    expect([pool.take(), pool.take(), pool.take()].map(({ baton }) => baton)).toEqual(['second-2', 'first-2', null]);
  });

  test('an idle one is used and closed once requests are rare', () => {
    const { clock, pool } = poolInUse();
    pool.giveBack(pool.take(), 'idle');
    clock.nowMs = 201;
    expect(pool.take()).toEqual({ baton: 'idle', isKept: false });
    expect(pool.take()).toEqual(ONCE);
  });

  test('at most 48, including lost ones until the server has closed them', () => {
    const { clock, pool, askOften } = poolInUse();
    for (let kept = 0; kept < 48; kept += 1) expect(pool.take()).toEqual(NEW);
    expect(pool.take()).toEqual(ONCE);
    clock.nowMs = 13_999;
    askOften();
    expect(pool.take()).toEqual(ONCE);
    clock.nowMs = 14_000;
    expect(pool.take()).toEqual(NEW);
  });

  test('none that the server may have closed', () => {
    const { clock, pool, askOften } = poolInUse();
    pool.giveBack(pool.take(), 'idle');
    clock.nowMs = 9001;
    expect(pool.take()).toEqual(ONCE);
    askOften();
    expect(pool.take()).toEqual(NEW);
  });

  test('none for longer than ten seconds', () => {
    const { clock, pool } = poolInUse();
    /** The stream of the tenth request at this time. */
    const tenth = () => {
      for (let asked = 0; asked < FIRST_READS; asked += 1) pool.giveBack(pool.take(), 'next');
      const stream = pool.take();
      pool.giveBack(stream, 'next');
      return stream;
    };
    expect(pool.take()).toEqual(NEW);
    for (clock.nowMs = 1; clock.nowMs < 10_000; clock.nowMs += 3333)
      expect(tenth()).toEqual({ baton: 'next', isKept: true });
    clock.nowMs = 10_001;
    expect(tenth()).toEqual({ baton: 'next', isKept: false });
  });

  test('none that were idle when a request had an unknown outcome; later returned ones stay', () => {
    const { clock, pool } = poolInUse();
    const [one, two, three] = [pool.take(), pool.take(), pool.take()];
    pool.giveBack(one, 'one');
    pool.giveBack(two, 'two');
    clock.nowMs = 1;
    const unknown = pool.take();
    clock.nowMs = 2;
    pool.giveBack(three, 'three');
    pool.forget(unknown);
    expect([pool.take(), pool.take()].map(({ baton }) => baton)).toEqual(['three', null]);
  });

  test('none while the server refuses new ones, and idle ones are closed', () => {
    const { clock, pool, askOften } = poolInUse();
    const [idle, refused] = [pool.take(), pool.take()];
    pool.giveBack(idle, 'idle');
    pool.drop(refused);
    pool.pause();
    expect([pool.take(), pool.take()]).toEqual([{ baton: 'idle', isKept: false }, ONCE]);
    clock.nowMs = 11_999;
    askOften();
    expect(pool.take()).toEqual(ONCE);
    clock.nowMs = 12_000;
    expect(pool.take()).toEqual(NEW);
  });

  test('none that was dropped, and no returned one twice', () => {
    const { pool } = poolInUse();
    const stream = pool.take();
    pool.drop(stream);
    pool.giveBack(stream, 'late');
    const another = pool.take();
    expect(another).toEqual(NEW);
    pool.giveBack(another, 'next');
    pool.giveBack(another, 'next');
    expect([pool.take().baton, pool.take().baton]).toEqual(['next', null]);
  });
});

/** A server that answers each batch, and knows only the streams that it opened itself since it started. */
function restartingServer(lostStatus: number) {
  const open = new Set<string>();
  let opened = 0;
  const fetch = async (_url: string, { body }: RequestInit): Promise<Response> => {
    const { baton, requests } = JSON.parse(typeof body === 'string' ? body : '') as {
      baton: string | null;
      requests: { type: string }[];
    };
    if (baton !== null && !open.delete(baton)) return new Response('{"error":"lost"}', { status: lostStatus });
    const isKept = requests.at(-1)?.type === 'get_autocommit';
    opened += 1;
    const next = isKept ? `stream-${opened}` : null;
    if (next !== null) open.add(next);
    await Promise.resolve();
    const result = { step_results: [{ rows: [] }], step_errors: [null] };
    const batch = { type: 'ok', response: { type: 'batch', result } };
    return Response.json({
      baton: next,
      base_url: null,
      results: [batch, { type: 'ok', response: { is_autocommit: true } }],
    });
  };
  return { fetch, open };
}

describe('reads after the server has lost its streams', () => {
  test.each([400, 404, 410, 500, 502])('all succeed if it answers them %i', async (status) => {
    const { fetch, open } = restartingServer(status);
    const faults: string[] = [];
    const report = (fault: string) => void faults.push(fault);
    const database = openDatabase({
      id: 'x',
      url: 'http://x',
      authToken: undefined,
      monotonicMs: () => 0,
      report,
      fetch,
    });
    const read = () => database.read({ sql: 'select 1', args: [], decode: () => 1 });
    const readAll = () => Promise.all(Array.from({ length: 40 }, read));
    await readAll();
    expect(open.size).toBeGreaterThan(20);
    open.clear();
    expect((await readAll()).filter(({ ok }) => !ok)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
