import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Release, Semaphore } from '../../../src/core/semaphore.ts';

const LIMITS = { places: 2, waitingMax: 3, waitMs: 1000, holdMs: 5000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // Before the timers: it forgets the spy on a false one, which another file of this worker would restore.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A semaphore without a free place. Time advances with `vi.advanceTimersByTimeAsync`. */
async function fullSemaphore() {
  const semaphore = new Semaphore({ ...LIMITS, monotonicMs: () => performance.now() });
  const order: string[] = [];
  /** Waits under a name, and records whether it was admitted or refused. */
  const acquire = async (name: string): Promise<Release | undefined> => {
    const release = await semaphore.acquire();
    order.push(release === undefined ? `${name} refused` : name);
    return release;
  };
  const first = await semaphore.acquire();
  const second = await semaphore.acquire();
  if (first === undefined || second === undefined) throw new Error('There was no place');
  return { semaphore, acquire, order, first, second };
}

/** Lets pending promises settle. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a semaphore without a free place', () => {
  test('gives a freed place to the caller that has waited longest', async () => {
    const { acquire, order, first, second } = await fullSemaphore();
    void acquire('first in line');
    void acquire('second in line');
    first();
    const late = acquire('late');
    await settle();
    expect(order).toEqual(['first in line']);
    second();
    await settle();
    expect(order).toEqual(['first in line', 'second in line']);
    await vi.advanceTimersByTimeAsync(LIMITS.waitMs);
    expect(await late).toBeUndefined();
  });

  test('refuses a caller after its waiting time', async () => {
    const { acquire, order } = await fullSemaphore();
    void acquire('waiting');
    await vi.advanceTimersByTimeAsync(LIMITS.waitMs - 1);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(order).toEqual(['waiting refused']);
  });

  test('refuses at once when enough callers wait', async () => {
    const { acquire, order } = await fullSemaphore();
    for (let count = 0; count < LIMITS.waitingMax; count += 1) void acquire('waiting');
    await acquire('one more');
    expect(order).toEqual(['one more refused']);
  });
});

test('gives places to owners in turn, and refuses one who already has many callers in line', async () => {
  const limits = { ...LIMITS, places: 1, waitingMax: 6, waitingOfOwnerMax: 3 };
  const semaphore = new Semaphore({ ...limits, monotonicMs: () => performance.now() });
  const order: string[] = [];
  const print = async (owner: string, number: number) => {
    const release = await semaphore.acquire(owner);
    order.push(`${owner} ${release === undefined ? 'refused' : number}`);
    setTimeout(() => release?.(), 10);
  };
  for (const number of [1, 2, 3, 4, 5]) void print('many', number);
  for (const number of [1, 2]) void print('few', number);
  void print('one', 1);
  await vi.advanceTimersByTimeAsync(200);
  expect(order).toEqual(['many 1', 'many refused', 'few 1', 'one 1', 'many 2', 'few 2', 'many 3', 'many 4']);
});

test('releasing a place twice frees one place', async () => {
  const { acquire, order, first } = await fullSemaphore();
  first();
  first();
  void acquire('next');
  void acquire('one more');
  await settle();
  expect(order).toEqual(['next']);
});

describe('when the runtime ends a request without running its finally', () => {
  test('its place is freed after a time', async () => {
    const { acquire, order } = await fullSemaphore();
    await vi.advanceTimersByTimeAsync(LIMITS.holdMs - 1);
    void acquire('too early');
    await settle();
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    void acquire('in time');
    await settle();
    expect(order.toSorted()).toEqual(['in time', 'too early']);
  });

  test('it is not counted as waiting and gets no place', async () => {
    const { acquire, order, first } = await fullSemaphore();
    // Nothing of these requests runs any more, including their timers.
    const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never);
    for (let count = 0; count < LIMITS.waitingMax; count += 1) void acquire('ended');
    timers.mockRestore();
    await vi.advanceTimersByTimeAsync(LIMITS.waitMs);
    const alive = acquire('alive');
    first();
    expect(await alive).toBeTypeOf('function');
    expect(order).toContain('alive');
    expect(order).not.toContain('ended');
  });
});
