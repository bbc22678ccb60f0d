import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox, readReadiness, SANDBOX, sendJson } from '../../scripts/shared/sandbox.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const ALL = ['COMPANY_VERIFIED', 'BRANCH', 'PICKUP_LOCATION', 'CITY', 'COMMERCIAL_TERMS', 'DRIVER', 'ROUTING'];

describe('POST bootstrap', () => {
  it('creates the fixtures once, and then answers the existing ones', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment), 'webhooks:manage');
    const before = await readReadiness(await merchant.get(`${SANDBOX}/readiness`));
    expect(before).toMatchObject({ generation: 1, canCreateShipment: false, nextShipmentDispatchHeld: false });
    expect(before.prerequisites.filter(({ ready }) => !ready).map((one) => one.prerequisite)).toEqual(
      expect.arrayContaining(['BRANCH', 'PICKUP_LOCATION', 'DRIVER']),
    );
    const first = await merchant.post(`${SANDBOX}/bootstrap`);
    expect(first.status).toBe(201);
    const made = await first.json();
    expect(made).toEqual({
      generation: 1,
      canCreateShipment: true,
      nextShipmentDispatchHeld: false,
      branchCode: 'SANDBOX_BRANCH',
      pickupLocationCode: 'SANDBOX_PICKUP',
      pickup: { latitude: 24.711667, longitude: 46.674167 },
      delivery: { latitude: 24.794722, longitude: 46.626111 },
      destinationCityCode: 'RUH',
      sandboxDriverPhone: before.sandboxDriverPhone,
      prerequisites: ALL.map((prerequisite) => ({ prerequisite, ready: true })),
    });
    const second = await merchant.post(`${SANDBOX}/bootstrap`);
    expect({ status: second.status, body: await second.json() }).toEqual({ status: 200, body: made });
    const read = await merchant.get(`${SANDBOX}/readiness`);
    expect({ status: read.status, body: await read.json() }).toEqual({ status: 200, body: made });
  });

  it('creates one sandbox for twenty concurrent requests', async () => {
    const company = await addCompany(environment, 'shard-2');
    const merchant = await merchantOf(environment, company);
    const answers = await Promise.all(Array.from({ length: 20 }, () => merchant.post(`${SANDBOX}/bootstrap`)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    const select = 'select count(*) as drivers from drivers where company_id = ?';
    expect(await environment.sql('shard-2', select, [company.companyId])).toEqual([{ drivers: 2 }]);
  });
});

describe('the dispatch hold', () => {
  it('applies to one shipment, which waits for its release', async () => {
    const sandbox = await newSandbox(environment);
    const set = await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    expect(set.status).toBe(200);
    expect((await readReadiness(set)).nextShipmentDispatchHeld).toBe(true);
    const [held, free] = [await sandbox.create(), await sandbox.create()];
    expect((await readReadiness(await sandbox.merchant.get(`${SANDBOX}/readiness`))).nextShipmentDispatchHeld).toBe(
      false,
    );
    await sandbox.untilState(free.shipmentId, 'OFFERED');
    const waiting = await sandbox.untilState(held.shipmentId, 'READY_FOR_DISPATCH');
    expect(waiting.version).toBe(1);
    const released = await sandbox.merchant.post(`${SANDBOX}/shipments/${held.shipmentId}/dispatch-releases`);
    expect({ status: released.status, etag: released.headers.get('etag') }).toEqual({ status: 200, etag: '"1"' });
    expect(await readShipment(released)).toMatchObject({
      shipmentId: held.shipmentId,
      state: 'READY_FOR_DISPATCH',
      version: 1,
    });
    expect((await sandbox.untilState(held.shipmentId, 'OFFERED')).version).toBe(2);
    const again = await sandbox.merchant.post(`${SANDBOX}/shipments/${held.shipmentId}/dispatch-releases`);
    expect(again.status).toBe(200);
  });

  it('can be lifted before a shipment uses it', async () => {
    const sandbox = await newSandbox(environment);
    await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: false });
    const { shipmentId } = await sandbox.create();
    expect((await sandbox.untilState(shipmentId, 'OFFERED')).version).toBe(2);
  });

  it('needs a sandbox and a boolean', async () => {
    const authorization = `Bearer ${await environment.token(await addCompany(environment))}`;
    const put = (body: unknown) => sendJson(environment, 'PUT', `${SANDBOX}/dispatch-hold`, body, { authorization });
    await expectProblem(await put({ held: true }), { status: 409, code: 'SANDBOX_NOT_READY' });
    await expectProblem(await put({ held: 'yes' }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['held TYPE_MISMATCH'],
    });
    await expectProblem(await put({}), { status: 422, code: 'VALIDATION_FAILED', violations: ['held REQUIRED'] });
  });
});

describe('the dispatch settings', () => {
  it('delay the search for a driver of shipments created after them', async () => {
    const sandbox = await newSandbox(environment);
    const before = await sandbox.create();
    const set = await sandbox.send('PUT', `${SANDBOX}/dispatch-settings`, { leadSeconds: 3600 });
    expect(set.status).toBe(200);
    expect((await readReadiness(set)).canCreateShipment).toBe(true);
    // Its pickup window is years ahead.
    const scheduled = await sandbox.create();
    await sandbox.send('PUT', `${SANDBOX}/dispatch-settings`, { leadSeconds: null });
    const after = await sandbox.create();
    await sandbox.untilState(before.shipmentId, 'OFFERED');
    await sandbox.untilState(after.shipmentId, 'OFFERED');
    expect((await sandbox.untilState(scheduled.shipmentId, 'READY_FOR_DISPATCH')).version).toBe(1);
    const tracking = await sandbox.merchant.get(`/v2/external/shipments/${scheduled.shipmentId}/tracking`);
    expect(await tracking.json()).toMatchObject({ dispatch: { phase: 'SCHEDULED', offersMade: 0 } });
  });

  it.each([-1, 86_401, 1.5, '60'])('refuse a lead of %j', async (leadSeconds) => {
    const sandbox = await newSandbox(environment);
    const refused = await sandbox.send('PUT', `${SANDBOX}/dispatch-settings`, { leadSeconds });
    expect(refused.status).toBe(422);
  });
});

describe('POST resets', () => {
  it('starts the next generation with the original fixtures', async () => {
    const sandbox = await newSandbox(environment);
    const driver = await sandbox.signIn();
    await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    await environment.sql(sandbox.company.shard, "update branches set status = 'INACTIVE' where company_id = ?", [
      sandbox.company.companyId,
    ]);
    // The process remembers the session now.
    expect((await driver.get('/offers')).status).toBe(200);
    const reset = await sandbox.merchant.post(`${SANDBOX}/resets`);
    expect(reset.status).toBe(200);
    expect(await readReadiness(reset)).toMatchObject({
      generation: 2,
      canCreateShipment: true,
      nextShipmentDispatchHeld: false,
    });
    expect((await driver.get('/offers')).status).toBe(401);
    const { shipmentId } = await sandbox.create();
    expect((await sandbox.untilState(shipmentId, 'OFFERED')).version).toBe(2);
  });

  it('needs a sandbox', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment));
    await expectProblem(await merchant.post(`${SANDBOX}/resets`), { status: 409, code: 'SANDBOX_NOT_READY' });
  });
});

it('a foreign shipment is answered exactly like an unknown one', async () => {
  const [owner, stranger] = [await newSandbox(environment), await newSandbox(environment)];
  const { shipmentId } = await owner.create();
  for (const [path, body] of [
    ['dispatch-releases', undefined],
    ['scenarios', { name: 'LOST', stepSeconds: 0 }],
  ] as const) {
    const [foreign, missing] = await Promise.all(
      [shipmentId, randomUUID()].map((id) => stranger.merchant.post(`${SANDBOX}/shipments/${id}/${path}`, body)),
    );
    expect([foreign?.status, missing?.status]).toEqual([403, 403]);
    expect(timelessText((await foreign?.text()) ?? '')).toBe(timelessText((await missing?.text()) ?? ''));
  }
});
