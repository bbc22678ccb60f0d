import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* Delivery windows over HTTP. Their rules are in test/unit/domain/shipments. */

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const { merchant } = sandbox;
const driver = await sandbox.signIn();

const span = z.strictObject({ start: z.string(), end: z.string(), part: z.enum(['MORNING', 'EVENING']) });
const answer = z.strictObject({
  window: z.nullable(span.extend({ status: z.enum(['ASKED', 'AGREED', 'MET', 'MISSED']) })),
  windowsOffered: z.array(span),
});
const windowsOf = async (shipmentId: string) => {
  const response = await merchant.get(`${SHIPMENTS}/${shipmentId}/delivery-windows`);
  expect(response.status).toBe(200);
  return answer.parse(await response.json());
};
const amend = (shipmentId: string, body: unknown, headers: Readonly<Record<string, string>> = { 'if-match': '*' }) =>
  merchant.post(`${SHIPMENTS}/${shipmentId}/amendments`, body, headers);

/** A pickup from nine until noon in Riyadh: the first windows after it are at two, at five and at eight. */
const PICKUP = { pickupWindowStart: '2031-03-04T06:00:00Z', pickupWindowEnd: '2031-03-04T09:00:00Z' };
const AT_TWO = { start: '2031-03-04T11:00:00.000000Z', end: '2031-03-04T14:00:00.000000Z', part: 'EVENING' } as const;
const AT_FIVE = { start: '2031-03-04T14:00:00.000000Z', end: '2031-03-04T17:00:00.000000Z', part: 'EVENING' } as const;

describe('the windows of a shipment', () => {
  it('are of three days after its pickup, and none until somebody asks', async () => {
    const { shipmentId } = await sandbox.create(PICKUP);
    const { window, windowsOffered } = await windowsOf(shipmentId);
    expect([window, windowsOffered.length, windowsOffered.slice(0, 2)]).toEqual([null, 13, [AT_TWO, AT_FIVE]]);
    expect(windowsOffered.at(-1)).toEqual({
      start: '2031-03-06T17:00:00.000000Z',
      end: '2031-03-06T20:00:00.000000Z',
      part: 'EVENING',
    });
  });

  it('can be asked for, which costs nothing and is in the list of amendments', async () => {
    const { shipmentId } = await sandbox.create(PICKUP);
    // From here on only this test raises the version.
    await sandbox.untilState(shipmentId, 'OFFERED');
    const response = await amend(shipmentId, { windowStart: AT_FIVE.start, reasonCode: 'RECIPIENT_ASKED' });
    const { version } = await readShipment(response);
    expect((await windowsOf(shipmentId)).window).toEqual({ ...AT_FIVE, status: 'ASKED' });
    const again = await amend(shipmentId, { windowStart: AT_FIVE.start });
    expect([again.status, (await readShipment(again)).version]).toEqual([200, version]);
    const listed: unknown = await (await merchant.get(`${SHIPMENTS}/${shipmentId}/amendments`)).json();
    expect(listed).toMatchObject({
      data: [{ changes: ['DELIVERY_WINDOW'], change: { deliveryWindow: AT_FIVE }, priceEffect: { totalAmount: 0 } }],
    });
  });

  it.each(['2031-03-04T08:00:00Z', '2031-03-04T12:00:00Z', '2031-03-07T11:00:00Z', '2020-03-04T11:00:00Z'])(
    'that start at %s are not offered',
    async (windowStart) => {
      const { shipmentId } = await sandbox.create(PICKUP);
      await expectProblem(await amend(shipmentId, { windowStart }), {
        status: 422,
        code: 'VALIDATION_FAILED',
        violations: ['windowStart WINDOW_NOT_OFFERED'],
      });
    },
  );

  it('of another company are as unknown', async () => {
    const { shipmentId } = await sandbox.create(PICKUP);
    const { merchant: other } = await newSandbox(environment);
    await expectProblem(await other.get(`${SHIPMENTS}/${shipmentId}/delivery-windows`), {
      status: 403,
      code: 'ACCESS_DENIED',
    });
    const asked = await other.post(
      `${SHIPMENTS}/${shipmentId}/amendments`,
      { windowStart: AT_TWO.start },
      { 'if-match': '*' },
    );
    await expectProblem(asked, { status: 403, code: 'ACCESS_DENIED' });
    expect((await windowsOf(shipmentId)).window).toBeNull();
  });

  it('of two requests with one version are those of one', async () => {
    const { shipmentId } = await sandbox.create(PICKUP);
    const { version } = await sandbox.untilState(shipmentId, 'OFFERED');
    const headers = { 'if-match': `"${version}"` };
    const both = await Promise.all(
      [AT_TWO, AT_FIVE].map(({ start }) => amend(shipmentId, { windowStart: start }, headers)),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const winner = both[0]?.status === 200 ? AT_TWO : AT_FIVE;
    expect((await windowsOf(shipmentId)).window).toEqual({ ...winner, status: 'ASKED' });
  });
});

describe('a driver', () => {
  it('sees the window in the offer, agrees by accepting, and misses it by coming years too early', async () => {
    const { shipmentId } = await sandbox.create(PICKUP);
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect((await amend(shipmentId, { windowStart: AT_TWO.start })).status).toBe(200);
    const offers: unknown = await (await driver.get('/offers')).json();
    expect(offers).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ shipmentId, deliveryWindow: { ...AT_TWO, status: 'ASKED' } }),
      ]),
    });
    for (const [action, status] of [
      ['ACCEPT', 'AGREED'],
      ['PICK_UP', 'AGREED'],
      ['DEPART', 'AGREED'],
      ['ARRIVE', 'MISSED'],
      ['DELIVER', 'MISSED'],
    ] as const) {
      const shown: unknown = await (await driver.act(shipmentId, { action })).json();
      expect([action, shown]).toMatchObject([action, { deliveryWindow: { ...AT_TWO, status } }]);
      if (action === 'DEPART') {
        expect((await windowsOf(shipmentId)).windowsOffered).toEqual([]);
        await expectProblem(await amend(shipmentId, { windowStart: AT_FIVE.start }), {
          status: 409,
          code: 'AMENDMENT_NOT_ALLOWED',
        });
      }
    }
    expect((await windowsOf(shipmentId)).window).toEqual({ ...AT_TWO, status: 'MISSED' });
  });

  it('agrees to a later wish by acknowledging it', async () => {
    const { shipmentId } = await sandbox.create(PICKUP);
    await sandbox.untilState(shipmentId, 'OFFERED');
    await driver.act(shipmentId, { action: 'ACCEPT' });
    const { version } = await readShipment(await amend(shipmentId, { windowStart: AT_TWO.start }));
    expect((await windowsOf(shipmentId)).window?.status).toBe('ASKED');
    const shown: unknown = await (await driver.act(shipmentId, { action: 'ACKNOWLEDGE', version })).json();
    expect(shown).toMatchObject({ deliveryWindow: { ...AT_TWO, status: 'AGREED' } });
  });
});

describe('the short code in an amendment', () => {
  it('replaces the National Address, and is checked after the answer', async () => {
    const { shipmentId } = await sandbox.create();
    const path = `${SHIPMENTS}/${shipmentId}`;
    const pin = { latitude: 24.7743, longitude: 46.6572 };
    expect((await amend(shipmentId, { shortAddress: 'rrrd-٢٩٢٩', location: pin })).status).toBe(200);
    await expect
      .poll(async () => (await merchant.get(`${path}/national-address`)).json(), { timeout: 10_000 })
      .toMatchObject({
        shortAddress: 'RRRD2929',
        status: 'VERIFIED',
        source: 'MERCHANT',
        distanceMeters: 0,
        version: 2,
      });
    const listed: unknown = await (await merchant.get(`${path}/amendments`)).json();
    expect(listed).toMatchObject({
      data: [{ changes: ['LOCATION', 'SHORT_ADDRESS'], change: { location: pin, shortAddress: 'RRRD2929' } }],
    });
  });

  it('has to be one', async () => {
    const { shipmentId } = await sandbox.create();
    await expectProblem(await amend(shipmentId, { shortAddress: 'RRRD' }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['shortAddress PATTERN_MISMATCH'],
    });
  });
});
