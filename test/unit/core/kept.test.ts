import { expect, test } from 'vitest';
import { Kept } from '../../../src/core/kept.ts';

function newKept(entriesMax?: number) {
  const clock = { nowMs: 0 };
  const options = { keptMs: 100, nowMs: () => clock.nowMs };
  return { clock, kept: new Kept<string, number>(entriesMax === undefined ? options : { ...options, entriesMax }) };
}

test('a value is returned while it is fresh and dropped when it is stale', () => {
  const { clock, kept } = newKept();
  kept.set('a', 1);
  clock.nowMs = 99;
  expect([kept.get('a'), kept.get('b')]).toEqual([1, undefined]);
  clock.nowMs = 100;
  expect(kept.peek('a')).toEqual({ value: 1, isFresh: false });
  expect([kept.get('a'), kept.peek('a')]).toEqual([undefined, undefined]);
});

test('a newer value replaces an older one in either generation', () => {
  const { kept } = newKept(4);
  for (const [index, key] of ['a', 'b', 'c'].entries()) kept.set(key, index);
  kept.set('a', 10);
  expect(kept.get('a')).toBe(10);
  kept.forget('a');
  expect(kept.get('a')).toBeUndefined();
});

test('the cache never exceeds its limit and keeps at least the newest half', () => {
  const { kept } = newKept(10);
  const keys = Array.from({ length: 1000 }, (_, index) => `key-${index}`);
  for (const [index, key] of keys.entries()) {
    kept.set(key, index);
    const found = keys.slice(0, index + 1).filter((known) => kept.get(known) !== undefined);
    expect(found.length).toBeLessThanOrEqual(10);
    expect(found.slice(-5)).toEqual(keys.slice(Math.max(0, index - 4), index + 1));
  }
});

test('setting a known key again evicts nothing', () => {
  const { kept } = newKept(2);
  kept.set('old', 1);
  for (let round = 0; round < 5; round += 1) kept.set('young', round);
  expect([kept.get('old'), kept.get('young')]).toEqual([1, 4]);
});

test('setting a value takes constant time, even when the cache is full', () => {
  const { kept } = newKept(100_000);
  const seconds = (count: number, from: number) => {
    const startedAt = performance.now();
    for (let index = from; index < from + count; index += 1) kept.set(`key-${index}`, index);
    return (performance.now() - startedAt) / 1000;
  };
  seconds(100_000, 0);
  // A scan of 100,000 entries per value would take minutes.
  expect(seconds(200_000, 100_000)).toBeLessThan(5);
});

test('the age of a value counts from the start of its read', async () => {
  const { clock, kept } = newKept();
  const read = (value: number) => () => {
    clock.nowMs += 60;
    return Promise.resolve(value);
  };
  expect(await kept.getOrRead('a', read(1))).toBe(1);
  clock.nowMs = 99;
  expect(await kept.getOrRead('a', read(2))).toBe(1);
  clock.nowMs = 100;
  expect(await kept.getOrRead('a', read(2))).toBe(2);
});

test('a read without a result is not cached', async () => {
  const { kept } = newKept();
  expect(await kept.getOrRead('a', () => Promise.resolve(undefined))).toBeUndefined();
  expect(await kept.getOrRead('a', () => Promise.resolve(3))).toBe(3);
});

test('one caller renews a value that will soon be stale, and the others use it meanwhile', async () => {
  const clock = { nowMs: 0 };
  const kept = new Kept<string, number>({ keptMs: 100, renewedAfterMs: 80, nowMs: () => clock.nowMs });
  kept.set('a', 1);
  clock.nowMs = 79;
  expect(await kept.getOrRead('a', () => Promise.resolve(2))).toBe(1);
  clock.nowMs = 80;
  const { promise, resolve } = Promise.withResolvers<number>();
  const renewed = kept.getOrRead('a', () => promise);
  expect(await kept.getOrRead('a', () => Promise.resolve(3))).toBe(1);
  resolve(2);
  expect([await renewed, kept.get('a')]).toEqual([2, 2]);
});

test('a value stays until it is stale if it cannot be renewed', async () => {
  const clock = { nowMs: 0 };
  const kept = new Kept<string, number>({ keptMs: 100, renewedAfterMs: 80, nowMs: () => clock.nowMs });
  kept.set('a', 1);
  const fail = () => Promise.resolve(undefined);
  clock.nowMs = 99;
  expect([await kept.getOrRead('a', fail), kept.get('a')]).toEqual([1, 1]);
  clock.nowMs = 100;
  expect(await kept.getOrRead('a', fail)).toBeUndefined();
});

test('a value is created once', () => {
  const kept = new Kept<string, object>();
  const made = kept.getOrMake('a', () => ({}));
  expect(kept.getOrMake('a', () => ({}))).toBe(made);
});

test('forgetWhere drops the matching values of both generations', () => {
  const { kept } = newKept(4);
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) kept.set(key, index);
  kept.forgetWhere((value) => value % 2 === 0);
  expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).toEqual([undefined, 1, undefined, 3]);
});
