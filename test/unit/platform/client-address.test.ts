import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientAddresses } from '../../../src/platform/deno/client-address.ts';

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'error').mockImplementation((line) => lines.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

const requestWith = (forwardedFor: string | undefined, path = '/v2/external/shipments') =>
  new Request(`https://mirsal.example${path}`, {
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  });

test('a request with fewer entries than proxies is told once, without an address', () => {
  const addressOf = clientAddresses(2);
  expect(addressOf(requestWith('203.0.113.7, 10.0.0.1'), 'peer')).toBe('203.0.113.7');
  expect(addressOf(requestWith(undefined, '/health'), 'peer')).toBe('peer');
  expect(lines).toEqual([]);
  for (const sent of ['10.0.0.1', undefined]) expect(addressOf(requestWith(sent), 'peer')).toBe('peer');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', entries: 1, proxies: 2 }]);
  expect(lines.join('')).not.toContain('10.0.0.1');
});

test('without proxies nothing is told', () => {
  expect(clientAddresses(0)(requestWith(undefined), 'peer')).toBe('peer');
  expect(lines).toEqual([]);
});
