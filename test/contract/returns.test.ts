import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setAddressPolicy } from '../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* What goes back after the delivery. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const driver = await sandbox.signIn();
const json = async (response: Response): Promise<JsonObject> => (await response.json()) as JsonObject;
const read = async (path: string) => json(await sandbox.merchant.get(path));

async function onTheWay(changes: JsonObject = {}) {
  const created = await sandbox.create(changes);
  await sandbox.untilState(created.shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await driver.act(created.shipmentId, { action });
  return { ...created, path: `${SHIPMENTS}/${created.shipmentId}` };
}

describe('a return after the delivery', () => {
  const item = { description: 'Cup', weightKilograms: 0.5 };
  const items = [
    { ...item, quantity: 3 },
    { ...item, quantity: 1 },
  ];
  const order = (changes: JsonObject = {}) => ({
    ...{ externalReference: `BACK-${randomUUID()}`, reasonCode: 'CHANGED_MIND', items: [{ index: 0, quantity: 2 }] },
    ...{ pickupWindowStart: '2031-01-31T09:00:00Z', pickupWindowEnd: '2031-01-31T15:00:00Z', ...changes },
  });
  const giveBack = (path: string, changes?: JsonObject, headers = {}) =>
    sandbox.merchant.post(`${path}/returns`, order(changes), headers);

  async function delivered() {
    const shipment = await onTheWay({ items });
    expect((await driver.act(shipment.shipmentId, { action: 'DELIVER' })).status).toBe(200);
    return shipment;
  }

  it('is a shipment from the recipient that a driver fetches', async () => {
    const { path } = await delivered();
    const { destination, pickup } = await read(path);
    const answer = await giveBack(path);
    expect(answer.status).toBe(201);
    const back = await json(answer);
    expect(back).toMatchObject({
      ...{ state: 'PENDING_APPROVAL', pickup: destination, destination: pickup, codAmount: 0 },
      items: [{ description: 'Cup', quantity: 2 }],
      totalWeightKilograms: 1,
    });
    const id = String(back['shipmentId']);
    expect((await read(`${path}/relations`))['followUps']).toMatchObject([{ shipmentId: id, kind: 'RETURN' }]);
    expect(await read(`${SHIPMENTS}/${id}/tracking`)).toMatchObject({ goods: 'WITH_RECIPIENT' });
    await sandbox.untilState(id, 'OFFERED');
    for (const action of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'])
      expect((await driver.act(id, { action })).status).toBe(200);
    expect(await read(`${SHIPMENTS}/${id}/tracking`)).toMatchObject({ goods: 'WITH_MERCHANT' });
    const listed = await read(`${SHIPMENTS}?kind=RETURN`);
    expect(JSON.stringify(listed)).toContain(id);
    expect(JSON.stringify(await read(`${SHIPMENTS}?kind=FORWARD`))).not.toContain(id);
  });

  it('shows its driver the door and the buyer only after the acceptance', async () => {
    const recipient = { name: 'Noura Al-Harbi', phone: '0512345678' };
    const destination = { ...RIYADH, addressLine: '7 Palm Street', latitude: 24.796123, longitude: 46.628456 };
    const first = await onTheWay({ items, recipient, destination });
    await driver.act(first.shipmentId, { action: 'DELIVER' });
    const { shipmentId } = await json(await giveBack(first.path));
    const id = String(shipmentId);
    await sandbox.untilState(id, 'OFFERED');
    const offers = await json(await driver.get('/offers'));
    const offer = (offers['data'] as JsonObject[]).find((one) => one['shipmentId'] === id);
    expect(offer?.['pickup']).toEqual({ addressLine: 'RUH', cityCode: 'RUH', latitude: 24.8, longitude: 46.63 });
    expect(offer).not.toHaveProperty('pickupName');
    const accepted = await json(await driver.act(id, { action: 'ACCEPT' }));
    expect(accepted).toMatchObject({
      pickup: destination,
      pickupContact: { name: 'Noura Al-Harbi', phone: '+966512345678' },
      pickupInstructions: null,
    });
    expect(accepted).not.toHaveProperty('pickupName');
    await driver.act(id, { action: 'RELEASE' });
  });

  it('never takes back more than was delivered, also of ten at once', async () => {
    const { path } = await delivered();
    const one = { items: [{ index: 0, quantity: 1 }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => giveBack(path, one)));
    expect(answers.map(({ status }) => status).toSorted((first, second) => first - second)).toEqual([
      201,
      201,
      201,
      ...Array<number>(7).fill(409),
    ]);
    const refused = await giveBack(path, { items: [{ index: 1, quantity: 2 }] });
    expect(await json(refused)).toMatchObject({
      code: 'RETURN_QUANTITY_EXCEEDED',
      remaining: [
        { index: 0, quantity: 0 },
        { index: 1, quantity: 1 },
      ],
    });
  });

  it('that is cancelled frees its quantity', async () => {
    const early = await onTheWay({ items });
    const returnable = async ({ path }: { readonly path: string }) => (await read(`${path}/relations`))['returnable'];
    expect(await returnable(early)).toEqual([]);
    const { path } = await delivered();
    const whole = [
      { index: 0, quantity: 3 },
      { index: 1, quantity: 1 },
    ];
    expect(await returnable({ path })).toEqual(whole);
    const all = { items: [{ index: 0, quantity: 3 }] };
    const { shipmentId } = await json(await giveBack(path, all));
    expect(await returnable({ path })).toEqual([{ index: 1, quantity: 1 }]);
    expect(await returnable({ path: `${SHIPMENTS}/${String(shipmentId)}` })).toEqual([]);
    expect((await giveBack(path, all)).status).toBe(409);
    const cancelled = `${SHIPMENTS}/${String(shipmentId)}/cancellations`;
    await sandbox.merchant.post(cancelled, { reasonCode: 'OTHER' }, { 'if-match': '*' });
    expect(await returnable({ path })).toEqual(whole);
    expect((await giveBack(path, all)).status).toBe(201);
  });

  it('is refused before the delivery, for an item that is not there, and above its limit', async () => {
    const { path } = await onTheWay({ items });
    await expectProblem(await giveBack(path), { status: 409, code: 'INVALID_STATE_TRANSITION' });
    const other = await delivered();
    await expectProblem(await giveBack(other.path, { items: [{ index: 2, quantity: 1 }] }), {
      ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['items[0].index OUT_OF_RANGE'] },
    });
    const refused = await giveBack(other.path, {}, { 'price-limit': '0' });
    await expectProblem(refused, { status: 409, code: 'PRICE_LIMIT_EXCEEDED' });
  });

  it('waits for no National Address, because it goes to a pickup location, also if a wrong one is set for it', async () => {
    const { path } = await delivered();
    await setAddressPolicy(environment, sandbox.company, 'REQUIRED');
    const back = `${SHIPMENTS}/${String((await json(await giveBack(path)))['shipmentId'])}`;
    const wrong = { shortAddress: 'jeda ١٢٣٤' };
    const set = await sandbox.send('PUT', `${back}/national-address`, wrong, { 'if-match': '*' });
    expect(set.status).toBe(200);
    await expect
      .poll(() => read(`${back}/national-address`))
      .toMatchObject({ status: 'MISMATCH', blocksDispatch: false });
    await sandbox.untilState(back.slice(SHIPMENTS.length + 1), 'OFFERED');
  });
});
