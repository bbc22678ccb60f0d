import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { advanceClock, newSandbox, type Sandbox, sendJson } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* What becomes of a parcel that could not be delivered. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const driver = await sandbox.signIn();

const json = async (response: Response): Promise<JsonObject> => (await response.json()) as JsonObject;

async function onTheWay(changes: JsonObject = {}, { create, untilState }: Sandbox = sandbox, by = driver) {
  const created = await create(changes);
  await untilState(created.shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await by.act(created.shipmentId, { action });
  return { ...created, path: `${SHIPMENTS}/${created.shipmentId}` };
}

async function failed(reasonCode: string, changes: JsonObject = {}, where: Sandbox = sandbox, by = driver) {
  const shipment = await onTheWay(changes, where, by);
  expect((await by.act(shipment.shipmentId, { action: 'FAIL', reasonCode })).status).toBe(200);
  return shipment;
}

const read = async (path: string, { merchant }: Sandbox = sandbox) => json(await merchant.get(path));
const netOf = async (path: string) => (await read(`${path}/charges`))['netAmount'];
const choose = (path: string, body: JsonObject, headers = {}) =>
  sandbox.merchant.post(`${path}/resolutions`, body, headers);

describe('a resolution', () => {
  it('is open after a refusal, whose price is due: the merchant pays for what follows', async () => {
    const { shipmentId, path } = await failed('RECIPIENT_REFUSED');
    const net = await netOf(path);
    expect(net).toBeGreaterThan(0);
    const resolution = await read(`${path}/resolution`);
    expect(resolution).toMatchObject({
      shipmentId,
      failure: { reasonCode: 'RECIPIENT_REFUSED', evidence: 'NONE' },
      goods: 'WITH_DRIVER',
      state: 'OPEN',
      default: 'RETURN',
      attemptsMade: 1,
      followUpShipmentId: null,
      options: [
        { kind: 'REDELIVER', available: true, code: null, payer: 'MERCHANT', price: { netAmount: net } },
        { kind: 'RETURN', available: true, code: null, payer: 'MERCHANT', price: { netAmount: net } },
        { kind: 'DISPOSE', available: true, code: null, payer: 'MERCHANT', price: { netAmount: 0 } },
      ],
    });
    const failure = resolution['failure'] as { at: string };
    expect(Date.parse(String(resolution['decideBy'])) - Date.parse(failure.at)).toBe(24 * 3600 * 1000);
  });

  it('costs the merchant nothing if nothing proves the attempt, and the price is credited', async () => {
    const { path } = await failed('RECIPIENT_UNREACHABLE');
    expect(await netOf(path)).toBe(0);
    const { options } = await read(`${path}/resolution`);
    expect(options).toMatchObject([
      { kind: 'REDELIVER', payer: 'CARRIER', price: { totalAmount: 0 } },
      { kind: 'RETURN', payer: 'CARRIER', price: { totalAmount: 0 } },
      { kind: 'DISPOSE' },
    ]);
  });

  it('is not needed for a lost parcel, and 404 before a failure', async () => {
    const lost = await failed('LOST');
    expect(await read(`${lost.path}/resolution`)).toMatchObject({ goods: 'LOST', state: 'NOT_NEEDED', options: [] });
    await expectProblem(await choose(lost.path, { kind: 'RETURN' }), { status: 409, code: 'RESOLUTION_NOT_OPEN' });
    const { path } = await onTheWay();
    await expectProblem(await sandbox.merchant.get(`${path}/resolution`), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    await expectProblem(await choose(path, { kind: 'RETURN' }), { status: 409, code: 'RESOLUTION_NOT_OPEN' });
  });

  it('of another company is refused like that of an unknown shipment', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const other = await newSandbox(environment);
    for (const denied of [path, `${SHIPMENTS}/${randomUUID()}`]) {
      for (const part of ['resolution', 'relations'])
        await expectProblem(await other.merchant.get(`${denied}/${part}`), { status: 403, code: 'ACCESS_DENIED' });
      const chosen = await other.merchant.post(`${denied}/resolutions`, { kind: 'RETURN' });
      await expectProblem(chosen, { status: 403, code: 'ACCESS_DENIED' });
    }
  });
});

describe('another attempt', () => {
  it('is a shipment that begins with the same driver, has its own charges and can be delivered', async () => {
    const { path, shipmentId, externalReference } = await failed('RECIPIENT_REFUSED', {
      codAmount: 20,
      paymentMethod: 'COD',
    });
    const net = await netOf(path);
    const answer = await choose(path, { kind: 'REDELIVER' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"0"']);
    const followUp = await json(answer);
    expect(followUp).toMatchObject({
      state: 'PICKED_UP',
      version: 0,
      externalReference: `${externalReference}~2`,
      codAmount: 20,
      approvedAt: followUp['createdAt'],
    });
    const next = `${SHIPMENTS}/${String(followUp['shipmentId'])}`;
    expect(answer.headers.get('location')).toBe(next);
    expect((await read(`${next}/charges`))['lines']).toMatchObject([{ code: 'REDELIVERY', amount: net }]);
    expect(await sandbox.timeline(String(followUp['shipmentId']))).toEqual(['created MERCHANT']);
    expect(await read(`${path}/relations`)).toEqual({
      ...{ redeliveryOf: null, returnOf: null },
      followUps: [{ shipmentId: followUp['shipmentId'], kind: 'REDELIVERY', state: 'PICKED_UP' }],
      returnable: [],
    });
    const none = { followUps: [], returnable: [] };
    expect(await read(`${next}/relations`)).toEqual({ redeliveryOf: shipmentId, returnOf: null, ...none });
    expect(await read(`${path}/tracking`)).toMatchObject({ goods: 'WITH_DRIVER' });
    for (const action of ['DEPART', 'DELIVER'])
      expect((await driver.act(String(followUp['shipmentId']), { action })).status).toBe(200);
    expect(await read(`${path}/tracking`)).toMatchObject({ goods: 'WITH_RECIPIENT' });
    expect(await read(`${path}/resolution`)).toMatchObject({
      ...{ state: 'CHOSEN', goods: 'WITH_RECIPIENT', followUpShipmentId: followUp['shipmentId'], decideBy: null },
    });
  });

  it('ends with the third', async () => {
    const { externalReference, ...first } = await failed('RECIPIENT_REFUSED');
    let { path } = first;
    for (const attempt of [2, 3]) {
      const followUp = await json(await choose(path, { kind: 'REDELIVER' }));
      expect(followUp['externalReference']).toBe(`${externalReference}~${attempt}`);
      const id = String(followUp['shipmentId']);
      path = `${SHIPMENTS}/${id}`;
      for (const body of [{ action: 'DEPART' }, { action: 'FAIL', reasonCode: 'RECIPIENT_REFUSED' }])
        expect((await driver.act(id, body)).status).toBe(200);
    }
    expect(await read(`${path}/resolution`)).toMatchObject({ attemptsMade: 3 });
    const refused = await choose(path, { kind: 'REDELIVER' });
    expect(await json(refused)).toMatchObject({ code: 'RESOLUTION_NOT_OPEN', reason: 'ATTEMPTS_USED' });
    const returned = await json(await choose(path, { kind: 'RETURN' }));
    expect(returned['externalReference']).toBe(`${externalReference}~R`);
  });

  it('takes the next free reference, or the given one unless another shipment has it', async () => {
    const first = await failed('RECIPIENT_REFUSED');
    await sandbox.create({ externalReference: `${first.externalReference}~2` });
    const taken = await choose(first.path, { kind: 'REDELIVER', externalReference: first.externalReference });
    await expectProblem(taken, { status: 409, code: 'EXTERNAL_REFERENCE_CONFLICT' });
    const followUp = await json(await choose(first.path, { kind: 'REDELIVER' }));
    expect(followUp['externalReference']).toBe(`${first.externalReference}~3`);
  });

  it('may go to another pin of the city, and to no other city', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const far = { latitude: 21.5433, longitude: 39.1728 };
    await expectProblem(await choose(path, { kind: 'REDELIVER', location: far }), {
      ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['location DESTINATION_NOT_SERVICEABLE'] },
    });
    const location = { latitude: 24.75, longitude: 46.65 };
    await expectProblem(await choose(path, { kind: 'RETURN', location }), {
      ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['location FORBIDDEN_FIELD'] },
    });
    expect((await json(await choose(path, { kind: 'REDELIVER', location })))['destination']).toMatchObject(location);
  });
});

describe('another attempt in a delivery window', () => {
  // The windows begin three days from the pickup window at most, so that of the sandbox's parcels has to be near.
  const soon = () => {
    const pickupWindowStart = new Date(Date.now() + 600_000).toISOString();
    return { pickupWindowStart, pickupWindowEnd: new Date(Date.now() + 3_600_000).toISOString() };
  };

  it('asks for it, and the driver agrees by reading it', async () => {
    const { path } = await failed('RECIPIENT_REFUSED', soon());
    const offered = await read(`${path}/delivery-windows`);
    expect(offered['windowsOffered']).toEqual([]);
    const other = await sandbox.create(soon());
    const { windowsOffered } = await read(`${SHIPMENTS}/${other.shipmentId}/delivery-windows`);
    const [first] = windowsOffered as { start: string }[];
    const windowStart = String(first?.start);
    const followUp = await json(await choose(path, { kind: 'REDELIVER', windowStart }));
    const next = `${SHIPMENTS}/${String(followUp['shipmentId'])}`;
    expect((await read(`${next}/delivery-windows`))['window']).toMatchObject({ start: windowStart, status: 'ASKED' });
    const carried = async () => {
      const answer = await json(await driver.get('/shipments?limit=50'));
      return (answer['data'] as JsonObject[]).find(({ shipmentId }) => shipmentId === followUp['shipmentId']);
    };
    expect(await carried()).toMatchObject({ changes: [{ version: 0, changes: ['DELIVERY_WINDOW'] }] });
    // Another change does not hide what the driver agrees to.
    await sandbox.merchant.post(`${next}/amendments`, { instructions: 'البوابة' }, { 'if-match': '"0"' });
    expect(await carried()).toMatchObject({
      changes: [{ version: 0, changes: ['DELIVERY_WINDOW'] }, { version: 1 }],
    });
    await driver.act(String(followUp['shipmentId']), { action: 'ACKNOWLEDGE', version: 0 });
    expect(await carried()).toMatchObject({ changes: [{ version: 1, acknowledgedAt: null }] });
    expect((await read(`${next}/delivery-windows`))['window']).toMatchObject({ start: windowStart, status: 'AGREED' });
  });

  it('is refused outside the windows of the city, and for a return', async () => {
    const { path } = await failed('RECIPIENT_REFUSED', soon());
    const windowStart = '2031-01-01T03:30:00Z';
    await expectProblem(await choose(path, { kind: 'REDELIVER', windowStart }), {
      ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['windowStart WINDOW_NOT_OFFERED'] },
    });
    await expectProblem(await choose(path, { kind: 'RETURN', windowStart }), {
      ...{ status: 422, code: 'VALIDATION_FAILED', violations: ['windowStart FORBIDDEN_FIELD'] },
    });
  });

  it('shows its driver what is amended later', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const { shipmentId } = await json(await choose(path, { kind: 'REDELIVER' }));
    const amendments = `${SHIPMENTS}/${String(shipmentId)}/amendments`;
    const amended = await sandbox.merchant.post(amendments, { instructions: 'البوابة الثانية' }, { 'if-match': '"0"' });
    expect(amended.status).toBe(200);
    const shown = await json(
      await driver.act(String(shipmentId), {
        action: 'REPORT_POSITION',
        position: { latitude: 24.7, longitude: 46.6, recordedAt: new Date().toISOString() },
      }),
    );
    expect(shown['changes']).toMatchObject([{ version: 1, acknowledgedAt: null }]);
  });
});

describe('a choice', () => {
  it('is made once: of two at once, one gets the follow-up of the other', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const answers = await Promise.all([choose(path, { kind: 'REDELIVER' }), choose(path, { kind: 'RETURN' })]);
    expect(answers.map(({ status }) => status).toSorted((first, second) => first - second)).toEqual([201, 409]);
    const [won, lost] = answers.toSorted((first, second) => first.status - second.status);
    const { shipmentId } = await json(won ?? Response.error());
    expect(await json(lost ?? Response.error())).toMatchObject({
      ...{ code: 'RESOLUTION_ALREADY_CHOSEN', followUp: { shipmentId } },
    });
  });

  it('that is repeated with its key gets the first answer', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const headers = { 'idempotency-key': randomUUID() };
    const first = await choose(path, { kind: 'RETURN' }, headers);
    const second = await choose(path, { kind: 'RETURN' }, headers);
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 200, 'true']);
    expect(await second.text()).toBe(await first.text());
  });

  it('above its Price-Limit changes nothing', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const refused = await choose(path, { kind: 'REDELIVER' }, { 'price-limit': '0' });
    await expectProblem(refused, { status: 409, code: 'PRICE_LIMIT_EXCEEDED' });
    expect(await read(`${path}/resolution`)).toMatchObject({ state: 'OPEN' });
  });

  it('to dispose of it leaves no shipment', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const answer = await choose(path, { kind: 'DISPOSE' });
    expect(answer.status).toBe(200);
    expect(await json(answer)).toMatchObject({ state: 'CHOSEN', goods: 'DISPOSED', followUpShipmentId: null });
    expect(await read(`${path}/tracking`)).toMatchObject({ goods: 'DISPOSED' });
  });
});

describe('a return', () => {
  it('goes from the recipient to the pickup location, without an amount to collect', async () => {
    const { path } = await failed('COD_NOT_PAID', { codAmount: 20, paymentMethod: 'COD' });
    const { pickup, destination } = await read(path);
    const back = await json(await choose(path, { kind: 'RETURN' }));
    expect(back).toMatchObject({ pickup: destination, destination: pickup, codAmount: 0, paymentMethod: 'PREPAID' });
    const id = String(back['shipmentId']);
    // The parcel is in the van, so its driver needs nobody at the buyer's door.
    const departed = await json(await driver.act(id, { action: 'DEPART' }));
    expect(departed).toMatchObject({ pickupContact: null, pickupInstructions: null });
    expect(departed).not.toHaveProperty('pickupName');
    expect((await driver.act(id, { action: 'DELIVER' })).status).toBe(200);
    expect(await read(`${path}/tracking`)).toMatchObject({ goods: 'WITH_MERCHANT' });
  });

  it('that fails is tried again to the same place', async () => {
    const { path } = await failed('RECIPIENT_REFUSED');
    const { pickup } = await read(path);
    const back = await json(await choose(path, { kind: 'RETURN' }));
    const id = String(back['shipmentId']);
    for (const body of [{ action: 'DEPART' }, { action: 'FAIL', reasonCode: 'OTHER' }]) await driver.act(id, body);
    expect(await read(`${SHIPMENTS}/${id}/resolution`)).toMatchObject({
      ...{ options: [{ available: false, code: 'IS_RETURN' }, { available: true }, { available: true }] },
    });
    const again = await json(await choose(`${SHIPMENTS}/${id}`, { kind: 'RETURN' }));
    expect(again).toMatchObject({ destination: pickup, state: 'PICKED_UP' });
  });

  it('begins by itself when the time to decide is over', async () => {
    const other = await newSandbox(environment);
    const by = await other.signIn();
    const { path, shipmentId } = await failed('RECIPIENT_REFUSED', {}, other, by);
    await advanceClock(other, { seconds: 24 * 3600 - 60 });
    expect(await read(`${path}/resolution`, other)).toMatchObject({ state: 'OPEN' });
    await advanceClock(other, { seconds: 61 });
    const resolution = await read(`${path}/resolution`, other);
    expect(resolution).toMatchObject({ state: 'AUTOMATIC', goods: 'WITH_DRIVER' });
    const next = `${SHIPMENTS}/${String(resolution['followUpShipmentId'])}`;
    expect(await read(`${next}/relations`, other)).toMatchObject({ returnOf: shipmentId });
  });
});

describe('a recall', () => {
  const recall = (path: string, headers = {}) =>
    sandbox.merchant.post(`${path}/recalls`, { reasonCode: 'WRONG_ITEM' }, { 'if-match': '*', ...headers });

  it('fails the shipment and begins the return in the same moment', async () => {
    const { path, shipmentId, externalReference } = await onTheWay();
    const net = await netOf(path);
    const answer = await recall(path);
    expect([answer.status, await json(answer)]).toMatchObject([200, { shipmentId, state: 'DELIVERY_FAILED' }]);
    const resolution = await read(`${path}/resolution`);
    expect(resolution).toMatchObject({ state: 'CHOSEN', failure: { reasonCode: 'RECALLED' } });
    const next = `${SHIPMENTS}/${String(resolution['followUpShipmentId'])}`;
    expect(answer.headers.get('link')).toBe(`<${next}>; rel="related"`);
    expect(await read(next)).toMatchObject({ state: 'PICKED_UP', externalReference: `${externalReference}~R` });
    expect([await netOf(path), await netOf(next)]).toEqual([net, net]);
  });

  it('repeats the name of the return for its key', async () => {
    const { path } = await onTheWay();
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [await recall(path, headers), await recall(path, headers)];
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true']);
    expect(first.headers.get('link')).toMatch(/^<.*\/v2\/external\/shipments\/[0-9a-f-]{36}>; rel="related"$/);
    expect(second.headers.get('link')).toBe(first.headers.get('link'));
    expect(await second.text()).toBe(await first.text());
  });

  it('is what the refusal of a cancellation offers after the pickup', async () => {
    const { path } = await onTheWay();
    const price = { netAmount: await netOf(path) };
    const refused = await sandbox.merchant.post(`${path}/cancellations`, { reasonCode: 'OTHER' }, { 'if-match': '*' });
    expect(await json(refused)).toMatchObject({
      ...{ code: 'SHIPMENT_NOT_CANCELLABLE', currentState: 'OUT_FOR_DELIVERY' },
      instead: { operation: 'recalls', price },
    });
    const preview = await read(`${path}/cancellation-preview`);
    expect(preview).toMatchObject({ rule: 'PAST_PICK_UP', instead: { operation: 'recalls', price } });
  });

  it('is refused before the pickup, with another version, and above its limit', async () => {
    const { shipmentId } = await sandbox.create();
    const early = await recall(`${SHIPMENTS}/${shipmentId}`);
    await expectProblem(early, { status: 409, code: 'INVALID_STATE_TRANSITION' });
    const { path } = await onTheWay();
    await expectProblem(await recall(path, { 'if-match': '"1"' }), { status: 412, code: 'PRECONDITION_FAILED' });
    const refused = await recall(path, { 'price-limit': '0' });
    await expectProblem(refused, { status: 409, code: 'PRICE_LIMIT_EXCEEDED' });
    expect(await read(path)).toMatchObject({ state: 'OUT_FOR_DELIVERY' });
  });
});

describe('a driver who reported a failure too early', () => {
  const again = (shipmentId: string, body: JsonObject = {}, by = driver) =>
    sendJson(environment, 'POST', `/v2/driver/shipments/${shipmentId}/attempts`, body, {
      authorization: `Bearer ${by.token}`,
    });

  it('begins another attempt at the cost of the carrier, once for each id', async () => {
    const { path, shipmentId } = await failed('RECIPIENT_REFUSED');
    const actionId = randomUUID();
    const answer = await again(shipmentId, { actionId });
    expect(answer.status).toBe(201);
    const followUp = await json(answer);
    expect(followUp).toMatchObject({ state: 'PICKED_UP', recipientName: expect.any(String) });
    const next = `${SHIPMENTS}/${String(followUp['shipmentId'])}`;
    expect((await read(`${next}/charges`))['lines']).toMatchObject([{ code: 'REDELIVERY', amount: 0 }]);
    const repeated = await again(shipmentId, { actionId });
    expect([repeated.status, (await json(repeated))['shipmentId']]).toEqual([200, followUp['shipmentId']]);
    await expectProblem(await again(shipmentId), { status: 409, code: 'RESOLUTION_ALREADY_CHOSEN' });
    expect(await read(`${path}/resolution`)).toMatchObject({ state: 'CHOSEN' });
  });

  it('is refused for a shipment of nobody or of another driver', async () => {
    const { shipmentId } = await failed('RECIPIENT_REFUSED');
    const other = await (await newSandbox(environment)).signIn();
    await expectProblem(await again(randomUUID()), { status: 409, code: 'RESOLUTION_NOT_OPEN' });
    await expectProblem(await again(shipmentId, {}, other), { status: 409, code: 'RESOLUTION_NOT_OPEN' });
  });

  it('is refused after ten minutes', async () => {
    const other = await newSandbox(environment);
    const by = await other.signIn();
    const { shipmentId } = await failed('RECIPIENT_REFUSED', {}, other, by);
    await advanceClock(other, { seconds: 601 });
    await expectProblem(await again(shipmentId, {}, by), { status: 409, code: 'RESOLUTION_NOT_OPEN' });
  });
});
