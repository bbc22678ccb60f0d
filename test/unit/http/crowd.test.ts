import { expect, test } from 'vitest';
import { Crowd } from '../../../src/http/crowd.ts';

const REQUESTS_MAX = 384;
const newRequest = () => new Request('http://mirsal/');

function openCrowd() {
  const crowd = new Crowd();
  const inside = Array.from({ length: REQUESTS_MAX }, newRequest);
  expect(inside.every((request) => crowd.enter(request, 0))).toBe(true);
  return { crowd, first: inside[0] ?? newRequest(), enter: (nowMs = 1) => crowd.enter(newRequest(), nowMs) };
}

test('one more is refused until one has left', () => {
  const { crowd, first, enter } = openCrowd();
  expect(enter()).toBe(false);
  crowd.leave(first);
  expect(enter()).toBe(true);
  expect(enter()).toBe(false);
});

test('who waits for a body takes no place, and is not refused when it has come', () => {
  const { crowd, first, enter } = openCrowd();
  crowd.stepOut(first);
  expect(enter()).toBe(true);
  crowd.comeBack(first);
  expect(enter()).toBe(false);
  crowd.leave(first);
  // One is still too many.
  expect(enter()).toBe(false);
});

test('who has left, or was never let in, does not come in by his body', () => {
  const { crowd, first, enter } = openCrowd();
  crowd.stepOut(first);
  crowd.leave(first);
  crowd.comeBack(first);
  const stranger = newRequest();
  crowd.stepOut(stranger);
  crowd.comeBack(stranger);
  expect(enter()).toBe(true);
});

test('a place that was never given back is free again when no request can last so long', () => {
  const { enter } = openCrowd();
  expect(enter(29_999)).toBe(false);
  expect(enter(30_000)).toBe(true);
});
