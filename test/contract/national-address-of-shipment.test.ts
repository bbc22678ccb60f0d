import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { setAddressPolicy } from '../../scripts/shared/force-state.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addOperator, addSession } from '../../scripts/shared/people.ts';
import { newSandbox, RIYADH, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { readShipment, readShipmentPage, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* The fixture of the registry knows RRRD2929 in Riyadh and JEDA1234 in Jeddah. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const stranger = await merchantOf(environment, await addCompany(environment, company.shard));
const token = await environment.token(company);

const AT_RRRD = { ...RIYADH, latitude: 24.7743, longitude: 46.6572 };
/** 90 meters from the door of JEDA1234. */
const NEAR_JEDA = { addressLine: 'Palestine Street', cityCode: 'JED', latitude: 21.5435, longitude: 39.172 };

const pathOf = (shipmentId: string) => `${SHIPMENTS}/${shipmentId}/national-address`;
const put = (shipmentId: string, shortAddress: unknown, ifMatch: string | null = '*') =>
  environment.fetch(pathOf(shipmentId), {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
    },
    body: JSON.stringify({ shortAddress }),
  });
const recordOf = async (shipmentId: string, of = merchant) => (await of.get(pathOf(shipmentId))).json();
const created = async (code: string | undefined, changes = {}, of: Merchant = merchant) => {
  const headers = code === undefined ? {} : { 'national-address': code };
  const response = await of.postShipment(shipmentBody(of.company, { destination: NEAR_JEDA, ...changes }), headers);
  return { response, ...(await readShipment(response.clone())) };
};
const checked = (shipmentId: string, of = merchant) =>
  expect.poll(async () => recordOf(shipmentId, of)).toEqual(expect.objectContaining({ checkedAt: expect.any(String) }));
describe('the National Address of a shipment', () => {
  it('is missing at first, and a creation without it is warned', async () => {
    const { response, shipmentId } = await created(undefined);
    expect(response.headers.get('mirsal-warnings')).toBe('NATIONAL_ADDRESS_MISSING;field="National-Address"');
    expect(await recordOf(shipmentId)).toEqual({
      shortAddress: null,
      status: 'MISSING',
      source: null,
      buildingNumber: null,
      street: null,
      district: null,
      city: null,
      postalCode: null,
      additionalNumber: null,
      location: null,
      distanceMeters: null,
      checkedAt: null,
      policy: 'ASK',
      blocksDispatch: false,
      version: 0,
    });
  });

  it('comes with a creation, is compared with the registry after the answer, and is in an event', async () => {
    const { response, shipmentId } = await created('JEDA1234');
    expect(response.status).toBe(201);
    expect(response.headers.get('mirsal-warnings')).toBeNull();
    await checked(shipmentId);
    const record = await recordOf(shipmentId);
    expect(record).toMatchObject({
      shortAddress: 'JEDA1234',
      status: 'VERIFIED',
      source: 'MERCHANT',
      location: { latitude: 21.5433, longitude: 39.1728 },
      // sqrt((0.0002 x 111,195)² + (0.0008 x 111,195 x cos 21.54°)²)
      distanceMeters: 86,
      version: 2,
    });
    const { data } = await readEventPage(
      await merchant.get(`${EVENTS}?shipmentId=${shipmentId}&type=national_address.checked`),
    );
    expect(data).toEqual([
      expect.objectContaining({ shipmentId, data: expect.objectContaining({ nationalAddress: record }) }),
    ]);
  });

  it.each([
    ['jeda1234', 'JEDA1234'],
    [' JEDA 1234 ', 'JEDA1234'],
    ['JEDA-1234', 'JEDA1234'],
    ['JEDA\u00a01234', 'JEDA1234'],
    ['JEDA١٢٣٤', 'JEDA1234'],
    ['JEDA۱۲۳۴', 'JEDA1234'],
  ])('reads %j as %s', async (typed, normal) => {
    const { shipmentId } = await created(undefined);
    const answer = await put(shipmentId, typed);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ shortAddress: normal, status: 'UNVERIFIED', version: 1 });
  });

  it.each([
    '',
    'JEDA123',
    'JEDA12345',
    '1234JEDA',
    'JEDA 12 34',
    'JEDA१२३४',
    'ſEDA1234',
    'JEDA1234\u200f',
    'JEDÀ1234',
    'فقكل1234',
    '١٢٣٤1234',
    'ŊEDA1234',
  ])('refuses %j', async (typed) => {
    const { shipmentId } = await created(undefined);
    await expectProblem(await put(shipmentId, typed), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['shortAddress PATTERN_MISMATCH'],
    });
  });

  it.each([
    [null, 'NULL_NOT_ALLOWED'],
    [1234, 'TYPE_MISMATCH'],
    [['JEDA1234'], 'TYPE_MISMATCH'],
    [{}, 'TYPE_MISMATCH'],
  ])('refuses %j, which is no text', async (sent, code) => {
    const { shipmentId } = await created(undefined);
    const violations = [`shortAddress ${code}`];
    await expectProblem(await put(shipmentId, sent), { status: 422, code: 'VALIDATION_FAILED', violations });
  });

  it('is refused in a header that breaks its form, also on a replay', async () => {
    const body = shipmentBody(company, { destination: NEAR_JEDA });
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (const [code, violation] of [
      ['JEDA123', 'PATTERN_MISMATCH'],
      ['JEDA1234, JEDA1234', 'DUPLICATE_ITEM'],
    ] as const)
      await expectProblem(await merchant.postShipment(body, { ...key, 'national-address': code }), {
        status: 400,
        code: 'INVALID_HEADER',
        violations: [`National-Address ${violation}`],
      });
    expect((await merchant.postShipment(body, { ...key, 'national-address': 'JEDA1234' })).status).toBe(201);
    await expectProblem(await merchant.postShipment(body, { ...key, 'national-address': '1' }), {
      status: 400,
      code: 'INVALID_HEADER',
      violations: ['National-Address PATTERN_MISMATCH'],
    });
    const replay = await merchant.postShipment(body, { ...key, 'national-address': 'RRRD2929' });
    expect(replay.status).toBe(200);
    const { shipmentId } = await readShipment(replay);
    expect(await recordOf(shipmentId)).toMatchObject({ shortAddress: 'JEDA1234' });
  });

  it('is a mismatch over a kilometre from the pin, and unknown codes are not found', async () => {
    const far = await created('RRRD2929');
    const unknown = await created('ABCD9999');
    await checked(far.shipmentId);
    await checked(unknown.shipmentId);
    const record = await recordOf(far.shipmentId);
    expect(record).toMatchObject({ status: 'MISMATCH', blocksDispatch: false });
    // Jeddah to Riyadh.
    expect(Math.round(record.distanceMeters / 10_000)).toBe(85);
    expect(await recordOf(unknown.shipmentId)).toMatchObject({ status: 'NOT_FOUND', location: null, version: 2 });
    // The registry may know it by now, so the same code is asked for again.
    expect(await (await put(unknown.shipmentId, 'ABCD9999')).json()).toMatchObject({
      status: 'UNVERIFIED',
      version: 3,
    });
  });

  it('is replaced by version, and the same code again changes nothing', async () => {
    const { shipmentId } = await created(undefined);
    await expectProblem(await put(shipmentId, 'JEDA1234', null), {
      status: 428,
      code: 'PRECONDITION_REQUIRED',
      violations: ['If-Match REQUIRED'],
    });
    await expectProblem(await put(shipmentId, 'JEDA1234', '"7"'), { status: 412, code: 'PRECONDITION_FAILED' });
    const first = await put(shipmentId, 'JEDA1234', '"0"');
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
    await checked(shipmentId);
    const same = await put(shipmentId, 'jeda-1234', '"0"');
    expect([same.status, same.headers.get('etag')]).toEqual([200, '"2"']);
    expect((await merchant.get(pathOf(shipmentId), { 'if-none-match': '"2"' })).status).toBe(304);
    const both = await Promise.all([put(shipmentId, 'ABCD1111', '"2"'), put(shipmentId, 'ABCD2222', '"2"')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  it('belongs to its company, and stays as it is once the parcel is out for delivery', async () => {
    const { shipmentId } = await created('JEDA1234');
    await expectProblem(await stranger.get(pathOf(shipmentId)), { status: 403, code: 'ACCESS_DENIED' });
    await checked(shipmentId);
    await environment.sql(
      company.shard,
      `update shipments set state = 'OUT_FOR_DELIVERY', due_at = null where id = ?`,
      [shipmentId],
    );
    const problem = await expectProblem(await put(shipmentId, 'ABCD1111'), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(problem['currentState']).toBe('OUT_FOR_DELIVERY');
  });

  it('is a warning of a validation and a member of an item of a batch', async () => {
    const body = shipmentBody(company, { destination: NEAR_JEDA });
    const warningsOf = async (headers: Record<string, string>) => {
      const { warnings } = await (await merchant.post('/v2/external/shipment-validations', body, headers)).json();
      return (warnings as { code: string }[]).map(({ code }) => code);
    };
    expect(await warningsOf({})).toContain('NATIONAL_ADDRESS_MISSING');
    expect(await warningsOf({ 'national-address': 'JEDA1234' })).not.toContain('NATIONAL_ADDRESS_MISSING');
    await expectProblem(
      await merchant.post('/v2/external/shipment-validations', body, { 'national-address': 'JEDA' }),
      { status: 400, code: 'INVALID_HEADER', violations: ['National-Address PATTERN_MISMATCH'] },
    );
    const items = [{ key: `item-${crypto.randomUUID()}`, nationalAddress: 'jeda 1234', shipment: body }];
    const batch = { mode: 'CREATE', onInvalid: 'SKIP', items };
    const started = await merchant.post('/v2/external/shipment-batches', batch, { prefer: 'wait=10' });
    expect(started.status).toBe(200);
    const { batchId } = await started.json();
    const page = await (await merchant.get(`/v2/external/shipment-batches/${batchId}/items`)).json();
    expect(await recordOf(page.data[0].shipmentId)).toMatchObject({ shortAddress: 'JEDA1234' });
    const kept = await environment.sql(
      company.shard,
      'select national_address from shipment_batch_items where batch_id = ?',
      [batchId],
    );
    expect(kept).toEqual([{ national_address: null }]);
  });
});

describe('a company that requires a National Address', async () => {
  const strict = await merchantOf(environment, await addCompany(environment, company.shard));
  await setAddressPolicy(environment, strict.company, 'REQUIRED');
  const dispatchOf = async (shipmentId: string) => (await strict.get(`${SHIPMENTS}/${shipmentId}/dispatch`)).json();
  const phaseOf = (shipmentId: string, phase: string) =>
    expect.poll(async () => (await dispatchOf(shipmentId)).phase, { timeout: 5000 }).toBe(phase);
  const replace = async (shipmentId: string, shortAddress: string) =>
    environment.fetch(pathOf(shipmentId), {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${await environment.token(strict.company)}`,
        'content-type': 'application/json',
        'if-match': '*',
      },
      body: JSON.stringify({ shortAddress }),
    });

  it('has its shipments wait for one, and dispatch goes on as soon as there is one', async () => {
    const { shipmentId } = await created(undefined, {}, strict);
    expect(await recordOf(shipmentId, strict)).toMatchObject({ policy: 'REQUIRED', blocksDispatch: true });
    await phaseOf(shipmentId, 'AWAITING_ADDRESS');
    const blocked = async () => {
      const list = await strict.get(`${SHIPMENTS}?address=blocked&state=READY_FOR_DISPATCH`);
      return (await readShipmentPage(list)).data.map((one) => one.shipmentId);
    };
    expect(await blocked()).toContain(shipmentId);
    const standing = await dispatchOf(shipmentId);
    expect(standing.reasons).toEqual([expect.objectContaining({ code: 'NATIONAL_ADDRESS' })]);
    const { approvedAt } = await readShipment(await strict.get(`${SHIPMENTS}/${shipmentId}`));
    expect(Date.parse(standing.givesUpAt) - Date.parse(approvedAt ?? '')).toBe(24 * 3600 * 1000);
    expect((await replace(shipmentId, 'JEDA1234')).status).toBe(200);
    await expect.poll(async () => (await dispatchOf(shipmentId)).phase).not.toBe('AWAITING_ADDRESS');
    await checked(shipmentId, strict);
    expect(await recordOf(shipmentId, strict)).toMatchObject({ status: 'VERIFIED', blocksDispatch: false });
    expect(await blocked()).not.toContain(shipmentId);
  });

  it('has them wait again if the registry does not know the code or places it elsewhere', async () => {
    for (const code of ['ABCD9999', 'RRRD2929']) {
      const { shipmentId } = await created(
        code,
        { pickupWindowStart: '2031-01-31T09:00:00Z', pickupWindowEnd: '2031-01-31T12:00:00Z' },
        strict,
      );
      await checked(shipmentId, strict);
      expect(await recordOf(shipmentId, strict)).toMatchObject({ blocksDispatch: true });
      const { shipmentId: other } = await created('JEDA1234', {}, strict);
      await checked(other, strict);
      expect(await recordOf(other, strict)).toMatchObject({ blocksDispatch: false });
    }
  });

  it('has them pass while the registry does not answer, and shows operators what was carried so', async () => {
    const { operations } = trpcClient(
      environment,
      await addSession(environment, await addOperator(environment), { assurance: 'AAL2' }),
    );
    const carried = async () =>
      (await operations.shipments.listQueue.query({ queue: 'carriedUnverified', limit: 100 })).data;
    const sandbox = await newSandbox(environment);
    await setAddressPolicy(environment, sandbox.company, 'REQUIRED');
    await sandbox.send('POST', `${SANDBOX}/faults`, { target: 'ADDRESS', count: 1 });
    const places = { branchCode: 'SANDBOX_BRANCH', pickupLocationCode: 'SANDBOX_PICKUP' };
    const { shipmentId } = await created('RRRD2929', { ...places, destination: RIYADH }, sandbox.merchant);
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect((await carried()).map((one) => one.shipmentId)).not.toContain(shipmentId);
    await sandbox.play(shipmentId, 'HAPPY_PATH');
    await sandbox.untilState(shipmentId, 'DELIVERED');
    const listed = (await carried()).find((one) => one.shipmentId === shipmentId);
    expect(listed).toMatchObject({ state: 'DELIVERED', companyId: sandbox.company.companyId });
    // A shipment whose address is right is not there.
    const { shipmentId: right } = await created('RRRD2929', { ...places, destination: AT_RRRD }, sandbox.merchant);
    await sandbox.play(right, 'HAPPY_PATH');
    await sandbox.untilState(right, 'DELIVERED');
    expect((await carried()).map((one) => one.shipmentId)).not.toContain(right);
  });

  it('has them compared anew after the destination has moved', async () => {
    const { shipmentId } = await created('RRRD2929', {}, strict);
    await checked(shipmentId, strict);
    expect(await recordOf(shipmentId, strict)).toMatchObject({ status: 'MISMATCH', blocksDispatch: true });
    await replace(shipmentId, 'JEDA1234');
    await checked(shipmentId, strict);
    const move = async (latitude: number) =>
      strict.post(
        `${SHIPMENTS}/${shipmentId}/amendments`,
        { location: { latitude, longitude: NEAR_JEDA.longitude } },
        { 'if-match': '*' },
      );
    expect((await move(21.56)).status).toBe(200);
    await expect.poll(() => recordOf(shipmentId, strict)).toMatchObject({ status: 'MISMATCH', blocksDispatch: true });
    expect((await move(NEAR_JEDA.latitude)).status).toBe(200);
    await expect.poll(() => recordOf(shipmentId, strict)).toMatchObject({ status: 'VERIFIED', blocksDispatch: false });
  });

  it('has them pass if an operator says so, for a reason that the audit keeps', async () => {
    const { companyId } = strict.company;
    const operator = await addOperator(environment);
    const { operations } = trpcClient(environment, await addSession(environment, operator, { assurance: 'AAL2' }));
    const { shipmentId } = await created(undefined, {}, strict);
    await phaseOf(shipmentId, 'AWAITING_ADDRESS');
    const queued = await operations.shipments.listQueue.query({ queue: 'addressBlocked', limit: 100 });
    expect(queued.data.map((one) => one.shipmentId)).toContain(shipmentId);
    const order = { companyId, shipmentId, reason: 'The shop has called the recipient' };
    expect(await problemOfCall(operations.shipments.overrideAddress.mutate({ ...order, reason: 'x' }))).toMatchObject({
      status: 422,
    });
    for (const _repeat of [1, 2])
      expect(await operations.shipments.overrideAddress.mutate(order)).toMatchObject({
        status: 'MISSING',
        blocksDispatch: false,
      });
    await expect.poll(async () => (await dispatchOf(shipmentId)).phase).not.toBe('AWAITING_ADDRESS');
    const { data } = await operations.audit.list.query({ subject: shipmentId });
    expect(data.filter(({ action }) => action === 'shipment.address_overridden')).toEqual([
      expect.objectContaining({ personId: operator.personId, detail: { reason: order.reason } }),
    ]);
    // The company's own policy decides, and from the next shipment on.
    await operations.companies.setAddressPolicy.mutate({ companyId, addressPolicy: 'OFF' });
    expect((await operations.companies.get.query({ companyId })).addressPolicy).toBe('OFF');
    const free = await created(undefined, {}, strict);
    expect(await recordOf(free.shipmentId, strict)).toMatchObject({ policy: 'OFF', blocksDispatch: false });
    const other = { ...order, shipmentId: free.shipmentId };
    expect(await problemOfCall(operations.shipments.overrideAddress.mutate(other))).toMatchObject({ status: 409 });
    await operations.companies.setAddressPolicy.mutate({ companyId, addressPolicy: 'REQUIRED' });
  });

  it('has them unresolved after a day, and says that a retry alone does not help', async () => {
    const { shipmentId } = await created(undefined, {}, strict);
    await phaseOf(shipmentId, 'AWAITING_ADDRESS');
    const aDayLater = 'update shipments set due_at = 1, search_since = search_since - 86400000000 where id = ?';
    await environment.sql(strict.company.shard, aDayLater, [shipmentId]);
    // Any commit of the shard sets the alarm.
    await created(undefined, {}, strict);
    await phaseOf(shipmentId, 'UNRESOLVED');
    expect(await dispatchOf(shipmentId)).toMatchObject({
      reasons: [{ code: 'NATIONAL_ADDRESS' }],
      retryHelps: false,
    });
    expect((await replace(shipmentId, 'JEDA1234')).status).toBe(200);
    expect(await dispatchOf(shipmentId)).toMatchObject({ phase: 'UNRESOLVED', retryHelps: true });
    const retried = await strict.post(`${SHIPMENTS}/${shipmentId}/dispatch-retries`, undefined, { 'if-match': '*' });
    expect(retried.status).toBe(200);
    await expect.poll(async () => (await dispatchOf(shipmentId)).phase).not.toBe('UNRESOLVED');
  });
});
