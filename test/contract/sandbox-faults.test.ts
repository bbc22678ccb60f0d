import { describe, expect, it } from 'vitest';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH, SANDBOX, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const ESTIMATES = '/v2/external/shipment-price-estimates';
const QUESTION = {
  pickup: { latitude: 24.711667, longitude: 46.674167 },
  delivery: { latitude: 24.794722, longitude: 46.626111 },
  destinationCityCode: 'RUH',
};

const estimate = ({ merchant }: Sandbox) => merchant.post(ESTIMATES, QUESTION);
const setFault = ({ merchant }: Sandbox, target: string, count: number) =>
  merchant.post(`${SANDBOX}/faults`, { target, count });

describe('faults of ROUTING', () => {
  it('fail as many estimates as set, also concurrent ones, and those of no other company', async () => {
    const [sandbox, other] = [await newSandbox(environment), await newSandbox(environment)];
    expect((await estimate(sandbox)).status).toBe(200);
    const set = await setFault(sandbox, 'ROUTING', 3);
    expect({ status: set.status, body: await set.json() }).toEqual({
      status: 201,
      body: { target: 'ROUTING', remaining: 3 },
    });
    expect((await estimate(other)).status).toBe(200);
    const response = await estimate(sandbox);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await expectProblem(response, { status: 503, code: 'ROUTING_PROVIDER_UNAVAILABLE' });
    const answers = await Promise.all(Array.from({ length: 6 }, () => estimate(sandbox)));
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200, 200, 200, 200, 503, 503,
    ]);
  });

  it('fail a creation, which stores nothing and leaves its idempotency key free', async () => {
    const sandbox = await newSandbox(environment);
    await setFault(sandbox, 'ROUTING', 1);
    const places = { branchCode: 'SANDBOX_BRANCH', pickupLocationCode: 'SANDBOX_PICKUP', destination: RIYADH };
    const body = shipmentBody(sandbox.company, places);
    const headers = { 'idempotency-key': newKey() };
    await expectProblem(await sandbox.merchant.postShipment(body, headers), {
      status: 503,
      code: 'ROUTING_PROVIDER_UNAVAILABLE',
    });
    expect((await sandbox.merchant.postShipment(body, headers)).status).toBe(201);
  });

  it('end when they are deleted or the sandbox is reset', async () => {
    const sandbox = await newSandbox(environment);
    await setFault(sandbox, 'ROUTING', 100);
    expect((await estimate(sandbox)).status).toBe(503);
    const deleted = await sandbox.send('DELETE', `${SANDBOX}/faults`);
    expect({ status: deleted.status, text: await deleted.text() }).toEqual({ status: 204, text: '' });
    expect((await estimate(sandbox)).status).toBe(200);
    await setFault(sandbox, 'ROUTING', 100);
    await sandbox.merchant.post(`${SANDBOX}/resets`);
    expect((await estimate(sandbox)).status).toBe(200);
    expect((await sandbox.send('DELETE', `${SANDBOX}/faults`)).status).toBe(204);
  });

  it('replace earlier faults', async () => {
    const sandbox = await newSandbox(environment);
    await setFault(sandbox, 'ROUTING', 100);
    await setFault(sandbox, 'ROUTING', 1);
    expect((await estimate(sandbox)).status).toBe(503);
    expect((await estimate(sandbox)).status).toBe(200);
  });
});

it('faults of other providers do not affect routing', async () => {
  const sandbox = await newSandbox(environment);
  expect((await setFault(sandbox, 'STORAGE', 1)).status).toBe(201);
  expect((await setFault(sandbox, 'WEBHOOK_DELIVERY', 100)).status).toBe(201);
  expect((await estimate(sandbox)).status).toBe(200);
});

it.each([
  [{ target: 'MOON', count: 1 }, ['target NOT_IN_ENUM']],
  [{ target: 'ROUTING', count: 0 }, ['count OUT_OF_RANGE']],
  [{ target: 'ROUTING', count: 101 }, ['count OUT_OF_RANGE']],
  [{ target: 'ROUTING', count: 1.5 }, ['count TYPE_MISMATCH']],
  [{}, ['count REQUIRED', 'target REQUIRED']],
])('a fault with a wrong body is 422: %j', async (body, violations) => {
  const merchant = await merchantOf(environment, environment.companies[0]);
  await expectProblem(await merchant.post(`${SANDBOX}/faults`, body), {
    status: 422,
    code: 'VALIDATION_FAILED',
    violations,
  });
});
