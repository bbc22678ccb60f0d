import type { DurableObjectStorage } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { storedAlarm } from '../../../src/platform/cloudflare/stored-alarm.ts';

/* The alarm of an evicted object: a new instance on the same storage. */

function newStorage() {
  const stored: { alarmMs: number | null; values: Map<string, unknown> } = { alarmMs: null, values: new Map() };
  const storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'> & {
    put(key: string, value: unknown): Promise<void>;
  } = {
    getAlarm: () => Promise.resolve(stored.alarmMs),
    setAlarm(at) {
      stored.alarmMs = Number(at);
      return Promise.resolve();
    },
    put(key, value) {
      stored.values.set(key, value);
      return Promise.resolve();
    },
  };
  const clock = { nowMs: 0, now: () => instantFromMillis(clock.nowMs) };
  const open = () => storedAlarm(storage, clock, ['name', 'one']);
  return { stored, clock, open };
}

test('a later time does not replace an alarm set before an eviction', async () => {
  const { stored, clock, open } = newStorage();
  await open().set(1_000);
  const born = open();
  clock.nowMs = 2_000;
  await born.set(61_000);
  await born.set(31_000);
  expect(stored).toEqual({ alarmMs: 1_000, values: new Map([['name', 'one']]) });
});

test('an earlier time replaces it, and so does any time after it has fired', async () => {
  const { stored, open } = newStorage();
  await open().set(61_000);
  const born = open();
  await born.set(1_000);
  expect(stored.alarmMs).toBe(1_000);
  stored.alarmMs = null;
  await born.set(61_000);
  expect(stored.alarmMs).toBe(61_000);
});

test('any time replaces an alarm that is late, because the clock of a resumed machine has stepped over it', async () => {
  const { stored, clock, open } = newStorage();
  const alarm = open();
  await alarm.set(1_000);
  clock.nowMs = 3_600_000;
  await alarm.set(3_600_000);
  expect(stored.alarmMs).toBe(3_600_000);
});
