import { expect, test } from 'vitest';
import { lostCallsOf } from '../../../scripts/operate/restore-report.ts';

const SINCE = Date.parse('2026-11-21T11:00:00Z');
const line = (changes: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    ...{ level: 'info', time: '2026-11-21T11:00:00.000Z', requestId: 'r1', method: 'POST', status: 201, company: 'c1' },
    ...{ route: '/v2/external/shipments', ms: 7, ...changes },
  });
const found = (text: string) => {
  const lost = lostCallsOf(text, SINCE);
  return lost === 'no_time' ? lost : lost.map(({ kind, operation }) => `${kind} ${operation}`);
};

const TRPC = { route: '/trpc/{procedures}', status: 207 };

test.each([
  ['a creation', {}, ['created shipments.create']],
  ['one before the backup', { time: '2026-11-21T10:59:59.999Z' }, []],
  ['a refused one', { status: 422 }, []],
  ['a read', { method: 'GET', status: 200 }, []],
  ['a price', { route: '/v2/external/shipment-price-estimates', status: 200 }, []],
  ['a rotated secret', { route: '/v2/merchant-api-credential/rotations' }, ['rotated merchantApiCredential.rotate']],
  ['a revoked token', { route: '/oauth/revoke', status: 200 }, ['revoked oauth.revoke']],
  [
    'a deleted credential',
    { method: 'DELETE', route: '/v2/merchant-api-credential', status: 204 },
    ['revoked merchantApiCredential.delete'],
  ],
  [
    'a batch',
    { ...TRPC, procedures: 'shipments.create,webhookEndpoints.rotateSecret,priceEstimates.create,shipments.cancel' },
    ['created shipments.create', 'rotated webhookEndpoints.rotateSecret', 'changed shipments.cancel'],
  ],
  ['a batch of reads', { ...TRPC, method: 'GET', procedures: 'shipments.list' }, []],
  ['a line without a time', { time: undefined }, 'no_time'],
])('%s', (_what, changes, calls) => {
  expect(found(line(changes))).toEqual(calls);
});

test('other lines are left out, and what a collector writes before a line', () => {
  expect(found('not a line')).toEqual([]);
  expect(found('{"level":"error","database":"shard-1"}')).toEqual([]);
  expect(lostCallsOf(`Nov 21 11:00:00 host mirsal[7]: ${line({})}`, SINCE)).toEqual([
    {
      ...{ kind: 'created', company: 'c1', time: '2026-11-21T11:00:00.000Z', operation: 'shipments.create' },
      ...{ status: 201, requestId: 'r1' },
    },
  ]);
});
