import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { type Merchant, merchantOf } from '../../scripts/shared/merchant.ts';
import { startLimitedWorker } from '../../scripts/shared/service.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { until } from '../../scripts/shared/until.ts';
import { type EngineServer, OK_BODY, sendJson, startEngine } from '../support/routing/engine-server.ts';

/* The Worker with Cloudflare's limit of connections, and a routing engine that is slow. */

const BATCHES = '/v2/external/shipment-batches';
const SLOW_MS = 400;
const SAMPLES = 40;
/** With 16 items at once a cancellation takes 800 ms. The floor keeps the pauses of a fast machine from failing the test. */
const QUIET_MS_MIN = 50;

let engine: EngineServer;
let environment: OwnEnvironment;
let answerAfterMs = 0;

beforeAll(async () => {
  engine = await startEngine();
  engine.answer = (response) => setTimeout(() => sendJson(response, 200, OK_BODY), answerAfterMs);
  environment = await startEnvironment('worker', { ROUTING_URL: engine.url }, startLimitedWorker);
});
afterAll(async () => {
  await environment?.stop();
  await engine?.[Symbol.asyncDispose]();
});

/** A new company with shipments that nothing else happens to. */
async function newNeighbour(shard: ShardId): Promise<{ merchant: Merchant; shipmentIds: readonly string[] }> {
  const company = await addCompany(environment, shard);
  await setApprovalPolicy(environment, company, 'MANUAL');
  const merchant = await merchantOf(environment, company);
  const created = await Promise.all(Array.from({ length: SAMPLES }, () => merchant.create()));
  return { merchant, shipmentIds: created.map(({ shipmentId }) => shipmentId) };
}

async function cancelMs({ merchant, shipmentIds }: Awaited<ReturnType<typeof newNeighbour>>, index: number) {
  const startedMs = performance.now();
  const response = await merchant.cancel(shipmentIds[index] ?? '');
  expect(response.status).toBe(200);
  await response.text();
  return performance.now() - startedMs;
}

/** The 90th percentile. */
function p90(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.9)] ?? 0;
}

test('a batch with a slow engine delays nobody', async () => {
  // The company on the other shard shows what a cancellation takes on this machine at the same time.
  const [near, far] = await Promise.all([newNeighbour('shard-1'), newNeighbour('shard-2')]);
  const sender = await merchantOf(environment, await addCompany(environment, 'shard-1'));
  const items = Array.from({ length: 200 }, () => ({ key: newKey(), shipment: shipmentBody(sender.company) }));
  answerAfterMs = SLOW_MS;
  const asked = engine.asked.length;
  const started = await sender.post(BATCHES, { mode: 'CREATE', onInvalid: 'SKIP', items });
  const batch = started.headers.get('location') ?? '';
  await until('the batch asks the engine', () => (engine.asked.length > asked + 2 ? true : undefined));
  const [nearMs, farMs]: [number[], number[]] = [[], []];
  for (let index = 0; index < SAMPLES; index += 1) {
    nearMs.push(await cancelMs(near, index));
    farMs.push(await cancelMs(far, index));
  }
  expect(await (await sender.get(batch)).json()).toMatchObject({ state: 'RUNNING' });
  expect(p90(nearMs)).toBeLessThan(2 * Math.max(p90(farMs), QUIET_MS_MIN));
});
