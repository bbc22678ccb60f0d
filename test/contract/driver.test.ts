import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { newSandbox, type Sandbox, type TestDriver } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { CLOCK_ERRORS_SECONDS } from '../support/cast.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const page = z.strictObject({
  data: z.array(z.looseObject({ shipmentId: z.uuid() })),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});
const readPage = async (response: Response) => page.parse(await response.json());

async function offered(sandbox: Sandbox): Promise<string> {
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  return shipmentId;
}

async function accepted(sandbox: Sandbox, driver: TestDriver): Promise<string> {
  const shipmentId = await offered(sandbox);
  expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
  return shipmentId;
}

const sandbox = await newSandbox(environment);
const driver = await sandbox.signIn();
const looksAt = async (shipmentId: string) => {
  const select = 'select count(*) as looks from recipient_looks where shipment_id = ?';
  return (await environment.sql(sandbox.company.shard, select, [shipmentId]))[0]?.['looks'];
};

const anHourPasses = (shipmentId: string) =>
  environment.sql(sandbox.company.shard, 'update recipient_looks set hour = hour - 1 where shipment_id = ?', [
    shipmentId,
  ]);

describe('GET /v2/driver/offers', () => {
  it('shows the offer, and no data of the recipient', async () => {
    const shipmentId = await offered(sandbox);
    const response = await driver.get('/offers');
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toMatch(/Noura|512345678|King Fahd/);
    const offer = page.parse(JSON.parse(text)).data.find((one) => one.shipmentId === shipmentId);
    expect(offer).toMatchObject({
      pickup: { cityCode: 'RUH', latitude: 24.711667, longitude: 46.674167 },
      destinationCityCode: 'RUH',
      merchantName: sandbox.company.name,
      pickupName: 'Sandbox pickup',
      codAmount: 0,
      currency: 'SAR',
      requirements: [],
      totalWeightKilograms: 2.5,
    });
    expect(offer?.['distanceMeters']).toBeGreaterThan(1000);
    expect(Object.keys(offer ?? {}).toSorted()).toEqual([
      'codAmount',
      'currency',
      'deliveryWindow',
      'destinationCityCode',
      'distanceMeters',
      'durationSeconds',
      'expiresAt',
      'merchantName',
      'offerId',
      'offeredAt',
      'pickup',
      'pickupName',
      'pickupNameAr',
      'pickupWindowEnd',
      'pickupWindowStart',
      'requirements',
      'shipmentId',
      'shipmentNumber',
      'totalWeightKilograms',
    ]);
    expect(await looksAt(shipmentId)).toBe(0);
  });

  it('is paged, with cursors bound to the list and the driver', async () => {
    const other = await newSandbox(environment);
    const stranger = await other.signIn();
    await Promise.all([offered(sandbox), offered(sandbox)]);
    const first = await readPage(await driver.get('/offers?limit=1'));
    expect(first.page.hasMore).toBe(true);
    const second = await readPage(await driver.get(`/offers?limit=1&cursor=${first.page.nextCursor}`));
    expect(second.data[0]?.shipmentId).not.toBe(first.data[0]?.shipmentId);
    await expectProblem(await driver.get(`/shipments?cursor=${first.page.nextCursor}`), {
      status: 400,
      code: 'INVALID_CURSOR',
    });
    await expectProblem(await stranger.get(`/offers?cursor=${first.page.nextCursor}`), {
      status: 400,
      code: 'INVALID_CURSOR',
    });
    expect((await readPage(await stranger.get('/offers'))).data).toEqual([]);
    expect((await driver.get('/offers?limit=0')).status).toBe(400);
  });
});

describe('POST actions', () => {
  it('take a shipment from offer to delivery', async () => {
    const shipmentId = await offered(sandbox);
    const states = [];
    for (const action of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER']) {
      const response = await driver.act(shipmentId, { action });
      states.push(z.object({ state: z.string() }).parse(await response.json()).state);
    }
    expect(states).toEqual(['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY', 'DELIVERED']);
    expect((await sandbox.timeline(shipmentId)).slice(3)).toEqual([
      'accepted DRIVER',
      'picked_up DRIVER',
      'out_for_delivery DRIVER',
      'delivered DRIVER',
    ]);
    expect((await sandbox.read(shipmentId)).version).toBe(6);
  });

  it('tell when the driver took them, beside the time of the service, and are never refused for it', async () => {
    const shipmentId = await offered(sandbox);
    const takenAt = new Date(Date.now() - 600_000).toISOString();
    const times = { ACCEPT: '2020-01-01T00:00:00Z', PICK_UP: '2099-01-01T00:00:00Z', DEPART: takenAt };
    for (const [action, taken] of Object.entries(times))
      expect((await driver.act(shipmentId, { action, takenAt: taken })).status).toBe(200);
    expect((await driver.act(shipmentId, { action: 'ARRIVE', takenAt })).status).toBe(200);
    expect((await driver.act(shipmentId, { action: 'DELIVER' })).status).toBe(200);
    const events = await sandbox.merchant.get(`/v2/external/events?shipmentId=${shipmentId}`);
    const { data } = z
      .object({ data: z.array(z.object({ type: z.string(), data: z.looseObject({}) })) })
      .parse(await events.json());
    expect(data.slice(-4).map((event) => [event.type, event.data['takenAt']])).toEqual([
      ['shipment.accepted', null],
      ['shipment.picked_up', null],
      ['shipment.out_for_delivery', takenAt.replace('Z', '000Z')],
      ['shipment.delivered', undefined],
    ]);
    const [row] = await environment.sql(
      sandbox.company.shard,
      'select door_arrival from offers where shipment_id = ?',
      [shipmentId],
    );
    expect(JSON.parse(String(row?.['door_arrival']))).toMatchObject({
      takenAt: takenAt.replace('Z', '000Z'),
      arrivedAt: expect.any(String),
    });
  });

  it('show the recipient only after acceptance, and record every disclosure', async () => {
    const shipmentId = await offered(sandbox);
    const before = await driver.act(shipmentId, {
      action: 'REPORT_POSITION',
      position: { latitude: 24.7, longitude: 46.6 },
    });
    expect(await before.json()).toMatchObject({
      state: 'OFFERED',
      pickup: null,
      destination: null,
      recipientName: null,
      recipientPhone: null,
    });
    expect(await looksAt(shipmentId)).toBe(0);
    const after = await driver.act(shipmentId, { action: 'ACCEPT' });
    expect(await after.json()).toMatchObject({
      state: 'ACCEPTED',
      destination: { cityCode: 'RUH' },
      recipientName: 'Noura Al-Harbi',
      recipientPhone: '+966512345678',
    });
    expect(await looksAt(shipmentId)).toBe(1);
    const listed = await readPage(await driver.get('/shipments'));
    expect(listed.data.find((one) => one.shipmentId === shipmentId)).toMatchObject({ recipientPhone: '+966512345678' });
    await driver.get('/shipments');
    expect(await looksAt(shipmentId)).toBe(1);
    await anHourPasses(shipmentId);
    await driver.get('/shipments');
    expect(await looksAt(shipmentId)).toBe(2);
    await anHourPasses(shipmentId);
    const released = await driver.act(shipmentId, { action: 'RELEASE' });
    expect(await released.json()).toMatchObject({
      state: 'READY_FOR_DISPATCH',
      recipientName: null,
      recipientPhone: null,
    });
    expect(await looksAt(shipmentId)).toBe(2);
    expect((await readPage(await driver.get('/shipments'))).data.some((one) => one.shipmentId === shipmentId)).toBe(
      false,
    );
  });

  it('show items, pickup contact and alternate contact only while the recipient is shown', async () => {
    const own = await newSandbox(environment);
    const mine = await own.signIn();
    await environment.sql(
      own.company.shard,
      "update pickup_locations set contact_name = 'Khalid', contact_phone = '+966500000011', instructions = 'Back door' where company_id = ?",
      [own.company.companyId],
    );
    const recipient = { name: 'Noura Al-Harbi', phone: '0512345678', alternateContactPhone: '0512345679' };
    const { shipmentId } = await own.create({ recipient });
    await own.untilState(shipmentId, 'OFFERED');
    const position = { latitude: 24.7, longitude: 46.6 };
    const before = await mine.act(shipmentId, { action: 'REPORT_POSITION', position });
    const hidden = { pickupContact: null, pickupInstructions: null, alternateContact: null, items: null };
    expect(await before.json()).toMatchObject(hidden);
    expect(await (await mine.get('/offers')).text()).not.toMatch(/Khalid|500000011|512345679/);
    const shown = {
      pickupContact: { name: 'Khalid', phone: '+966500000011' },
      pickupInstructions: 'Back door',
      alternateContact: { name: null, phone: '+966512345679' },
      items: [{ quantity: expect.any(Number), weightKilograms: expect.any(Number) }],
    };
    expect(await (await mine.act(shipmentId, { action: 'ACCEPT' })).json()).toMatchObject(shown);
    expect((await readPage(await mine.get('/shipments'))).data[0]).toMatchObject(shown);
    expect(await (await mine.act(shipmentId, { action: 'RELEASE' })).json()).toMatchObject(hidden);
  });

  it('drop an ended shipment from the driver’s list after an hour', async () => {
    const shipmentId = await accepted(sandbox, driver);
    await driver.act(shipmentId, { action: 'PICK_UP' });
    await driver.act(shipmentId, { action: 'FAIL', reasonCode: 'DAMAGED' });
    const has = async () =>
      (await readPage(await driver.get('/shipments?limit=100'))).data.some((one) => one.shipmentId === shipmentId);
    expect(await has()).toBe(true);
    const age = 'update offers set ended_at = ended_at - 3601000000 where shipment_id = ?';
    await environment.sql(sandbox.company.shard, age, [shipmentId]);
    expect(await has()).toBe(false);
  });

  it('list what the driver still has before what has ended, on every page', async () => {
    const own = await newSandbox(environment);
    const busy = await own.signIn();
    const kept = await accepted(own, busy);
    for (const action of ['PICK_UP', 'DEPART']) expect((await busy.act(kept, { action })).status).toBe(200);
    const over: string[] = [];
    for (let count = 1; count < 4; count += 1) {
      const shipmentId = await accepted(own, busy);
      await busy.act(shipmentId, { action: 'PICK_UP' });
      await busy.act(shipmentId, { action: 'FAIL', reasonCode: 'LOST' });
      over.unshift(shipmentId);
    }
    const also = await accepted(own, busy);
    const listed: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { data, page: next } = await readPage(
        await busy.get(`/shipments?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`),
      );
      listed.push(...data.map(({ shipmentId }) => shipmentId));
      cursor = next.nextCursor;
    }
    expect(listed).toEqual([also, kept, ...over]);
  });

  it('store the latest position sent with any accepted action', async () => {
    const shipmentId = await accepted(sandbox, driver);
    const position = async () => {
      const select =
        'select latitude, longitude from drivers where id = (select driver_id from sandboxes where company_id = ?)';
      return (await environment.sql(sandbox.company.shard, select, [sandbox.company.companyId]))[0];
    };
    await driver.act(shipmentId, { action: 'PICK_UP', position: { latitude: 24.7023456789, longitude: 46.6 } });
    // The writer stores positions every 15 seconds.
    await expect.poll(position, { timeout: 25_000 }).toEqual({ latitude: '24.7023456789', longitude: '46.6' });
    const late = { latitude: 1, longitude: 1, recordedAt: '2020-01-01T00:00:00Z' };
    expect((await driver.act(shipmentId, { action: 'REPORT_POSITION', position: late })).status).toBe(200);
    expect(await position()).toEqual({ latitude: '24.7023456789', longitude: '46.6' });
    expect((await driver.act(shipmentId, { action: 'DELIVER', position: { latitude: 2, longitude: 2 } })).status).toBe(
      409,
    );
    expect(await position()).toEqual({ latitude: '24.7023456789', longitude: '46.6' });
  });

  it.each(CLOCK_ERRORS_SECONDS)('are done by a phone whose clock is %i s off', async (seconds) => {
    const shipmentId = await accepted(sandbox, driver);
    const recordedAt = new Date(Date.now() + seconds * 1000).toISOString();
    const position = { latitude: 24.7, longitude: 46.6, recordedAt };
    for (const action of ['ARRIVE', 'PICK_UP', 'DEPART', 'REPORT_POSITION', 'DELIVER'])
      expect([action, (await driver.act(shipmentId, { action, position })).status]).toEqual([action, 200]);
    const select = 'select pickup_arrival from offers where shipment_id = ?';
    const [row] = await environment.sql(sandbox.company.shard, select, [shipmentId]);
    expect(JSON.parse(String(row?.['pickup_arrival'])).position === null).toBe(seconds > 0);
  });

  it('are 409 with the current state when out of order', async () => {
    const shipmentId = await offered(sandbox);
    const refused = async (body: Readonly<Record<string, unknown>>) =>
      (await expectProblem(await driver.act(shipmentId, body), { status: 409, code: 'INVALID_STATE_TRANSITION' }))[
        'currentState'
      ];
    expect(await refused({ action: 'PICK_UP' })).toBe('OFFERED');
    await driver.act(shipmentId, { action: 'ACCEPT' });
    expect(await refused({ action: 'ACCEPT' })).toBe('ACCEPTED');
    await driver.act(shipmentId, { action: 'PICK_UP' });
    expect(await refused({ action: 'RELEASE' })).toBe('PICKED_UP');
    expect(await refused({ action: 'FAIL', reasonCode: 'RECIPIENT_REFUSED' })).toBe('PICKED_UP');
    await driver.act(shipmentId, { action: 'FAIL', reasonCode: 'LOST' });
    expect(await refused({ action: 'REPORT_POSITION', position: { latitude: 1, longitude: 1 } })).toBe(
      'DELIVERY_FAILED',
    );
  });

  it('are 409 when an off-duty driver accepts an offer', async () => {
    const own = await newSandbox(environment);
    const tired = await own.signIn();
    const shipmentId = await offered(own);
    await environment.sql(own.company.shard, 'update drivers set on_duty = 0 where company_id = ?', [
      own.company.companyId,
    ]);
    await expectProblem(await tired.act(shipmentId, { action: 'ACCEPT' }), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect((await own.read(shipmentId)).state).toBe('OFFERED');
    expect((await tired.act(shipmentId, { action: 'DECLINE' })).status).toBe(200);
  });

  it('answer another driver’s shipment exactly like an unknown one', async () => {
    const stranger = await (await newSandbox(environment)).signIn();
    const shipmentId = await offered(sandbox);
    const [foreign, missing] = await Promise.all(
      [shipmentId, randomUUID()].map((id) => stranger.act(id, { action: 'ACCEPT' })),
    );
    expect([foreign?.status, missing?.status]).toEqual([403, 403]);
    expect(timelessText((await foreign?.text()) ?? '')).toBe(timelessText((await missing?.text()) ?? ''));
    await driver.act(shipmentId, { action: 'DECLINE' });
    await expectProblem(await driver.act(shipmentId, { action: 'ACCEPT' }), { status: 403, code: 'ACCESS_DENIED' });
  });

  it('take effect once per actionId, and a repeated request replays the first response', async () => {
    const shipmentId = await offered(sandbox);
    const position = { latitude: 24.7, longitude: 46.7 };
    const orders: JsonObject[] = ['ACCEPT', 'PICK_UP', 'REPORT_POSITION', 'DEPART', 'DELIVER'].map((action) => ({
      ...{ action, actionId: randomUUID(), position },
    }));
    const answers: unknown[] = [];
    for (const order of orders) {
      const responses = await Promise.all([1, 2, 3].map(() => driver.act(shipmentId, order)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(responses.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(2);
      const [first, ...others] = await Promise.all(responses.map((response) => response.json()));
      expect(others).toEqual([first, first]);
      answers.push(first);
    }
    for (const [at, order] of orders.entries()) {
      const late = await driver.act(shipmentId, order);
      expect([late.status, await late.json()]).toEqual([200, answers[at]]);
    }
    expect((await sandbox.timeline(shipmentId)).filter((step) => step.endsWith('DRIVER'))).toHaveLength(4);
  });

  it('replay a DECLINE by its actionId, but only for the driver who sent it', async () => {
    const shipmentId = await offered(sandbox);
    const order = { action: 'DECLINE', actionId: randomUUID() };
    const first = await driver.act(shipmentId, order);
    expect(first.status).toBe(200);
    const again = await driver.act(shipmentId, order);
    expect([again.status, await again.json()]).toEqual([200, await first.json()]);
    const stranger = await (await newSandbox(environment)).signIn();
    await expectProblem(await stranger.act(shipmentId, order), { status: 403, code: 'ACCESS_DENIED' });
    await expectProblem(await driver.act(shipmentId, { ...order, action: 'ACCEPT' }), {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await expectProblem(await driver.act(shipmentId, { ...order, actionId: randomUUID() }), {
      status: 403,
      code: 'ACCESS_DENIED',
    });
  });

  it('show the recipient in a replay only while the driver may see it, and record the disclosure', async () => {
    const shipmentId = await offered(sandbox);
    const order = { action: 'ACCEPT', actionId: randomUUID() };
    const accept = await driver.act(shipmentId, order);
    expect(await accept.json()).toMatchObject({ state: 'ACCEPTED', recipientName: expect.any(String) });
    await anHourPasses(shipmentId);
    expect(await (await driver.act(shipmentId, order)).json()).toMatchObject({ recipientName: expect.any(String) });
    expect(await looksAt(shipmentId)).toBe(2);
    expect((await driver.act(shipmentId, { action: 'RELEASE' })).status).toBe(200);
    expect(await (await driver.act(shipmentId, order)).json()).toMatchObject({
      ...{ state: 'ACCEPTED', recipientName: null, recipientPhone: null, destination: null },
    });
  });

  it.each([
    [{ action: 'FAIL' }, 'reasonCode REQUIRED'],
    [{ action: 'ACCEPT', actionId: 'x' }, 'actionId PATTERN_MISMATCH'],
    [{ action: 'ACCEPT', reasonCode: 'LOST' }, 'reasonCode FORBIDDEN_FIELD'],
    [{ action: 'REPORT_POSITION' }, 'position REQUIRED'],
    [{ action: 'ACCEPT', position: { latitude: 91, longitude: 1 } }, 'position.latitude OUT_OF_RANGE'],
    [{ action: 'FLY' }, 'action NOT_IN_ENUM'],
    [{}, 'action REQUIRED'],
  ])('are 422 for %j', async (body, violation) => {
    const response = await driver.act(randomUUID(), body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: [violation] });
  });
});
