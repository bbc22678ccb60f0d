import { describe, expect, it } from 'vitest';
import { cloudflareLimiter } from '../../../src/platform/cloudflare/limiter.ts';
import { memoryLimiter } from '../../../src/providers/memory-limiter.ts';
import { environment } from '../../../src/service/environment.ts';

const ALLOWANCES = { reads: 2, writes: 2, estimates: 2, tokens: 2, tracking: 2 };

function limiterAt(identitiesMax?: number) {
  const time = { nowMs: 0 };
  const limiter = memoryLimiter(() => time.nowMs, ALLOWANCES, identitiesMax);
  return { time, limiter };
}

describe('the limiter in memory', () => {
  it('refuses beyond the allowance, allows again in the next minute, and tells what is left', async () => {
    const { time, limiter } = limiterAt();
    const take = () => limiter.take('reads', 'client');
    expect(await take()).toEqual({ ok: true, left: { uses: 1, seconds: 60 } });
    expect(await take()).toEqual({ ok: true, left: { uses: 0, seconds: 60 } });
    expect(await take()).toEqual({ ok: false, retryAfterSeconds: 60, left: { uses: 0, seconds: 60 } });
    time.nowMs = 59_001;
    expect(await take()).toEqual({ ok: false, retryAfterSeconds: 1, left: { uses: 0, seconds: 1 } });
    time.nowMs = 60_000;
    expect(await take()).toEqual({ ok: true, left: { uses: 1, seconds: 60 } });
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
      expect(await limiter.take('reads', `client-${index}`)).toMatchObject({ ok: true });
  });

  it('gives every identity a window of its own while there is room, and again when windows end', async () => {
    const { time, limiter } = limiterAt(5000);
    const useTwice = async (identity: string) => [
      await limiter.take('reads', identity),
      await limiter.take('reads', identity),
    ];
    for (let index = 0; index < 5000; index += 1)
      expect(await useTwice(`client-${index}`)).toMatchObject([{ ok: true }, { ok: true }]);
    expect((await limiter.take('reads', 'client-4999')).ok).toBe(false);
    time.nowMs = 60_000;
    // Its new window must not hold up the removal of the old ones.
    await limiter.take('reads', 'client-100');
    for (let index = 0; index < 4000; index += 1)
      expect(await useTwice(`newcomer-${index}`)).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

describe("Cloudflare's limiter", () => {
  const asked: string[] = [];
  const binding = (name: string, success: boolean) => ({
    limit: ({ key }: { readonly key: string }) => {
      asked.push(`${name} ${key}`);
      return Promise.resolve({ success });
    },
  });
  const [allows, refuses] = [binding('allows', true), binding('refuses', false)];
  const bindings = { reads: allows, writes: refuses, estimates: allows, tokens: allows, tracking: allows };
  const limitsOf = (text: string) => environment.shape.RATE_LIMITS.parse(text);
  const limiter = cloudflareLimiter(bindings, limitsOf('{"writes":600,"codes":9}'));

  it('asks the binding of the budget about the identity, and names the period of a refusal', async () => {
    expect(await limiter.take('reads', 'one')).toEqual({ ok: true });
    expect(await limiter.take('writes', 'two')).toEqual({ ok: false, retryAfterSeconds: 60 });
    expect(asked).toEqual(['allows one', 'refuses two']);
  });

  it.each([
    ['{"writes":601}', 'RATE_LIMITS.writes: the limit of wrangler.toml is 600'],
    ['{"tracking":299}', 'RATE_LIMITS.tracking: the limit of wrangler.toml is 300'],
  ])('refuses %s, which responses would announce and no binding enforces', (text, fault) => {
    expect(() => cloudflareLimiter(bindings, limitsOf(text))).toThrow(fault);
  });
});
