import { describe, expect, it } from 'vitest';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { newSandbox, RIYADH, readReadiness, SANDBOX, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { type JsonObject, newKey, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const UNAVAILABLE = { status: 503, code: 'ROUTING_PROVIDER_UNAVAILABLE' };
const NOWHERE = { ...RIYADH, latitude: 21, longitude: 49 };
/** The coordinates of the sandbox's pickup location. */
const PICKUP = { ...RIYADH, latitude: 24.711667, longitude: 46.674167 };

const bodyOf = ({ company }: Sandbox, changes: JsonObject = {}) =>
  shipmentBody(company, {
    branchCode: 'SANDBOX_BRANCH',
    pickupLocationCode: 'SANDBOX_PICKUP',
    destination: RIYADH,
    ...changes,
  });
const fail = ({ merchant }: Sandbox, count: number) => merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count });
const repair = (sandbox: Sandbox) => sandbox.send('DELETE', `${SANDBOX}/faults`);

/** How many rows a company has in each table that a creation writes. */
async function allOf(company: TestCompany) {
  const select = `select (select count(*) from shipment_terms where company_id = ?1) as terms`;
  const [row] = await environment.sql(company.shard, select, [company.companyId]);
  return { ...(await storedOf(environment, company)), ...row };
}
const EMPTY = { ...NOTHING, terms: 0 };

describe('while the routing provider fails', () => {
  it('a creation is 503, stores nothing, and leaves its idempotency key free', async () => {
    const sandbox = await newSandbox(environment);
    const [body, headers] = [bodyOf(sandbox), { 'idempotency-key': newKey() }];
    await fail(sandbox, 2);
    for (let time = 1; time <= 2; time += 1) {
      const response = await sandbox.merchant.postShipment(body, headers);
      expect(response.headers.get('retry-after')).toBe('5');
      await expectProblem(response, UNAVAILABLE);
      expect(await allOf(sandbox.company)).toEqual(EMPTY);
    }
    const created = await sandbox.merchant.postShipment(body, headers);
    expect({ status: created.status, replayed: created.headers.get('idempotency-replayed') }).toEqual({
      status: 201,
      replayed: null,
    });
    expect(await readShipment(created)).toMatchObject({ state: 'PENDING_APPROVAL', version: 0 });
    expect(await allOf(sandbox.company)).toMatchObject({ shipments: 1, keys: 1, terms: 1 });
  });

  it('the key of the failed creation is accepted with another body', async () => {
    const sandbox = await newSandbox(environment);
    const headers = { 'idempotency-key': newKey() };
    await fail(sandbox, 1);
    await expectProblem(await sandbox.merchant.postShipment(bodyOf(sandbox), headers), UNAVAILABLE);
    expect((await sandbox.merchant.postShipment(bodyOf(sandbox), headers)).status).toBe(201);
  });

  it('replays and all other requests without a new route are answered as usual', async () => {
    const sandbox = await newSandbox(environment);
    const [body, key] = [bodyOf(sandbox), { 'idempotency-key': newKey() }];
    const first = await sandbox.merchant.postShipment(body, key);
    const text = await first.text();
    await fail(sandbox, 100);
    const replay = await sandbox.merchant.postShipment(body, key);
    expect({ status: replay.status, replayed: replay.headers.get('idempotency-replayed') }).toEqual({
      status: 200,
      replayed: 'true',
    });
    expect(await replay.text()).toBe(text);
    expect(replay.headers.get('etag')).toBe('"0"');
    expect(replay.headers.get('location')).toBe(first.headers.get('location'));
    await expectProblem(await sandbox.merchant.postShipment(bodyOf(sandbox), key), {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await expectProblem(await sandbox.merchant.postShipment(body), {
      status: 409,
      code: 'EXTERNAL_REFERENCE_CONFLICT',
    });
    const unknown = bodyOf(sandbox, { branchCode: 'NOBODY' });
    await expectProblem(await sandbox.merchant.postShipment(unknown), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['branchCode BRANCH_UNKNOWN'],
    });
    await repair(sandbox);
    expect((await sandbox.merchant.postShipment(body, key)).status).toBe(200);
    expect(await allOf(sandbox.company)).toMatchObject({ shipments: 1, keys: 1 });
  });

  it('a dispatch hold is kept for the next created shipment', async () => {
    const sandbox = await newSandbox(environment);
    await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    await fail(sandbox, 1);
    expect((await sandbox.merchant.postShipment(bodyOf(sandbox))).status).toBe(503);
    const readiness = await readReadiness(await sandbox.merchant.get(`${SANDBOX}/readiness`));
    expect(readiness.nextShipmentDispatchHeld).toBe(true);
  });

  it('a body with violations is 422, and the provider is not asked', async () => {
    const sandbox = await newSandbox(environment);
    await fail(sandbox, 1);
    await expectProblem(await sandbox.merchant.postShipment(bodyOf(sandbox, { codAmount: 5 })), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['paymentMethod COD_METHOD_REQUIRED'],
    });
    await expectProblem(await sandbox.merchant.postShipment(bodyOf(sandbox)), UNAVAILABLE);
    expect((await sandbox.merchant.postShipment(bodyOf(sandbox))).status).toBe(201);
  });
});

describe('a destination without a route', () => {
  it.each([
    ['in the Empty Quarter', NOWHERE],
    ['equal to the pickup', PICKUP],
  ])('%s is 422, nothing is stored, and the idempotency key stays free', async (_name, destination) => {
    const sandbox = await newSandbox(environment);
    const [body, headers] = [bodyOf(sandbox, { destination }), { 'idempotency-key': newKey() }];
    await expectProblem(await sandbox.merchant.postShipment(body, headers), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['destination DESTINATION_NOT_SERVICEABLE'],
    });
    expect(await allOf(sandbox.company)).toEqual(EMPTY);
    const mended = { ...body, destination: RIYADH };
    expect((await sandbox.merchant.postShipment(mended, headers)).status).toBe(201);
  });

  it('in a city outside the tariff is 422, and the provider is not asked', async () => {
    const sandbox = await newSandbox(environment);
    await fail(sandbox, 1);
    const body = bodyOf(sandbox, { destination: { ...RIYADH, cityCode: 'ABT' } });
    await expectProblem(await sandbox.merchant.postShipment(body), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['destination.cityCode DESTINATION_NOT_SERVICEABLE'],
    });
    expect(await allOf(sandbox.company)).toEqual(EMPTY);
    await expectProblem(await sandbox.merchant.postShipment(bodyOf(sandbox)), UNAVAILABLE);
  });
});
