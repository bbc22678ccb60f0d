import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, type Sandbox, sendJson, type TestDriver } from '../../scripts/shared/sandbox.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { newPhone, signInBySms } from '../support/driver-sign-in.ts';
import { addCompanyIn, addSignedInDriver, newCity, operatorOf } from '../support/fleet.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
interface Leaving {
  readonly driver: TestDriver;
  readonly drivers: Awaited<ReturnType<typeof operatorOf>>['drivers'];
  readonly seen: { readonly shard: string; readonly driverId: string; readonly version: number };
}

const shipment = z.looseObject({ state: z.string(), version: z.number(), arrivedAt: z.nullable(z.string()) });
const read = async (response: Response) => shipment.parse(await response.json());

const send = (driver: TestDriver, method: string, path: string, body: object = {}) =>
  sendJson(environment, method, `/v2/driver${path}`, body, { authorization: `Bearer ${driver.token}` });

async function accepted(sandbox: Sandbox, driver: TestDriver): Promise<string> {
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
  return shipmentId;
}

describe('GET /v2/driver/me and PUT /v2/driver/duty', () => {
  it('tell the driver’s own standing, and change only the duty', async () => {
    const cityCode = newCity();
    const driver = await addSignedInDriver(environment, cityCode);
    const standing = {
      ...{ driverId: driver.driverId, firstName: 'Faisal', cityCode },
      ...{ onDuty: true, activeCount: 0, activeMax: 5, offDutyReason: null },
    };
    const me = await driver.get('/me');
    expect([me.status, await me.json()]).toEqual([200, standing]);
    for (const onDuty of [false, false, true]) {
      const changed = await send(driver, 'PUT', '/duty', { onDuty });
      expect([changed.status, await changed.json()]).toEqual([200, { ...standing, onDuty }]);
    }
    const { drivers } = await operatorOf(environment);
    const [listed] = (await drivers.list.query({ shard: 'shard-1', cityCode })).data;
    // Created with 0; the operator's change and two of the driver's. A repeat does not count.
    expect(listed).toMatchObject({ onDuty: true, version: 3 });
  });

  it('end open offers as declined, which is no refusal, and leave the current shipments with the driver', async () => {
    const sandbox = await newSandbox(environment);
    const driver = await sandbox.signIn();
    const current = await accepted(sandbox, driver);
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect(await (await send(driver, 'PUT', '/duty', { onDuty: false })).json()).toMatchObject({ activeCount: 1 });
    expect((await sandbox.read(shipmentId)).state).toBe('READY_FOR_DISPATCH');
    expect((await sandbox.timeline(shipmentId)).at(-1)).toBe('offer_declined DRIVER');
    const late = await driver.act(shipmentId, { action: 'ACCEPT' });
    await expectProblem(late, { status: 403, code: 'ACCESS_DENIED' });
    expect((await driver.act(current, { action: 'PICK_UP' })).status).toBe(200);
    // The driver did not refuse it, so it is offered again.
    await send(driver, 'PUT', '/duty', { onDuty: true });
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
  });

  it.each([
    ['signing out', async ({ driver }: Leaving) => (await send(driver, 'DELETE', '/sessions/current')).status],
    [
      'a lost phone',
      ({ seen: { version: _, ...seen }, drivers }: Leaving) =>
        drivers.endSessions.mutate({ ...seen, reasonCode: 'PHONE_LOST' }),
    ],
    ['a changed phone', ({ seen, drivers }: Leaving) => drivers.changePhone.mutate({ ...seen, phone: newPhone() })],
    ['an operator', ({ seen, drivers }: Leaving) => drivers.setDuty.mutate({ ...seen, onDuty: false })],
    ['a block', ({ seen, drivers }: Leaving) => drivers.update.mutate({ ...seen, status: 'INACTIVE' })],
  ])('come with %s, which puts the driver off duty without open offers', async (_, leave) => {
    const cityCode = newCity();
    const driver = await addSignedInDriver(environment, cityCode);
    const merchant = await merchantOf(environment, await addCompanyIn(environment, cityCode));
    const created = await Promise.all([merchant.create(), merchant.create()]);
    const ids = created.map(({ shipmentId }) => shipmentId);
    const { drivers } = await operatorOf(environment);
    const stateOf = async (id: string) => (await readShipment(await merchant.get(`${SHIPMENTS}/${id}`))).state;
    const states = () => Promise.all(ids.map(stateOf));
    await until('both are offered', async () => (await states()).every((state) => state === 'OFFERED') || undefined);
    const { driverId, shard } = driver;
    const { version } = await drivers.get.query({ shard, driverId });
    await leave({ driver, drivers, seen: { shard, driverId, version } });
    expect(await drivers.get.query({ shard, driverId })).toMatchObject({ onDuty: false, activeCount: 0 });
    expect(await states()).toEqual(['READY_FOR_DISPATCH', 'READY_FOR_DISPATCH']);
    const select = `select state, (select last_refused_driver_id from shipments s where s.id = o.shipment_id) as refused
      from offers o where driver_id = ?`;
    const declined = { state: 'DECLINED', refused: null };
    expect(await environment.sql(shard, select, [driverId])).toEqual([declined, declined]);
  });

  it('stay as they are when the driver signs in on another phone', async () => {
    const cityCode = newCity();
    const driver = await addSignedInDriver(environment, cityCode);
    const again = await signInBySms(environment, driver.phone);
    expect(await (await again.get('/me')).json()).toMatchObject({ onDuty: true });
  });

  it('are 401 for a blocked driver', async () => {
    const cityCode = newCity();
    const driver = await addSignedInDriver(environment, cityCode);
    const { drivers } = await operatorOf(environment);
    const { driverId, shard } = driver;
    await drivers.update.mutate({ shard, driverId, version: 1, status: 'INACTIVE' });
    for (const response of [await driver.get('/me'), await send(driver, 'PUT', '/duty', { onDuty: true })])
      await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect((await drivers.list.query({ shard, cityCode })).data[0]).toMatchObject({ onDuty: false });
  });

  it('is 422 without a duty', async () => {
    const driver = await (await newSandbox(environment)).signIn();
    const response = await send(driver, 'PUT', '/duty', {});
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: ['onDuty REQUIRED'] });
  });
});

describe('POST /v2/driver/positions', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

  it('shows the newest position at once, and stores it within 15 seconds', async () => {
    const cityCode = newCity();
    const driver = await addSignedInDriver(environment, cityCode);
    const { drivers } = await operatorOf(environment);
    const shown = async () => (await drivers.list.query({ shard: driver.shard, cityCode })).data[0]?.position;
    const report = async (latitude: number, seconds: number) => {
      const response = await send(driver, 'POST', '/positions', { latitude, longitude: 46.6, recordedAt: at(seconds) });
      expect([response.status, await response.text()]).toEqual([204, '']);
      return (await shown())?.latitude;
    };
    expect(await report(24.71, -60)).toBe('24.71');
    expect(await report(24.711, -46)).toBe('24.711');
    expect(await report(24.712, -44)).toBe('24.712');
    expect(await report(24.713, -50)).toBe('24.712');
    expect(await report(24.714, 0)).toBe('24.714');
    const stored = async () =>
      (await environment.sql(driver.shard, 'select latitude from drivers where id = ?', [driver.driverId]))[0]?.[
        'latitude'
      ];
    await expect.poll(stored, { timeout: 25_000 }).toBe('24.714');
  });

  it('drops without a word what is no position', async () => {
    const cityCode = newCity();
    const driver = await addSignedInDriver(environment, cityCode);
    const { drivers } = await operatorOf(environment);
    const report = async (changes: object) => {
      const body = { latitude: 24.7, longitude: 46.6, ...changes };
      const response = await send(driver, 'POST', '/positions', body);
      expect([response.status, await response.text()]).toEqual([204, '']);
      return (await drivers.list.query({ shard: driver.shard, cityCode })).data[0]?.position?.latitude ?? null;
    };
    for (const changes of [
      ...[{ recordedAt: at(60) }, { recordedAt: at(86_400) }],
      ...[{ accuracyMeters: 200.5 }, { accuracyMeters: 100_000 }, { latitude: 0, longitude: 0 }],
    ])
      expect(await report(changes)).toBeNull();
    expect(await report({ accuracyMeters: 200 })).toBe('24.7');
    expect(await report({ latitude: 25.7 })).toBe('24.7');
  });

  it.each([-1, 100_001, 'near'])('is 422 for an accuracy of %j', async (accuracyMeters) => {
    const driver = await (await newSandbox(environment)).signIn();
    const body = { latitude: 24.7, longitude: 46.6, accuracyMeters };
    await expectProblem(await send(driver, 'POST', '/positions', body), {
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      violations: [`accuracyMeters ${accuracyMeters === 'near' ? 'TYPE_MISMATCH' : 'OUT_OF_RANGE'}`],
    });
  });
});

describe('ARRIVE', () => {
  it('keeps the first time at the pickup location and at the door, without event or new version', async () => {
    const sandbox = await newSandbox(environment);
    const driver = await sandbox.signIn();
    const shipmentId = await accepted(sandbox, driver);
    const position = { latitude: 24.7, longitude: 46.6 };
    const arrive = async (body: object = {}) => read(await driver.act(shipmentId, { action: 'ARRIVE', ...body }));
    const pickup = await arrive({ position });
    expect(pickup).toMatchObject({ state: 'ACCEPTED', version: 3, arrivedAt: expect.any(String) });
    expect(await arrive()).toEqual(pickup);
    expect(await read(await driver.act(shipmentId, { action: 'PICK_UP' }))).toMatchObject({ arrivedAt: null });
    expect(await read(await driver.act(shipmentId, { action: 'DEPART' }))).toMatchObject({ arrivedAt: null });
    const actionId = randomUUID();
    const door = await arrive({ actionId });
    expect(await arrive({ actionId })).toEqual(door);
    expect(door).toMatchObject({ state: 'OUT_FOR_DELIVERY', version: 5 });
    expect(door.arrivedAt).not.toBe(pickup.arrivedAt);
    const rows = await environment.sql(
      sandbox.company.shard,
      'select pickup_arrival, door_arrival from offers where shipment_id = ?',
      [shipmentId],
    );
    expect(JSON.parse(String(rows[0]?.['pickup_arrival']))).toEqual({
      arrivedAt: pickup.arrivedAt,
      position: { latitude: '24.7', longitude: '46.6', positionAt: pickup.arrivedAt },
    });
    expect(JSON.parse(String(rows[0]?.['door_arrival']))).toEqual({ arrivedAt: door.arrivedAt, position: null });
    // A phone that finds its position later proves the arrival from then on.
    const placed = await arrive({ position });
    expect(Date.parse(placed.arrivedAt ?? '')).toBeGreaterThan(Date.parse(door.arrivedAt ?? ''));
    expect((await arrive({ position: { latitude: 24.8, longitude: 46.7 } })).arrivedAt).toBe(placed.arrivedAt);
    expect((await arrive()).arrivedAt).toBe(placed.arrivedAt);
    expect((await sandbox.timeline(shipmentId)).length).toBe(6);
  });

  it('is 409 anywhere else', async () => {
    const sandbox = await newSandbox(environment);
    const driver = await sandbox.signIn();
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    const refused = async (currentState: string) => {
      const response = await driver.act(shipmentId, { action: 'ARRIVE' });
      const problem = await expectProblem(response, { status: 409, code: 'INVALID_STATE_TRANSITION' });
      expect(problem).toMatchObject({ currentState });
    };
    await refused('OFFERED');
    for (const action of ['ACCEPT', 'PICK_UP']) await driver.act(shipmentId, { action });
    await refused('PICKED_UP');
    for (const action of ['DEPART', 'DELIVER']) await driver.act(shipmentId, { action });
    await refused('DELIVERED');
  });

  it('counts for the driver who has the shipment, and not for the next one', async () => {
    const sandbox = await newSandbox(environment);
    const driver = await sandbox.signIn();
    const shipmentId = await accepted(sandbox, driver);
    await driver.act(shipmentId, { action: 'ARRIVE' });
    await driver.act(shipmentId, { action: 'RELEASE' });
    // The sandbox has one driver; without the memory of the refusal it is offered to them again.
    const forget = 'update shipments set last_refused_driver_id = null where id = ?';
    await environment.sql(sandbox.company.shard, forget, [shipmentId]);
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect(await read(await driver.act(shipmentId, { action: 'ACCEPT' }))).toMatchObject({ arrivedAt: null });
  });
});
