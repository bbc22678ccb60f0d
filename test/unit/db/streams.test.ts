import { describe, expect, test } from 'vitest';
import { ONCE, StreamPool } from '../../../db/streams.ts';

const NEW = { baton: null, isKept: true };
const FIRST_READS = 9;

/** A pool that was asked often just now, whose clock stands still until it is moved. */
function poolInUse() {
  const clock = { nowMs: 0 };
  const pool = new StreamPool(() => clock.nowMs);
  const askOften = () => {
    for (let asked = 0; asked < FIRST_READS; asked += 1) pool.take();
  };
  askOften();
  return { clock, pool, askOften };
}

describe('which streams are kept', () => {
  test('none by whoever asks less often than ten times in 200 ms', () => {
    const clock = { nowMs: 0 };
    const pool = new StreamPool(() => clock.nowMs);
    for (let asked = 0; asked < 30; asked += 1) {
      clock.nowMs += 23;
      expect(pool.take()).toEqual(ONCE);
    }
  });

  test('one by whoever asks ten times in 198 ms', () => {
    const clock = { nowMs: 0 };
    const pool = new StreamPool(() => clock.nowMs);
    for (let asked = 0; asked < FIRST_READS; asked += 1, clock.nowMs += 22) expect(pool.take()).toEqual(ONCE);
    expect(pool.take()).toEqual(NEW);
  });

  test('none once the next request may reach another server, whatever comes later', () => {
    const { clock, pool, askOften } = poolInUse();
    pool.stopKeeping();
    pool.pause();
    clock.nowMs = 60_000;
    askOften();
    expect(pool.take()).toEqual(ONCE);
  });

  test('one by whoever asks often; what came back last is taken first, by one at a time', () => {
    const { pool } = poolInUse();
    const [first, second] = [pool.take(), pool.take()];
    expect([first, second]).toEqual([NEW, NEW]);
    pool.giveBack(first, 'first-2');
    pool.giveBack(second, 'second-2');
    expect([pool.take(), pool.take(), pool.take()].map(({ baton }) => baton)).toEqual(['second-2', 'first-2', null]);
  });

  test('one that is idle is used and closed by whoever asks seldom now', () => {
    const { clock, pool } = poolInUse();
    pool.giveBack(pool.take(), 'idle');
    clock.nowMs = 201;
    expect(pool.take()).toEqual({ baton: 'idle', isKept: false });
    expect(pool.take()).toEqual(ONCE);
  });

  test('at most 48, lost ones among them until the server has ended them', () => {
    const { clock, pool, askOften } = poolInUse();
    for (let kept = 0; kept < 48; kept += 1) expect(pool.take()).toEqual(NEW);
    expect(pool.take()).toEqual(ONCE);
    clock.nowMs = 13_999;
    askOften();
    expect(pool.take()).toEqual(ONCE);
    clock.nowMs = 14_000;
    expect(pool.take()).toEqual(NEW);
  });

  test('none that the server may have ended', () => {
    const { clock, pool, askOften } = poolInUse();
    pool.giveBack(pool.take(), 'idle');
    clock.nowMs = 9001;
    expect(pool.take()).toEqual(ONCE);
    askOften();
    expect(pool.take()).toEqual(NEW);
  });

  test('none for longer than ten seconds', () => {
    const { clock, pool } = poolInUse();
    /** What the tenth batch of this moment is sent on. */
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

  test('none of those that were idle when one was unknown; those that came back later stay', () => {
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

  test('none while the server has none to give; what is idle is closed', () => {
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

  test('none twice, and none that was dropped', () => {
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
