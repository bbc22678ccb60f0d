import { describe, expect, it } from 'vitest';
import { memoryLimiter } from '../../../src/providers/memory-limiter.ts';

const ALLOWANCES = { reads: 2, writes: 2, estimates: 2, tokens: 2, tracking: 2 };

function limiterAt(identitiesMax?: number) {
  const time = { nowMs: 0 };
  const limiter = memoryLimiter(() => time.nowMs, ALLOWANCES, identitiesMax);
  return { time, limiter };
}

describe('the limiter in memory', () => {
  it('refuses past the allowance, and allows again when the minute is over', async () => {
    const { time, limiter } = limiterAt();
    for (let use = 0; use < 2; use += 1) expect(await limiter.take('reads', 'client')).toEqual({ ok: true });
    time.nowMs = 59_001;
    expect(await limiter.take('reads', 'client')).toEqual({ ok: false, retryAfterSeconds: 1 });
    time.nowMs = 60_000;
    expect(await limiter.take('reads', 'client')).toEqual({ ok: true });
  });

  it('keeps a live window when more identities come than there is room for', async () => {
    const { limiter } = limiterAt(100);
    for (let use = 0; use < 3; use += 1) await limiter.take('tokens', 'victim');
    for (let index = 0; index < 10_000; index += 1) await limiter.take('tokens', `invented-${index}`);
    expect((await limiter.take('tokens', 'victim')).ok).toBe(false);
  });

  it('limits newcomers past its room together', async () => {
    const { limiter } = limiterAt(1);
    await limiter.take('tokens', 'first');
    const answers = [];
    for (let index = 0; index < 10_000; index += 1) answers.push(await limiter.take('tokens', `invented-${index}`));
    const allowed = answers.filter(({ ok }) => ok).length;
    expect(allowed).toBeLessThanOrEqual(2 * 1024);
    expect(allowed).toBeGreaterThan(1024);
  });

  it('does not let one budget crowd out another', async () => {
    const { limiter } = limiterAt(10);
    for (let index = 0; index < 10_000; index += 1) await limiter.take('tokens', `invented-${index}`);
    for (let index = 0; index < 10; index += 1)
      expect(await limiter.take('reads', `client-${index}`)).toEqual({ ok: true });
  });

  it('has room again when windows are over', async () => {
    const { time, limiter } = limiterAt(10);
    for (let index = 0; index < 10; index += 1) await limiter.take('reads', `client-${index}`);
    time.nowMs = 60_000;
    for (let index = 10; index < 15; index += 1) await limiter.take('reads', `client-${index}`);
    for (let use = 0; use < 2; use += 1) await limiter.take('reads', 'client-15');
    expect((await limiter.take('reads', 'client-15')).ok).toBe(false);
    expect((await limiter.take('reads', 'client-16')).ok).toBe(true);
  });
});
