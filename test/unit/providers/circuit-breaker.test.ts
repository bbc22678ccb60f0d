import { beforeEach, describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../../src/providers/circuit-breaker.ts';

/* The breaker alone, with a simulated clock. */

const LIMITS = { failuresMax: 3, openMs: 5000, probeMs: 3000 };

let nowMs = 0;
let breaker: CircuitBreaker;

beforeEach(() => {
  nowMs = 1000;
  breaker = new CircuitBreaker(LIMITS, () => nowMs);
});

/** Makes a call; fails the test if the breaker refuses it. */
function enter(): (hasSucceeded: boolean) => void {
  const settle = breaker.enter();
  if (settle === undefined) throw new Error('The breaker is open');
  return settle;
}

function isOpen(): boolean {
  return breaker.enter() === undefined;
}

function open(): void {
  for (let failure = 0; failure < LIMITS.failuresMax; failure += 1) enter()(false);
}

describe('when closed', () => {
  test('failures with successes in between do not open it', () => {
    for (let round = 0; round < 10; round += 1) {
      enter()(false);
      enter()(false);
      enter()(true);
    }
    expect(isOpen()).toBe(false);
  });

  test('consecutive failures open it', () => {
    enter()(false);
    enter()(false);
    expect(isOpen()).toBe(false);
    enter()(false);
    expect(isOpen()).toBe(true);
  });

  test('concurrent failures count like consecutive ones', () => {
    const calls = [enter(), enter(), enter()];
    for (const settle of calls) settle(false);
    expect(isOpen()).toBe(true);
  });

  test('calls that never settle do not count', () => {
    for (let call = 0; call < 100; call += 1) enter();
    enter()(false);
    expect(isOpen()).toBe(false);
  });
});

describe('when open', () => {
  test('it refuses every call until its time has passed', () => {
    open();
    nowMs += LIMITS.openMs - 1;
    expect(isOpen()).toBe(true);
    nowMs += 1;
    expect(isOpen()).toBe(false);
  });

  test('calls from before neither close it nor extend its time', () => {
    const [early, late] = [enter(), enter()];
    open();
    early(true);
    expect(isOpen()).toBe(true);
    nowMs += LIMITS.openMs - 1;
    late(false);
    nowMs += 1;
    expect(isOpen()).toBe(false);
  });
});

describe('when half open', () => {
  beforeEach(() => {
    open();
    nowMs += LIMITS.openMs;
  });

  test('it admits one probe at a time', () => {
    enter();
    expect(isOpen()).toBe(true);
    expect(isOpen()).toBe(true);
  });

  test('a success closes it and resets the count', () => {
    enter()(true);
    enter()(false);
    enter()(false);
    expect(isOpen()).toBe(false);
  });

  test('a failure opens it for its full time again', () => {
    enter()(false);
    nowMs += LIMITS.openMs - 1;
    expect(isOpen()).toBe(true);
    nowMs += 1;
    enter()(false);
    expect(isOpen()).toBe(true);
  });

  test('a probe that never settles expires', () => {
    enter();
    nowMs += LIMITS.probeMs - 1;
    expect(isOpen()).toBe(true);
    nowMs += 1;
    const second = enter();
    expect(isOpen()).toBe(true);
    second(true);
    expect(isOpen()).toBe(false);
  });

  test('an expired probe has no effect when it settles', () => {
    const first = enter();
    nowMs += LIMITS.probeMs;
    const second = enter();
    first(true);
    expect(isOpen()).toBe(true);
    second(false);
    nowMs += LIMITS.openMs - 1;
    expect(isOpen()).toBe(true);
  });

  test('a probe that settles twice counts once', () => {
    const settle = enter();
    settle(true);
    settle(false);
    settle(false);
    settle(false);
    expect(isOpen()).toBe(false);
  });
});
