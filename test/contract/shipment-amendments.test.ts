import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH } from '../../scripts/shared/sandbox.ts';
import { type JsonObject, newKey, readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/* 13,562 m from the sandbox's pickup location to its delivery: 12 + 14 × 1.25, and 15 % VAT. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant, company } = sandbox;
const driver = await sandbox.signIn();

const preview = z.looseObject({
  version: z.int(),
  allowed: z.boolean(),
  priceEffect: z.looseObject({ netAmount: z.number(), totalAmount: z.number() }),
  distanceMeters: z.int(),
});
const amendment = z.looseObject({ amendmentId: z.uuid(), changes: z.array(z.string()), change: z.looseObject({}) });
const amendmentPage = z.looseObject({ data: z.array(amendment) });

/** A shipment that a driver has, and its version, which only this test raises. */
async function accepted(changes: JsonObject = {}) {
  const { shipmentId } = await sandbox.create(changes);
  await sandbox.untilState(shipmentId, 'OFFERED');
  expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
  const { version } = await sandbox.read(shipmentId);
  return { shipmentId, version, tag: `"${version}"`, path: `${SHIPMENTS}/${shipmentId}` };
}

const amend = (path: string, body: unknown, headers: Readonly<Record<string, string>> = { 'if-match': '*' }) =>
  merchant.post(`${path}/amendments`, body, headers);
const previewOf = async (path: string, body: unknown) => {
  const response = await merchant.post(`${path}/amendment-previews`, body);
  expect(response.status).toBe(200);
  return preview.parse(await response.json());
};
const FAR = { location: { latitude: 24.85, longitude: 46.626111 } };

describe('an amendment', () => {
  it('changes what it names, raises the version by one and keeps the state', async () => {
    const { path, tag, version } = await accepted();
    const wish = {
      ...FAR,
      addressLine: 'البوابة الثانية، طريق الملك فهد',
      place: { kind: 'RECEPTION' },
      instructions: 'Ask for Huda',
      reasonCode: 'RECIPIENT_ASKED',
    };
    const told = await previewOf(path, wish);
    expect(told).toMatchObject({ version, allowed: true, payer: 'MERCHANT', violations: [], validUntil: null });
    const response = await amend(path, wish, { 'if-match': tag, 'price-limit': String(told.priceEffect.totalAmount) });
    expect([response.status, response.headers.get('etag')]).toEqual([200, `"${version + 1}"`]);
    const shipment = await readShipment(response);
    expect(shipment).toMatchObject({
      state: 'ACCEPTED',
      version: version + 1,
      destination: { ...RIYADH, ...FAR.location, addressLine: wish.addressLine },
    });
    expect(await sandbox.read(shipment.shipmentId)).toEqual(shipment);
    const charges: unknown = await (await merchant.get(`${path}/charges`)).json();
    expect(charges).toMatchObject({
      lines: [{}, {}, {}, { code: 'AMENDMENT', amount: told.priceEffect.netAmount }],
      netAmount: 29.5 + told.priceEffect.netAmount,
      distanceMeters: told.distanceMeters,
      tariffVersion: 1,
    });
  });

  it('is in the timeline, in the list and in an event', async () => {
    const { shipmentId, path, tag, version } = await accepted();
    const wish = {
      instructions: 'Ring twice',
      place: { kind: 'NEIGHBOUR', note: 'Door 8' },
      reasonCode: 'OUR_MISTAKE',
    };
    expect((await amend(path, wish, { 'if-match': tag })).status).toBe(200);
    const { data: timeline } = await readTimelinePage(await merchant.get(`${path}/timeline`));
    expect(timeline.at(-1)).toMatchObject({
      type: 'shipment.amended',
      state: 'ACCEPTED',
      actor: 'MERCHANT',
      note: 'OUR_MISTAKE: PLACE, INSTRUCTIONS',
    });
    const listed = amendmentPage.parse(await (await merchant.get(`${path}/amendments`)).json());
    const [made] = listed.data;
    expect(listed.data).toEqual([
      {
        amendmentId: made?.amendmentId,
        by: 'MERCHANT',
        state: 'APPLIED',
        changes: ['PLACE', 'INSTRUCTIONS'],
        change: { place: { kind: 'NEIGHBOUR', note: 'Door 8' }, instructions: 'Ring twice' },
        reasonCode: 'OUR_MISTAKE',
        priceEffect: { lines: [], netAmount: 0, vatAmount: 0, totalAmount: 0 },
        shipmentVersion: version + 1,
        requestedAt: timeline.at(-1)?.occurredAt,
        acknowledgedAt: null,
        decideBy: null,
        decidedAt: null,
        version: 0,
      },
    ]);
    const events: unknown = await (
      await merchant.get(`/v2/external/events?shipmentId=${shipmentId}&type=shipment.amended`)
    ).json();
    expect(events).toMatchObject({
      data: [
        {
          type: 'shipment.amended',
          previousState: 'ACCEPTED',
          data: {
            shipment: { version: version + 1, state: 'ACCEPTED' },
            amendment: { amendmentId: made?.amendmentId, by: 'MERCHANT', changes: ['PLACE', 'INSTRUCTIONS'] },
          },
        },
      ],
    });
  });

  it('of the phone shows four digits of it', async () => {
    const { shipmentId } = await sandbox.create();
    const path = `${SHIPMENTS}/${shipmentId}`;
    const response = await amend(path, { recipient: { phone: '0598761234', alternateContactPhone: '0598765678' } });
    expect(await readShipment(response)).toMatchObject({ maskedRecipientPhone: '********1234' });
    const told = [
      await (await merchant.get(`${path}/amendments`)).text(),
      await (await merchant.get(`/v2/external/events?shipmentId=${shipmentId}`)).text(),
    ];
    expect(told[0]).toContain('********1234');
    expect(told.join()).not.toMatch(/59876/);
  });

  it('of the phone tells the old one, once', async () => {
    const phoneOf = (tail: number) => `05${String(Date.now() % 10_000_000).padStart(7, '0')}${tail}`;
    const [first, second, third] = [phoneOf(1), phoneOf(2), phoneOf(3)];
    const { shipmentId } = await sandbox.create({ recipient: { name: 'Sara', phone: first } });
    const path = `${SHIPMENTS}/${shipmentId}`;
    for (const phone of [second, third]) expect((await amend(path, { recipient: { phone } })).status).toBe(200);
    const toldTo = async (phone: string) => {
      const response = await environment.fetch(
        `/local/notices?recipient=${encodeURIComponent(`+966${phone.slice(1)}`)}`,
      );
      const notices = z.object({ data: z.array(z.object({ purpose: z.string() })) });
      return notices.parse(await response.json()).data.map(({ purpose }) => purpose);
    };
    await until('the old phone is told', async () => ((await toldTo(first)).length > 0 ? true : undefined));
    expect([await toldTo(first), await toldTo(second)]).toEqual([['RECIPIENT_PHONE_CHANGED'], []]);
  });

  it('that changes nothing is 200 with the same version and no event, whatever If-Match says', async () => {
    const { path, tag, version } = await accepted();
    const wish = { instructions: 'Ring twice' };
    expect((await amend(path, wish, { 'if-match': tag })).status).toBe(200);
    const timeline = await (await merchant.get(`${path}/timeline`)).text();
    const again = await amend(path, wish, { 'if-match': tag });
    expect([again.status, again.headers.get('etag')]).toEqual([200, `"${version + 1}"`]);
    expect(await (await merchant.get(`${path}/timeline`)).text()).toBe(timeline);
  });

  it('is repeated by its key', async () => {
    const { path, version } = await accepted();
    const headers = { 'if-match': '*', 'idempotency-key': newKey() };
    const first = await amend(path, { instructions: 'One' }, headers);
    expect((await amend(path, { instructions: 'Two' })).status).toBe(200);
    const replay = await amend(path, { instructions: 'One' }, headers);
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await replay.text()).toBe(await first.text());
    await expectProblem(await amend(path, { instructions: 'Three' }, headers), {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect((await sandbox.read(path.slice(SHIPMENTS.length + 1))).version).toBe(version + 2);
  });
});

describe('of two with one version', () => {
  it('one amendment is 200 and the other 412', async () => {
    const { path, tag, version } = await accepted();
    const answers = await Promise.all(
      ['One', 'Two'].map((instructions) => amend(path, { instructions }, { 'if-match': tag })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect((await sandbox.read(path.slice(SHIPMENTS.length + 1))).version).toBe(version + 1);
  });

  it('a cancellation and an amendment end in one 200 and one 412', async () => {
    const { path, shipmentId, tag, version } = await accepted();
    const answers = await Promise.all([amend(path, FAR, { 'if-match': tag }), merchant.cancel(shipmentId, tag)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect((await sandbox.read(shipmentId)).version).toBe(version + 1);
  });
});

describe('an amendment is refused', () => {
  it.each([
    [{ location: { latitude: 'north', longitude: 46 } }, ['location.latitude TYPE_MISMATCH']],
    [{ location: { latitude: 24.8 } }, ['location.longitude REQUIRED']],
    [{ addressLine: '' }, ['addressLine TOO_SHORT']],
    [{ instructions: 'x'.repeat(281) }, ['instructions TOO_LONG']],
    [{ place: { kind: 'ROOF' } }, ['place.kind NOT_IN_ENUM']],
    [{ recipient: { phone: '12' } }, ['recipient.phone PATTERN_MISMATCH']],
    [{ codAmount: -1 }, ['codAmount OUT_OF_RANGE']],
    [{ codAmount: 5 }, ['codAmount COD_METHOD_REQUIRED']],
    [{ reasonCode: 'BORED', instructions: 'Ring' }, ['reasonCode NOT_IN_ENUM']],
    [{ pickupWindowStart: '2031-01-01T09:00:00Z' }, ['pickupWindowEnd REQUIRED']],
    [{ recipientName: 'Noura' }, ['recipientName UNKNOWN_PROPERTY']],
    [{}, ['body REQUIRED']],
  ])('with 422 for %j', async (wish, violations) => {
    const { shipmentId } = await sandbox.create({ codAmount: 0, paymentMethod: 'PREPAID' });
    const expected = { status: 422, code: 'VALIDATION_FAILED', violations };
    const path = `${SHIPMENTS}/${shipmentId}`;
    await expectProblem(await amend(path, wish), expected);
    await expectProblem(await merchant.post(`${path}/amendment-previews`, wish), expected);
  });

  it('past the end of a change, and the preview says so', async () => {
    const { path, shipmentId } = await accepted();
    for (const action of ['PICK_UP', 'DEPART']) expect((await driver.act(shipmentId, { action })).status).toBe(200);
    const { version } = await sandbox.read(shipmentId);
    expect(await previewOf(path, { ...FAR, instructions: 'Ring' })).toMatchObject({
      allowed: false,
      changes: ['INSTRUCTIONS', 'LOCATION'],
      violations: [{ change: 'LOCATION', reason: 'TOO_LATE' }],
    });
    const problem = await expectProblem(await amend(path, { ...FAR, instructions: 'Ring' }), {
      status: 409,
      code: 'AMENDMENT_NOT_ALLOWED',
    });
    expect(problem).toMatchObject({ change: 'LOCATION', reason: 'TOO_LATE', currentState: 'OUT_FOR_DELIVERY' });
    expect((await sandbox.read(shipmentId)).version).toBe(version);
    expect((await amend(path, { instructions: 'Ring' })).status).toBe(200);
    for (const action of ['DELIVER']) expect((await driver.act(shipmentId, { action })).status).toBe(200);
  });

  it('to another city', async () => {
    const { path } = await accepted();
    const problem = await expectProblem(await amend(path, { location: { ...FAR.location, cityCode: 'JED' } }), {
      status: 409,
      code: 'AMENDMENT_NOT_ALLOWED',
    });
    expect(problem).toMatchObject({ change: 'LOCATION', reason: 'CITY_CHANGE' });
  });

  it('above its Price-Limit, and nothing changes', async () => {
    const { path, shipmentId } = await accepted();
    const before = await (await merchant.get(`${path}/charges`)).text();
    const { priceEffect } = await previewOf(path, FAR);
    const problem = await expectProblem(await amend(path, FAR, { 'if-match': '*', 'price-limit': '0.01' }), {
      status: 409,
      code: 'PRICE_LIMIT_EXCEEDED',
    });
    expect(problem).toMatchObject({ limit: 0.01, price: { totalAmount: priceEffect.totalAmount } });
    expect(await (await merchant.get(`${path}/charges`)).text()).toBe(before);
    expect((await amend(path, { instructions: 'Ring' }, { 'if-match': '*', 'price-limit': '0' })).status).toBe(200);
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
  });
});

describe('the driver', () => {
  const parcel = z.looseObject({
    shipmentId: z.uuid(),
    version: z.int(),
    changes: z.array(z.looseObject({ version: z.int(), acknowledgedAt: z.nullable(z.string()) })),
  });
  const seenBy = async (shipmentId: string) => {
    const page = z.looseObject({ data: z.array(parcel) }).parse(await (await driver.get('/shipments')).json());
    return page.data.find((one) => one.shipmentId === shipmentId);
  };

  it('sees what changed since the acceptance, and confirms to have read it', async () => {
    const { shipmentId } = await sandbox.create();
    const path = `${SHIPMENTS}/${shipmentId}`;
    await sandbox.untilState(shipmentId, 'OFFERED');
    await amend(path, { addressLine: 'Before the acceptance' });
    await driver.act(shipmentId, { action: 'ACCEPT' });
    expect(await seenBy(shipmentId)).toMatchObject({
      changes: [],
      place: null,
      instructions: null,
      destination: { addressLine: 'Before the acceptance' },
    });
    await amend(path, { place: { kind: 'DOOR' }, instructions: 'Ring' });
    await amend(path, { recipient: { name: 'Noura' } });
    const seen = await seenBy(shipmentId);
    const [first, second] = seen?.changes ?? [];
    expect(seen).toMatchObject({
      recipientName: 'Noura',
      place: { kind: 'DOOR', note: null },
      instructions: 'Ring',
      changes: [
        { changes: ['PLACE', 'INSTRUCTIONS'], acknowledgedAt: null },
        { version: seen?.version, changes: ['RECIPIENT_NAME'], acknowledgedAt: null },
      ],
    });
    const before = await (await merchant.get(`${path}/timeline`)).text();
    const read = parcel.parse(
      await (await driver.act(shipmentId, { action: 'ACKNOWLEDGE', version: first?.version })).json(),
    );
    expect(read.changes).toMatchObject([{ acknowledgedAt: expect.any(String) }, { acknowledgedAt: null }]);
    expect(await seenBy(shipmentId)).toMatchObject({ version: seen?.version, changes: read.changes });
    const actionId = crypto.randomUUID();
    const all = await driver.act(shipmentId, { action: 'ACKNOWLEDGE', version: second?.version, actionId });
    const again = await driver.act(shipmentId, { action: 'ACKNOWLEDGE', version: second?.version, actionId });
    expect([all.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const [kept] = parcel.parse(await all.json()).changes;
    expect(kept?.acknowledgedAt).toBe(read.changes[0]?.acknowledgedAt);
    expect(await (await merchant.get(`${path}/timeline`)).text()).toBe(before);
    const listed = amendmentPage.parse(await (await merchant.get(`${path}/amendments`)).json());
    expect(listed.data.map(({ acknowledgedAt }) => typeof acknowledgedAt)).toEqual(['object', 'string', 'string']);
  });

  it('confirms nothing before the acceptance, and only ACKNOWLEDGE has a version', async () => {
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    await expectProblem(await driver.act(shipmentId, { action: 'ACKNOWLEDGE' }), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    await expectProblem(await driver.act(shipmentId, { action: 'ACCEPT', version: 2 }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['version FORBIDDEN_FIELD'],
    });
  });
});

it('lists none for a shipment that was never amended, and refuses a shipment of another company', async () => {
  const { shipmentId } = await sandbox.create();
  const path = `${SHIPMENTS}/${shipmentId}`;
  expect(await (await merchant.get(`${path}/amendments`)).json()).toMatchObject({ data: [] });
  const other = await newSandbox(environment);
  const denied = { status: 403, code: 'ACCESS_DENIED' } as const;
  await expectProblem(await other.merchant.get(`${path}/amendments`), denied);
  await expectProblem(await merchant.get(`${SHIPMENTS}/${crypto.randomUUID()}/amendments`), denied);
});

it('works over tRPC', async () => {
  const { shipmentId, version } = await accepted();
  const client = trpcClient(environment, await environment.token(company));
  const wish = { shipmentId, codAmount: '0', location: { latitude: '24.8', longitude: '46.63' } };
  expect(await client.shipmentAmendments.preview.mutate(wish)).toMatchObject({ allowed: true, changes: ['LOCATION'] });
  const done = await client.shipmentAmendments.create.mutate({ ...wish, ifMatch: `"${version}"` });
  expect(done).toMatchObject({ version: version + 1, destination: { latitude: '24.8' } });
  const { data } = await client.shipmentAmendments.list.query({ shipmentId });
  expect(data).toMatchObject([{ change: { location: { latitude: '24.8', longitude: '46.63' } } }]);
});
