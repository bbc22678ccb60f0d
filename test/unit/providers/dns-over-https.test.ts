import { describe, expect, it } from 'vitest';
import { dnsOverHttps } from '../../../src/providers/dns-over-https.ts';

type Records = { type: number; data: string }[];

/** A resolver with these answers for one name. */
function resolverOf(answers: Readonly<Record<string, unknown>>, status = 200) {
  const asked: string[] = [];
  const resolver = dnsOverHttps('https://dns.example/query', (address, init) => {
    asked.push(address);
    expect(new Headers(init.headers).get('accept')).toBe('application/dns-json');
    const type = new URL(address).searchParams.get('type') ?? '';
    const answer = answers[type];
    if (answer === undefined) return Promise.reject(new TypeError('no network'));
    return Promise.resolve(new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status }));
  });
  return { resolver, asked };
}
const found = (records: Records) => ({ Status: 0, Answer: records });

describe('a resolver over HTTPS', () => {
  it('returns the addresses of both families, and no other records', async () => {
    const { resolver, asked } = resolverOf({
      A: found([
        { type: 5, data: 'shop.example.' },
        { type: 1, data: '93.184.216.34' },
      ]),
      AAAA: found([{ type: 28, data: '2606:2800:220:1::1' }]),
    });
    expect(await resolver.resolve('hooks.shop.example', 1000)).toEqual(['93.184.216.34', '2606:2800:220:1::1']);
    expect(asked).toEqual([
      'https://dns.example/query?name=hooks.shop.example&type=A',
      'https://dns.example/query?name=hooks.shop.example&type=AAAA',
    ]);
  });

  it.each([
    ['an unknown name', { A: { Status: 3 }, AAAA: { Status: 3 } }, 200],
    ['a name without addresses', { A: { Status: 0 }, AAAA: { Status: 0, Answer: [] } }, 200],
    ['a resolver that fails', { A: found([{ type: 1, data: '8.8.8.8' }]), AAAA: {} }, 503],
    ['a malformed response', { A: '<html>', AAAA: '{"Status":"ok"}' }, 200],
    ['a network failure', {}, 200],
  ])('returns no addresses for %s', async (_what, answers, status) => {
    const { resolver } = resolverOf(answers, status);
    expect(await resolver.resolve('hooks.shop.example', 1000)).toEqual([]);
  });

  it('returns the addresses of one family if the request for the other fails', async () => {
    const { resolver } = resolverOf({ A: found([{ type: 1, data: '10.0.0.1' }]) });
    expect(await resolver.resolve('hooks.shop.example', 1000)).toEqual(['10.0.0.1']);
  });
});
