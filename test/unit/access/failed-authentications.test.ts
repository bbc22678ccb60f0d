import { describe, expect, it } from 'vitest';
import { FailedAuthentications } from '../../../src/access/failed-authentications.ts';

const V4 = '203.0.113.7';

function startCounting({ max = 3 } = {}) {
  const time = { nowMs: 0 };
  const asked: string[] = [];
  const known = new Map<string, string>();
  const refusals = { count: 0 };
  const failures = new FailedAuthentications({
    max,
    monotonicMs: () => time.nowMs,
    onRefusal: () => {
      refusals.count += 1;
    },
  });
  const find = (key: string, address: string | undefined = V4) =>
    failures.find({ key, address }, () => {
      asked.push(key);
      return Promise.resolve(known.get(key));
    });
  return { time, asked, known, refusals, failures, find };
}

const NOT_FOUND = { ok: true, value: undefined };
const LIMITED = { ok: false, code: 'RATE_LIMITED', retryAfterSeconds: 60 };

describe('a network that shows unknown tokens', () => {
  it('is 429 past its limit before a database is asked, and has room again after the minute', async () => {
    const { time, asked, known, refusals, find } = startCounting();
    for (const key of ['a', 'b', 'c']) expect(await find(key)).toEqual(NOT_FOUND);
    known.set('valid', 'person');
    expect(await find('d')).toMatchObject(LIMITED);
    // Whether a token is valid cannot be told without asking.
    expect(await find('valid')).toMatchObject(LIMITED);
    expect([asked, refusals.count]).toEqual([['a', 'b', 'c'], 2]);
    time.nowMs = 60_000;
    expect(await find('valid')).toEqual({ ok: true, value: 'person' });
  });

  it('does not use up its limit with valid tokens', async () => {
    const { known, find } = startCounting();
    known.set('valid', 'person');
    for (let use = 0; use < 10; use += 1) expect(await find('valid')).toEqual({ ok: true, value: 'person' });
    for (const key of ['a', 'b', 'c']) expect(await find(key)).toEqual(NOT_FOUND);
  });

  it('is an IPv4 address, an IPv6 /64, or with four times as much an IPv6 /48', async () => {
    const { find } = startCounting();
    for (const key of ['a', 'b', 'c']) await find(key, `2001:db8:1:2::${key}`);
    expect(await find('d', '2001:db8:1:2:ffff::1')).toMatchObject(LIMITED);
    expect(await find('e', '203.0.113.8')).toEqual(NOT_FOUND);
    for (let network = 3; network < 12; network += 1)
      expect(await find(`n${network}`, `2001:db8:1:${network}::1`)).toEqual(NOT_FOUND);
    expect(await find('f', '2001:db8:1:99::1')).toMatchObject(LIMITED);
    expect(await find('g', '2001:db8:2:1::1')).toEqual(NOT_FOUND);
  });

  it('has no limit where its address is not known', async () => {
    const { find, failures } = startCounting({ max: 1 });
    const read = () => Promise.resolve(undefined);
    for (let use = 0; use < 5; use += 1) expect(await failures.bound(undefined, read)).toEqual(NOT_FOUND);
    expect(await find('a')).toEqual(NOT_FOUND);
  });
});

describe('a token that was not found', () => {
  it('is refused for five seconds without a read, which does not count', async () => {
    const { time, asked, find } = startCounting();
    for (time.nowMs = 0; time.nowMs < 5000; time.nowMs += 500) expect(await find('a')).toEqual(NOT_FOUND);
    expect(asked).toEqual(['a']);
    expect(await find('a')).toEqual(NOT_FOUND);
    expect(asked).toEqual(['a', 'a']);
    expect(await find('b')).toEqual(NOT_FOUND);
    expect(await find('c')).toMatchObject({ ok: false, retryAfterSeconds: 55 });
  });

  it('is found five seconds after the read began that missed it, however slow that read was', async () => {
    const { time, known, failures, find } = startCounting();
    await failures.find({ key: 'new', address: V4 }, () => {
      time.nowMs = 4000;
      known.set('new', 'person');
      return Promise.resolve(undefined);
    });
    expect(await find('new')).toEqual(NOT_FOUND);
    time.nowMs = 5000;
    expect(await find('new')).toEqual({ ok: true, value: 'person' });
  });

  it('is not one whose read failed', async () => {
    const { failures, find, known } = startCounting();
    const fail = () => Promise.reject(new Error('no answer'));
    await expect(failures.find({ key: 'a', address: V4 }, fail)).rejects.toThrow('no answer');
    known.set('a', 'person');
    expect(await find('a')).toEqual({ ok: true, value: 'person' });
  });
});
