import { describe, expect, it } from 'vitest';
import { addMillis, addSeconds, instantFromMillis } from '../../../../src/core/instant.ts';
import { deliveryTerms } from '../../../../src/core/webhook-terms.ts';
import {
  attemptResultOf,
  failure,
  isFailingTooLong,
  nextAttemptAfter,
} from '../../../../src/domain/webhooks/attempt-result.ts';

const now = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));
const terms = deliveryTerms('production', {});
const answer = (status: number, retryAfter: string | null = null) =>
  attemptResultOf({
    ok: true,
    status,
    headers: new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter }),
    body: { bytes: new Uint8Array(), isWhole: true },
  });
/** Seconds until the next attempt, with jitter at its middle. */
const waitAfter = (ending: ReturnType<typeof attemptResultOf>, attempts: number, chance = 0.5) => {
  const { nextAttemptAt } = nextAttemptAfter(ending, { attempts, now, chance }, terms);
  return nextAttemptAt === null ? undefined : Number(nextAttemptAt - now) / 1e6;
};

describe('a response', () => {
  it.each([200, 201, 202, 204, 299])('%i is success', (status) => {
    expect(answer(status)).toEqual({ responseStatus: status, error: null, retryAfter: null });
  });
  it.each([
    [300, 'REDIRECT'],
    [301, 'REDIRECT'],
    [302, 'REDIRECT'],
    [304, 'REDIRECT'],
    [307, 'REDIRECT'],
    [308, 'REDIRECT'],
    [400, 'NON_2XX'],
    [401, 'NON_2XX'],
    [404, 'NON_2XX'],
    [410, 'NON_2XX'],
    [429, 'NON_2XX'],
    [500, 'NON_2XX'],
    [503, 'NON_2XX'],
    [101, 'NON_2XX'],
  ])('%i is %s', (status, error) => expect(answer(status)).toMatchObject({ responseStatus: status, error }));
  it('that never came has an error and no status', () => {
    expect(attemptResultOf({ ok: false, error: 'TIMEOUT' })).toEqual({
      responseStatus: null,
      error: 'TIMEOUT',
      retryAfter: null,
    });
  });
});

describe('the schedule', () => {
  it('has the documented delays for ten attempts', () => {
    const waits = Array.from({ length: 10 }, (_, index) => waitAfter(failure('CONNECT'), index + 1));
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
    expect(nextAttemptAfter(failure('CONNECT'), { attempts: 10, now, chance: 0 }, terms).status).toBe('EXHAUSTED');
    expect(nextAttemptAfter(failure('CONNECT'), { attempts: 9, now, chance: 0 }, terms).status).toBe('RETRYING');
  });

  it('is sixty times as fast in local and sandbox deployments', () => {
    for (const deployment of ['local', 'sandbox'] as const) {
      expect(deliveryTerms(deployment, {}).delaysSeconds[3]).toBe(30);
    }
  });

  it('has a jitter of 10 %', () => {
    expect([waitAfter(failure('DNS'), 2, 0), waitAfter(failure('DNS'), 2, 1)]).toEqual([270, 330]);
  });

  it('ends after a success and after 410', () => {
    expect(nextAttemptAfter(answer(204), { attempts: 3, now, chance: 0 }, terms)).toEqual({
      status: 'SUCCEEDED',
      nextAttemptAt: null,
    });
    expect(nextAttemptAfter(answer(410), { attempts: 1, now, chance: 0 }, terms).status).toBe('EXHAUSTED');
  });

  it.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, ' 7 ', 7],
    [503, '3', 5],
    [503, '99999999', 3600],
    [502, '120', 120],
    [504, '120', 120],
    [429, '7.5', 7.5],
    [503, 'Sat, 21 Nov 2026 09:10:00 GMT', 600],
    [503, 'Sat, 21 Nov 2020 09:10:00 GMT', 5],
    [503, 'soon', 5],
    [503, '-5', 5],
    [500, '120', 5],
    [301, '120', 5],
  ])('after %i with Retry-After %j waits %i seconds', (status, retryAfter, seconds) => {
    expect(waitAfter(answer(status, retryAfter), 1)).toBe(seconds);
  });
});

describe('a failing endpoint', () => {
  const since = (days: number) => addSeconds(now, -days * 24 * 3600);
  it.each([
    [19, since(5), true],
    [200, since(30), true],
    [18, since(5), false],
    [19, addMillis(since(5), 1), false],
    [1000, since(1), false],
    [19, null, false],
  ])('with %i failures before, since %s, is disabled: %s', (consecutiveFailures, failingSince, expected) => {
    expect(isFailingTooLong({ consecutiveFailures, failingSince }, now, terms)).toBe(expected);
  });
});
