import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { exactly, type JsonObject } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* What drivers collect, as merchants read it. */

const environment = sharedEnvironment();
const LIST = '/v2/external/cod-collections';
const DAY_MS = 86_400_000;
const list = z.strictObject({
  data: z.array(z.looseObject({ shipmentId: z.uuid(), collectedAt: z.string() })),
  totals: z.strictObject({ amount: z.number(), shipments: z.int() }),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

const sandbox = await newSandbox(environment);
const driver = await sandbox.signIn();

/** A shipment at the door. */
async function atTheDoor(changes: JsonObject, { create, untilState }: Sandbox = sandbox, by = driver) {
  const { shipmentId, externalReference, shipmentNumber } = await create({ paymentMethod: 'COD', ...changes });
  await untilState(shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await by.act(shipmentId, { action });
  return { shipmentId, externalReference, shipmentNumber, path: `${SHIPMENTS}/${shipmentId}/cod` };
}

// Once: a cursor is bound to its range.
const AROUND = {
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
};
async function collections(query: Readonly<Record<string, string>> = {}, { merchant }: Sandbox = sandbox) {
  const response = await merchant.get(`${LIST}?${new URLSearchParams({ ...AROUND, ...query })}`);
  expect(response.status).toBe(200);
  return list.parse(await response.json());
}

describe('the amount to collect', () => {
  it('is with nobody before the delivery, and then with the driver', async () => {
    const { shipmentId, path } = await atTheDoor({ codAmount: 150.25 });
    expect(await (await sandbox.merchant.get(path)).json()).toEqual({
      currency: 'SAR',
      expectedAmount: 150.25,
      ...{ collectedAmount: null, method: null, reference: null, collectedAt: null, holder: 'NOBODY' },
    });
    const collected = { amount: 150.25, method: 'CARD', reference: 'RRN 4711' };
    expect((await driver.act(shipmentId, { action: 'DELIVER', collected })).status).toBe(200);
    expect(await (await sandbox.merchant.get(path)).json()).toEqual({
      currency: 'SAR',
      expectedAmount: 150.25,
      collectedAmount: 150.25,
      method: 'CARD',
      reference: 'RRN 4711',
      collectedAt: expect.stringMatching(/Z$/),
      holder: 'DRIVER',
    });
  });

  it('of a prepaid shipment is 0', async () => {
    const { shipmentId } = await sandbox.create();
    const read: unknown = await (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/cod`)).json();
    expect(read).toMatchObject({ expectedAmount: 0, collectedAmount: null, holder: 'NOBODY' });
  });

  it('of another company is refused like that of an unknown shipment', async () => {
    const { path } = await atTheDoor({ codAmount: 1 });
    const other = await newSandbox(environment);
    for (const denied of [path, `${SHIPMENTS}/${randomUUID()}/cod`])
      await expectProblem(await other.merchant.get(denied), { status: 403, code: 'ACCESS_DENIED' });
  });

  it('that differs is 422 at collected.amount, and the shipment stays at the door', async () => {
    const { shipmentId } = await atTheDoor({ codAmount: 150.25 });
    const collected = { amount: 150.2, method: 'CASH' };
    await expectProblem(await driver.act(shipmentId, { action: 'DELIVER', collected }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['collected.amount COD_AMOUNT_MISMATCH'],
    });
    await expectProblem(await driver.act(shipmentId, { action: 'ARRIVE', collected }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['collected FORBIDDEN_FIELD'],
    });
    expect((await sandbox.read(shipmentId)).state).toBe('OUT_FOR_DELIVERY');
  });

  it('is collected in cash by the driver of a scenario', async () => {
    const { shipmentId } = await sandbox.create({ codAmount: 12.5, paymentMethod: 'COD' });
    expect((await sandbox.play(shipmentId, 'HAPPY_PATH')).status).toBe(202);
    await sandbox.untilState(shipmentId, 'DELIVERED');
    const read: unknown = await (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/cod`)).json();
    expect(read).toMatchObject({ collectedAmount: 12.5, method: 'CASH', holder: 'DRIVER' });
  });

  it('is told by an event right after that of the delivery', async () => {
    const { shipmentId } = await atTheDoor({ codAmount: 20 });
    await driver.act(shipmentId, { action: 'DELIVER', collected: { amount: exactly('20.00'), method: 'CASH' } });
    const page: unknown = await (await sandbox.merchant.get(`/v2/external/events?shipmentId=${shipmentId}`)).json();
    const { data } = z.object({ data: z.array(z.looseObject({ sequence: z.int(), type: z.string() })) }).parse(page);
    const [delivered, collected] = data.slice(-2);
    expect([delivered?.type, collected?.type]).toEqual(['shipment.delivered', 'cod.collected']);
    expect(collected).toMatchObject({
      sequence: (delivered?.sequence ?? 0) + 1,
      previousState: null,
      data: {
        shipment: { shipmentId, state: 'DELIVERED' },
        collection: {
          amount: 20,
          currency: 'SAR',
          method: 'CASH',
          reference: null,
          collectedAt: delivered?.['timestamp'],
        },
      },
    });
  });
});

describe('the list', () => {
  it('has collections of the range, the newest first, with totals of the whole range on each page', async () => {
    const own = await newSandbox(environment);
    const by = await own.signIn();
    const amounts = ['99999999999999999.99', '0.01', '1.5'];
    const shipped = [];
    for (const amount of amounts) {
      const one = await atTheDoor({ codAmount: exactly(amount) }, own, by);
      expect((await by.act(one.shipmentId, { action: 'DELIVER' })).status).toBe(200);
      shipped.unshift(one);
    }
    const first = await collections({ limit: '2' }, own);
    const next = await collections({ limit: '2', cursor: first.page.nextCursor ?? '' }, own);
    const data = [...first.data, ...next.data];
    expect(data.map(({ shipmentId }) => shipmentId)).toEqual(shipped.map(({ shipmentId }) => shipmentId));
    expect(data[0]).toEqual({
      shipmentId: shipped[0]?.shipmentId,
      shipmentNumber: shipped[0]?.shipmentNumber,
      externalReference: shipped[0]?.externalReference,
      ...{ amount: 1.5, method: 'CASH', collectedAt: data[0]?.collectedAt },
    });
    expect([first.page.hasMore, next.page.hasMore]).toEqual([true, false]);
    expect(next.totals).toEqual(first.totals);
    expect(first.totals.shipments).toBe(3);
    const text = await (await own.merchant.get(`${LIST}?${new URLSearchParams(AROUND)}`)).text();
    expect(text).toContain('"totals":{"amount":100000000000000001.5,"shipments":3}');
    // From inclusive, to exclusive.
    const [newest, , oldest] = data.map(({ collectedAt }) => collectedAt);
    const between = await collections({ from: oldest ?? '', to: newest ?? '' }, own);
    expect(between.data.map(({ shipmentId }) => shipmentId)).toEqual(
      shipped.slice(1).map(({ shipmentId }) => shipmentId),
    );
    const csv = await own.merchant.get(`${LIST}?${new URLSearchParams(AROUND)}`, { accept: 'text/csv' });
    expect((await csv.text()).split('\r\n').slice(0, 1)).toEqual([
      'shipmentId,shipmentNumber,externalReference,amount,method,collectedAt',
    ]);
    // Another company has none of them.
    expect((await collections({}, await newSandbox(environment))).totals).toEqual({ amount: 0, shipments: 0 });
  });

  it('has the totals of the first page on the next ones, which do not sum again', async () => {
    const own = await newSandbox(environment);
    const by = await own.signIn();
    const collect = async () =>
      by.act((await atTheDoor({ codAmount: exactly('7.25') }, own, by)).shipmentId, { action: 'DELIVER' });
    for (const _parcel of [1, 2]) await collect();
    const first = await collections({ limit: '1' }, own);
    await collect();
    const next = await collections({ limit: '1', cursor: first.page.nextCursor ?? '' }, own);
    expect([first.totals, next.totals]).toEqual([
      { amount: 14.5, shipments: 2 },
      { amount: 14.5, shipments: 2 },
    ]);
  });

  it.each([
    ['later than from', '2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z'],
    ['at most 31 days after from', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00.000001Z'],
  ])('takes `to` only %s', async (_rule, from, to) => {
    const refused = { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: ['to OUT_OF_RANGE'] } as const;
    await expectProblem(await sandbox.merchant.get(`${LIST}?${new URLSearchParams({ from, to })}`), refused);
  });

  it('needs both ends of the range', async () => {
    const response = await sandbox.merchant.get(`${LIST}?from=2026-10-01T00:00:00Z`);
    await expectProblem(response, { status: 400, code: 'INVALID_QUERY_PARAMETER', violations: ['to REQUIRED'] });
  });

  it('needs finance:read', async () => {
    const token = await environment.token(sandbox.company, 'shipments:read');
    const headers = { authorization: `Bearer ${token}` };
    const response = await environment.fetch(`${LIST}?${new URLSearchParams(AROUND)}`, { headers });
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
  });
});
