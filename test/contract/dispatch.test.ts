import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import type { TestDriver } from '../../scripts/shared/sandbox.ts';
import { readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { addCompanyIn, addSignedInDriver, letFallDue, newCity } from '../support/fleet.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* Dispatch to drivers; each test uses a new city. */

const environment = sharedEnvironment();
const page = z.looseObject({ data: z.array(z.looseObject({ shipmentId: z.uuid() })) });

async function openCity(driversCount: number) {
  const city = newCity();
  const merchant = await merchantOf(environment, await addCompanyIn(environment, city));
  const drivers = new Map<string, TestDriver>();
  for (let count = 0; count < driversCount; count += 1) {
    const driver = await addSignedInDriver(environment, city);
    drivers.set(driver.driverId, driver);
  }
  const read = async (shipmentId: string) => readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
  const untilState = (shipmentId: string, state: string) =>
    until(`${shipmentId} is ${state}`, async () => ((await read(shipmentId)).state === state ? true : undefined));
  /** The driver who holds the offer. */
  const offered = async (shipmentId: string) => {
    await untilState(shipmentId, 'OFFERED');
    const select = 'select driver_id from shipments where id = ?';
    const [row] = await environment.sql('shard-1', select, [shipmentId]);
    const driver = drivers.get(String(row?.['driver_id']));
    if (driver === undefined) throw new Error('It is offered to somebody else');
    return driver;
  };
  return { merchant, drivers: [...drivers.values()], read, untilState, offered };
}

const shownTo = async (driver: TestDriver, list: 'offers' | 'shipments', shipmentId: string) =>
  page.parse(await (await driver.get(`/${list}`)).json()).data.find((one) => one.shipmentId === shipmentId);
const refusalOf = async (driver: TestDriver, shipmentId: string, action: string, more: object = {}) =>
  expectProblem(await driver.act(shipmentId, { action, ...more }), { status: 409, code: 'INVALID_STATE_TRANSITION' });
const expectDenied = async (driver: TestDriver, shipmentId: string, action: string) =>
  expectProblem(await driver.act(shipmentId, { action }), { status: 403, code: 'ACCESS_DENIED' });

describe('an expired offer', () => {
  it('cannot be accepted, even before the service withdraws it', async () => {
    const { merchant, offered, read } = await openCity(1);
    const { shipmentId } = await merchant.create();
    const driver = await offered(shipmentId);
    expect(await shownTo(driver, 'offers', shipmentId)).toBeDefined();
    const expire = 'update offers set expires_at = offered_at + 1 where shipment_id = ?';
    await environment.sql('shard-1', expire, [shipmentId]);
    expect((await refusalOf(driver, shipmentId, 'ACCEPT'))['currentState']).toBe('OFFERED');
    expect(await shownTo(driver, 'offers', shipmentId)).toBeUndefined();
    expect(await read(shipmentId)).toMatchObject({ state: 'OFFERED', version: 2 });
  });

  it('is withdrawn and offered to the next driver, after which the first driver is denied access', async () => {
    const { merchant, drivers, offered, untilState } = await openCity(2);
    const { shipmentId } = await merchant.create();
    const first = await offered(shipmentId);
    await letFallDue(environment, merchant, shipmentId);
    const second = drivers.find((driver) => driver !== first) ?? first;
    await until('the second driver is asked', () => shownTo(second, 'offers', shipmentId));
    for (const action of ['ACCEPT', 'DECLINE', 'RELEASE']) await expectDenied(first, shipmentId, action);
    expect((await second.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    await untilState(shipmentId, 'ACCEPTED');
    await expectDenied(first, shipmentId, 'PICK_UP');
    const { data } = await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`));
    expect(data.map(({ type, actor }) => `${type} ${actor}`)).toEqual([
      'shipment.created MERCHANT',
      'shipment.approved SYSTEM',
      'shipment.offered SYSTEM',
      'shipment.offer_expired SYSTEM',
      'shipment.offered SYSTEM',
      'shipment.accepted DRIVER',
    ]);
  });
});

describe('a shipment that moved on to another driver', () => {
  it.each([
    ['declined', ['DECLINE']],
    ['accepted and released', ['ACCEPT', 'RELEASE']],
  ])('is 403 for the driver who %s it', async (_name, actions) => {
    const { merchant, drivers, offered } = await openCity(2);
    const { shipmentId } = await merchant.create();
    const first = await offered(shipmentId);
    for (const action of actions) expect((await first.act(shipmentId, { action })).status).toBe(200);
    const second = drivers.find((driver) => driver !== first) ?? first;
    await until('the second driver is asked', () => shownTo(second, 'offers', shipmentId));
    await expectDenied(first, shipmentId, 'ACCEPT');
    expect((await second.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    await expectDenied(first, shipmentId, 'PICK_UP');
    for (const list of ['offers', 'shipments'] as const) {
      expect(await shownTo(first, list, shipmentId)).toBeUndefined();
    }
    expect(await shownTo(second, 'shipments', shipmentId)).toMatchObject({ state: 'ACCEPTED' });
  });

  it('is not offered to the same driver twice in a row, even if there is no other', async () => {
    const { merchant, drivers, offered, read } = await openCity(1);
    const { shipmentId } = await merchant.create();
    await (await offered(shipmentId)).act(shipmentId, { action: 'DECLINE' });
    await letFallDue(environment, merchant, shipmentId);
    // Dispatch offers a later shipment to the same driver, so it has skipped this one.
    const later = await merchant.create();
    await offered(later.shipmentId);
    expect(await read(shipmentId)).toMatchObject({ state: 'READY_FOR_DISPATCH', version: 3 });
    const [driver] = drivers;
    if (driver !== undefined) await expectDenied(driver, shipmentId, 'ACCEPT');
  });
});

describe('a cancelled shipment', () => {
  it('stays visible for an hour to the driver who had accepted it', async () => {
    const { merchant, offered } = await openCity(1);
    const { shipmentId } = await merchant.create();
    const driver = await offered(shipmentId);
    await driver.act(shipmentId, { action: 'ACCEPT' });
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    const states = 'select state from offers where shipment_id = ?';
    expect(await environment.sql('shard-1', states, [shipmentId])).toEqual([{ state: 'CANCELLED' }]);
    expect(await shownTo(driver, 'shipments', shipmentId)).toMatchObject({ state: 'CANCELLED', version: 4 });
    expect((await refusalOf(driver, shipmentId, 'PICK_UP'))['currentState']).toBe('CANCELLED');
    const position = { latitude: 18.2, longitude: 42.5 };
    expect((await refusalOf(driver, shipmentId, 'REPORT_POSITION', { position }))['currentState']).toBe('CANCELLED');
    const age = 'update offers set ended_at = ended_at - ? where shipment_id = ?';
    await environment.sql('shard-1', age, [3_590_000_000, shipmentId]);
    expect(await shownTo(driver, 'shipments', shipmentId)).toBeDefined();
    await environment.sql('shard-1', age, [10_000_000, shipmentId]);
    expect(await shownTo(driver, 'shipments', shipmentId)).toBeUndefined();
  });

  it("is hidden from a driver who had only been offered it, and frees that driver's capacity", async () => {
    const { merchant, offered } = await openCity(1);
    const { shipmentId } = await merchant.create();
    const driver = await offered(shipmentId);
    await merchant.cancel(shipmentId);
    for (const list of ['offers', 'shipments'] as const) {
      expect(await shownTo(driver, list, shipmentId)).toBeUndefined();
    }
    await expectDenied(driver, shipmentId, 'ACCEPT');
    const places = `select active_count as taken from drivers
      where id = (select driver_id from offers where shipment_id = ?)`;
    expect(await environment.sql('shard-1', places, [shipmentId])).toEqual([{ taken: 0 }]);
  });
});
