import { describe, expect, it } from 'vitest';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { SystemClock } from '../../../src/providers/system.ts';

const START_MS = 1_790_000_000_000;

describe('the system clock', () => {
  it('returns a later microsecond at each call within a millisecond', () => {
    const clock = new SystemClock(() => START_MS);
    const first = clock.now();
    expect(clock.now() - first).toBe(1n);
    expect(clock.now() - first).toBe(2n);
  });

  it('continues forwards when the wall clock steps back by up to a second', () => {
    let wallMs = START_MS;
    const clock = new SystemClock(() => wallMs);
    const first = clock.now();
    wallMs -= 1000;
    expect(clock.now()).toBe(first + 1n);
  });

  it('follows the wall clock back by an hour', () => {
    let wallMs = START_MS + 3_600_000;
    const clock = new SystemClock(() => wallMs);
    clock.now();
    wallMs = START_MS;
    expect(clock.now()).toBe(instantFromMillis(START_MS));
  });
});
