import { callTRPCProcedure } from '@trpc/server';
import { afterAll, expect, test } from 'vitest';
import type { Context } from '../../../routers/context.ts';
import { driver } from '../../../routers/driver.ts';
import { router } from '../../../routers/procedure.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import { startProcess } from '../../../src/platform/deno/process.ts';
import { noAddresses, noDocuments, noMessages, noMetrics, noStreets } from '../../../src/providers/absent.ts';
import { callNumbersFor } from '../../../src/providers/call-numbers.ts';
import { ProviderReports } from '../../../src/providers/provider-reports.ts';
import { fixtureRouting } from '../../../src/providers/routing/fixture.ts';
import { monotonicMs, systemRandom } from '../../../src/providers/system.ts';
import { openMemoryShard } from '../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../support/dispatch/shipments.ts';

/* No operation of drivers answers a number that the deployment hides. */

const shard = openMemoryShard();
const { services, stop } = startProcess(shard.genesis.config, {
  ...{ clock: shard.clock, random: systemRandom, monotonicMs, fetch: shard.fetch, report: () => undefined },
  ...{ metrics: noMetrics, providerReports: new ProviderReports(() => 0), routing: fixtureRouting },
  ...{ callNumbers: callNumbersFor('hidden'), addresses: noAddresses, streets: noStreets, documents: noDocuments },
  readAsset: () => Promise.resolve(undefined),
  readShaper: () => Promise.reject(new Error('No label is printed')),
  limiter: { take: () => Promise.resolve({ ok: true }) },
  resolver: { resolve: () => Promise.resolve([]) },
  webhookTransport: { post: () => Promise.reject(new Error('No webhook is sent')) },
  messagesOf: () => ({ messages: noMessages, inbox: undefined }),
});
afterAll(async () => {
  await stop();
  await shard.close();
});

const TOKEN = `drv_shard-1_${'d'.repeat(43)}`;
const DRIVER_ROUTER = router({ driver });

async function call(name: 'act' | 'attemptAgain' | 'listShipments', input: object) {
  const requestId = newId();
  const ctx: Context = {
    services,
    facts: {
      ...{ requestId, correlationId: requestId, traceId: undefined, locale: 'en', path: '/', method: 'POST' },
      ...{ authorization: `Bearer ${TOKEN}`, uploadCapability: null, cookie: null, origin: null, fetchSite: null },
      ...{ actingAs: null, isFromPerson: true, address: undefined },
    },
    ...{ later: () => undefined, outside: (work) => work(), reply: { headers: {} }, parameters: {} },
    ...{ face: 'trpc', log: {}, enterShard: () => undefined, enterCompany: () => undefined },
  };
  return callTRPCProcedure({
    ...{ router: DRIVER_ROUTER, path: `driver.${name}`, ctx, getRawInput: () => Promise.resolve(input) },
    ...{ type: name === 'listShipments' ? 'query' : 'mutation', signal: undefined, batchIndex: 0 },
  });
}

test('hidden numbers are in no answer of a driver, who still sees the names', async () => {
  const process = shard.process();
  const driverId = await addDriver(shard, process);
  const now = Number(shard.clock.now());
  shard.run('shard-1', 'insert into driver_sessions values (?, ?, ?, ?)', [
    ...[await tokenHashOf(TOKEN), driverId, now, now + 3_600_000_000],
  ]);
  const recipient = {
    ...{ name: 'Sara', phone: '0500000009' },
    ...{ alternateContactName: 'Ali', alternateContactPhone: '0500000008' },
  };
  const shipmentId = await addShipment(shard, process, { recipient });
  await give(shard, process, shipmentId, { name: 'APPROVE' });
  await give(shard, process, shipmentId, offerTo(shard, driverId));
  for (const name of ['ACCEPT', 'PICK_UP', 'DEPART'] as const)
    await give(shard, process, shipmentId, { name, driverId });
  const shown = { recipientName: 'Sara', recipientPhone: null, alternateContact: { name: 'Ali', phone: null } };
  expect(await call('listShipments', {})).toMatchObject({ data: [shown] });
  expect(await call('act', { shipmentId, action: 'FAIL', reasonCode: 'RECIPIENT_REFUSED' })).toMatchObject(shown);
  const actionId = newId();
  for (const _again of [1, 2]) expect(await call('attemptAgain', { shipmentId, actionId })).toMatchObject(shown);
});
