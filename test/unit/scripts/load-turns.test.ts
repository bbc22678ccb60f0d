import { expect, test } from 'vitest';
import { FRESH } from '../../../scripts/bench/load.ts';
import { turnsOf } from '../../../scripts/bench/turns.ts';

const request = (text: string) => ({ text, expectStatus: 200 });

test('sends each stream in proportion to its share, and the first stream instead of an exhausted one', () => {
  const next = turnsOf([
    { name: 'read', share: 6, requests: [request('read')] },
    { name: 'list', share: 3, requests: [request('list')] },
    { name: 'cancel', share: 1, requests: [request('cancel 1'), request('cancel 2')], isOnce: true },
  ]);
  const sent = Array.from({ length: 100 }, () => next().bytes.toString());
  const count = (text: string) => sent.filter((one) => one === text).length;
  expect([count('read'), count('list'), count('cancel 1'), count('cancel 2')]).toEqual([68, 30, 1, 1]);
});

test('writes a new text into each request and returns it', () => {
  const next = turnsOf([{ name: 'create', share: 1, requests: [request(`key ${FRESH}, reference ${FRESH}`)] }]);
  const turns = [next(), next()];
  for (const { bytes, fresh } of turns) expect(bytes.toString()).toBe(`key ${fresh}, reference ${fresh}`);
  expect(turns[0]?.fresh).toHaveLength(FRESH.length);
  expect(turns[0]?.fresh).not.toBe(turns[1]?.fresh);
});
