import { describe, expect, test } from 'vitest';
import type { Permit } from '../../../src/http/admission-limiter.ts';
import { BURST_MAX, openLimiter } from '../../support/open-limiter.ts';

describe('what one shard may have of the permits', () => {
  const isIn = (permit: Permit | undefined, shard: string) => {
    try {
      permit?.enterShard(shard);
      return permit !== undefined;
    } catch (error) {
      expect(error).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 } });
      return false;
    }
  };

  test('is three quarters of a burst', () => {
    const { permits } = openLimiter(BURST_MAX);
    expect(permits.map((permit) => isIn(permit, 'shard-1')).lastIndexOf(true)).toBe(287);
    expect(isIn(permits[300], 'shard-2')).toBe(true);
  });

  test('is three quarters of a crowd that lasts, so that others are answered while it hangs', () => {
    const { clock, limiter, permits } = openLimiter(72);
    for (const permit of permits) expect(isIn(permit, 'shard-1')).toBe(true);
    clock.nowMs = 3000;
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
    expect(isIn(limiter.acquire(), 'shard-2')).toBe(true);
  });

  test('is known before anybody is asked, where it is known', () => {
    const { clock, limiter, permits } = openLimiter(72);
    for (const permit of permits) permit.enterShard('shard-1');
    clock.nowMs = 3000;
    expect(limiter.acquire('shard-1')).toBeUndefined();
    expect(limiter.acquire('shard-2')).toBeDefined();
  });

  test('is not in the others’ way when a burst had more of them', () => {
    const { clock, limiter, permits } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    clock.nowMs = 2500;
    const others = Array.from({ length: 40 }, () => limiter.acquire()).filter((permit) => permit !== undefined);
    expect(others).toHaveLength(24);
    expect(others.map((permit) => isIn(permit, 'shard-1'))).not.toContain(true);
    expect(others.map((permit) => isIn(permit, 'shard-2'))).not.toContain(false);
  });

  test('is all of them where there is one shard', () => {
    const { permits, more } = openLimiter(BURST_MAX, 1);
    expect(permits.map((permit) => isIn(permit, 'shard-1'))).not.toContain(false);
    expect(more()).toBe(0);
  });

  test('is taken in each shard that a batch is at work in', () => {
    const { limiter, permits } = openLimiter(288);
    for (const permit of permits) for (const shard of ['shard-1', 'shard-2']) permit.enterShard(shard);
    expect([isIn(limiter.acquire(), 'shard-1'), isIn(limiter.acquire(), 'shard-2')]).toEqual([false, false]);
  });

  test('is not used by those whose body is on its way, nor by who has left, nor twice by one', () => {
    const { limiter, permits, first } = openLimiter(288);
    for (const permit of permits) expect([isIn(permit, 'shard-1'), isIn(permit, 'shard-1')]).toEqual([true, true]);
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
    first.suspend();
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
    permits[1]?.release();
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
  });

  test('is free again when its requests have gone on to another', () => {
    const { limiter, permits, first } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    first.enterShard('shard-2', 'shard-1');
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
  });

  test('is counted again for who comes back, where he was', () => {
    const { limiter, permits, first } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    first.suspend();
    first.enterShard('shard-2', 'shard-1');
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
    first.resume();
    first.resume();
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
  });

  test('tells of a request whether it was refused on its way', () => {
    const { limiter, permits, first } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    const late = limiter.acquire();
    expect([isIn(late, 'shard-1'), late?.isRefused, first.isRefused]).toEqual([false, true, false]);
  });

  test('gets smaller when timers are late, and what others have beside it does not', () => {
    const { clock, limiter, permits } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    for (clock.nowMs = 2100; clock.nowMs < 5100; clock.nowMs += 100) limiter.noteLateness(151);
    for (const permit of permits.slice(0, 271)) permit.release();
    expect([isIn(limiter.acquire('shard-1'), 'shard-1'), limiter.acquire('shard-1')]).toEqual([true, undefined]);
    const others = ['shard-2', 'shard-3'].map(
      (shard) => Array.from({ length: 40 }, () => isIn(limiter.acquire(shard), shard)).filter(Boolean).length,
    );
    expect(others).toEqual([18, 6]);
  });

  test('is not what batches over several shards let others in by', () => {
    const { clock, limiter, permits } = openLimiter(150);
    for (const permit of permits) for (const shard of ['shard-1', 'shard-2']) permit.enterShard(shard);
    clock.nowMs = 2500;
    const more = Array.from({ length: 200 }, () => limiter.acquire()).filter((permit) => permit !== undefined);
    expect(more).toHaveLength(24);
  });
});
