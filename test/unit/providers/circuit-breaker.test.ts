import { beforeEach, describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../../src/providers/circuit-breaker.ts';

/* The breaker alone, with a clock that the test moves. */

const LIMITS = { failuresMax: 3, openMs: 5000, probeMs: 3000 };

let nowMs = 0;
let breaker: CircuitBreaker;

beforeEach(() => {
  nowMs = 1000;
  breaker = new CircuitBreaker(LIMITS, () => nowMs);
});

/** Lets a caller in; fails the test when the breaker does not. */
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

describe('closed', () => {
  test('failures with successes between them do not open it', () => {
    for (let round = 0; round < 10; round += 1) {
      enter()(false);
      enter()(false);
      enter()(true);
    }
    expect(isOpen()).toBe(false);
  });

  test('failures in a row open it', () => {
    enter()(false);
    enter()(false);
    expect(isOpen()).toBe(false);
    enter()(false);
    expect(isOpen()).toBe(true);
  });

  test('calls at the same time count like calls in a row', () => {
    const calls = [enter(), enter(), enter()];
    for (const settle of calls) settle(false);
    expect(isOpen()).toBe(true);
  });

  test('calls that never end do not count', () => {
    for (let call = 0; call < 100; call += 1) enter();
    enter()(false);
    expect(isOpen()).toBe(false);
  });
});

describe('open', () => {
  test('nobody is let through until its time is over', () => {
    open();
    nowMs += LIMITS.openMs - 1;
    expect(isOpen()).toBe(true);
    nowMs += 1;
    expect(isOpen()).toBe(false);
  });

  test('what began before it opened neither closes it nor holds it open', () => {
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

describe('half open', () => {
  beforeEach(() => {
    open();
    nowMs += LIMITS.openMs;
  });

  test('one probe at a time is let through', () => {
    enter();
    expect(isOpen()).toBe(true);
    expect(isOpen()).toBe(true);
  });

  test('a success closes it, and the count begins anew', () => {
    enter()(true);
    enter()(false);
    enter()(false);
    expect(isOpen()).toBe(false);
  });

  test('one failure opens it for the whole time again', () => {
    enter()(false);
    nowMs += LIMITS.openMs - 1;
    expect(isOpen()).toBe(true);
    nowMs += 1;
    enter()(false);
    expect(isOpen()).toBe(true);
  });

  test('the place of a probe that never ends expires', () => {
    enter();
    nowMs += LIMITS.probeMs - 1;
    expect(isOpen()).toBe(true);
    nowMs += 1;
    const second = enter();
    expect(isOpen()).toBe(true);
    second(true);
    expect(isOpen()).toBe(false);
  });

  test('a probe that ends after its place expired says nothing any more', () => {
    const first = enter();
    nowMs += LIMITS.probeMs;
    const second = enter();
    first(true);
    expect(isOpen()).toBe(true);
    second(false);
    nowMs += LIMITS.openMs - 1;
    expect(isOpen()).toBe(true);
  });

  test('a probe that tells its end twice is heard once', () => {
    const settle = enter();
    settle(true);
    settle(false);
    settle(false);
    settle(false);
    expect(isOpen()).toBe(false);
  });
});
