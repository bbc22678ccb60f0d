import { expect, test } from 'vitest';
import { addSeconds, parseInstant } from '../../../../src/core/instant.ts';
import { takenOf } from '../../../../src/domain/drivers/taken-at.ts';

const NOW = parseInstant('2026-11-21T17:00:00Z');
if (NOW === undefined) throw new Error('No instant');
const now = NOW;

test('what no client said stays unsaid', () => {
  expect(takenOf(undefined, now)).toEqual({});
});

test.each([
  ['just now', 0, 0],
  ['two hours ago', -7200, -7200],
  ['by a clock that is 10 s ahead', 10, 0],
])('an action of %s is believed', (_name, seconds, expected) => {
  expect(takenOf(addSeconds(now, seconds), now)).toEqual({ takenAt: addSeconds(now, expected) });
});

test.each([
  ['older than two hours', -7201],
  ['from the future', 11],
])('an action %s has no known time', (_name, seconds) => {
  expect(takenOf(addSeconds(now, seconds), now)).toEqual({ takenAt: null });
});
