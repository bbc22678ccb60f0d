import { describe, expect, it } from 'vitest';
import { memoryLimiter } from '../../../src/providers/memory-limiter.ts';

const ALLOWANCES = { reads: 2, writes: 2, estimates: 2, tokens: 2, tracking: 2 };

function limiterAt(identitiesMax?: number) {
  const time = { nowMs: 0 };
  const limiter = memoryLimiter(() => time.nowMs, ALLOWANCES, identitiesMax);
  return { time, limiter };
}

describe('the limiter in memory', () => {
  it('refuses beyond the allowance, and allows again in the next minute', async () => {
    const { time, limiter } = limiterAt();
    for (let use = 0; use < 2; use += 1) expect(await limiter.take('reads', 'client')).toEqual({ ok: true });
    time.nowMs = 59_001;
    expect(await limiter.take('reads', 'client')).toEqual({ ok: false, retryAfterSeconds: 1 });
    time.nowMs = 60_000;
    expect(await limiter.take('reads', 'client')).toEqual({ ok: true });
  });

  it('keeps current windows when there are more identities than it can hold', async () => {
    const { limiter } = limiterAt(100);
    for (let use = 0; use < 3; use += 1) await limiter.take('tokens', 'victim');
    for (let index = 0; index < 10_000; index += 1) await limiter.take('tokens', `invented-${index}`);
    expect((await limiter.take('tokens', 'victim')).ok).toBe(false);
  });

  it('shares limits between new identities when it is full', async () => {
    const { limiter } = limiterAt(1);
    await limiter.take('tokens', 'first');
    const answers = [];
    for (let index = 0; index < 10_000; index += 1) answers.push(await limiter.take('tokens', `invented-${index}`));
    const allowed = answers.filter(({ ok }) => ok).length;
    expect(allowed).toBeLessThanOrEqual(2 * 1024);
    expect(allowed).toBeGreaterThan(1024);
  });

  it('keeps budgets apart, so that one cannot fill another', async () => {
    const { limiter } = limiterAt(10);
    for (let index = 0; index < 10_000; index += 1) await limiter.take('tokens', `invented-${index}`);
    for (let index = 0; index < 10; index += 1)
      expect(await limiter.take('reads', `client-${index}`)).toEqual({ ok: true });
  });

  it('has room again when windows end', async () => {
    const { time, limiter } = limiterAt(10);
    for (let index = 0; index < 10; index += 1) await limiter.take('reads', `client-${index}`);
    time.nowMs = 60_000;
    for (let index = 10; index < 15; index += 1) await limiter.take('reads', `client-${index}`);
    for (let use = 0; use < 2; use += 1) await limiter.take('reads', 'client-15');
    expect((await limiter.take('reads', 'client-15')).ok).toBe(false);
    expect((await limiter.take('reads', 'client-16')).ok).toBe(true);
  });
});
