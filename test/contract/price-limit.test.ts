import { describe, expect, it } from 'vitest';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH } from '../../scripts/shared/sandbox.ts';
import { newKey, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* A shipment of the sandbox costs 33.93 SAR with VAT, and its cancellation 11.50 SAR once a driver is on the way. */

const sandbox = await newSandbox(sharedEnvironment());
const { merchant } = sandbox;

const orderOf = (changes = {}) =>
  shipmentBody(merchant.company, {
    branchCode: 'SANDBOX_BRANCH',
    pickupLocationCode: 'SANDBOX_PICKUP',
    destination: RIYADH,
    ...changes,
  });
const createWith = (limit: string, order: unknown = orderOf(), key = newKey()) =>
  merchant.postShipment(order, { 'price-limit': limit, 'idempotency-key': key });
const NO_AMOUNT = { status: 400, code: 'INVALID_HEADER', violations: ['Price-Limit PATTERN_MISMATCH'] };
const ABOVE = { status: 409, code: 'PRICE_LIMIT_EXCEEDED' };

describe('Price-Limit of a creation', () => {
  it.each(['33.93', '34', '999999999999'])('of %s SAR lets it pass', async (limit) => {
    expect((await createWith(limit)).status).toBe(201);
  });

  it.each(['33.92', '33', '0', '0.00'])(
    'of %s SAR refuses it, stores nothing and leaves the key free',
    async (limit) => {
      const [order, key] = [orderOf(), newKey()];
      const problem = await expectProblem(await createWith(limit, order, key), ABOVE);
      expect(problem).toMatchObject({
        limit: Number(limit),
        price: { currency: 'SAR', netAmount: 29.5, vatRate: 0.15, vatAmount: 4.43, totalAmount: 33.93 },
      });
      expect((await createWith('33.93', order, key)).status).toBe(201);
    },
  );

  it('is not part of what a key identifies: a replay answers the first shipment whatever it says', async () => {
    const [order, key] = [orderOf(), newKey()];
    const first = await createWith('40', order, key);
    const replay = await createWith('0', order, key);
    expect([first.status, replay.status]).toEqual([201, 200]);
    expect(await replay.text()).toBe(await first.text());
    await expectProblem(await createWith('0', orderOf({ codAmount: 5 }), key), {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('is compared after the rules about the body, and before a reference that is taken', async () => {
    const order = orderOf();
    await createWith('40', order);
    await expectProblem(await createWith('0', order), ABOVE);
    await expectProblem(await createWith('40', order), { status: 409, code: 'EXTERNAL_REFERENCE_CONFLICT' });
    const elsewhere = orderOf({ branchCode: 'NOWHERE' });
    await expectProblem(await createWith('0', elsewhere), {
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      violations: ['branchCode BRANCH_UNKNOWN'],
    });
  });

  it.each(['', '-1', '+1', '1e1', '1.234', '.5', '1.', '01', '1,', '٣٣', '1234567890123', '12345678901.23', 'NaN'])(
    'is 400 if it is no amount: %j, also on a replay',
    async (limit) => {
      const [order, key] = [orderOf(), newKey()];
      expect((await createWith('40', order, key)).status).toBe(201);
      // A header of fetch has bytes only.
      const sent = [...limit].every((letter) => letter <= 'ÿ') ? limit : encodeURIComponent(limit);
      await expectProblem(await createWith(sent, order, key), NO_AMOUNT);
    },
  );
});

describe('Price-Limit of a cancellation', () => {
  const cancelWith = (shipmentId: string, limit: string, headers = {}) =>
    merchant.post(
      `${SHIPMENTS}/${shipmentId}/cancellations`,
      { reasonCode: 'PRICE' },
      { 'if-match': '*', 'price-limit': limit, ...headers },
    );
  async function accepted(): Promise<string> {
    const driver = await sandbox.signIn();
    const { shipmentId } = await sandbox.create();
    await sandbox.untilState(shipmentId, 'OFFERED');
    expect((await driver.act(shipmentId, { action: 'ACCEPT' })).status).toBe(200);
    return shipmentId;
  }

  it('of 0 cancels before an acceptance, because that is free', async () => {
    const { shipmentId } = await sandbox.create();
    expect((await cancelWith(shipmentId, '0')).status).toBe(200);
  });

  it('below the fee refuses, shows the preview and changes nothing', async () => {
    const shipmentId = await accepted();
    const key = { 'idempotency-key': newKey() };
    const before = await sandbox.read(shipmentId);
    const problem = await expectProblem(await cancelWith(shipmentId, '11.49', key), ABOVE);
    const price = { currency: 'SAR', netAmount: 10, vatRate: 0.15, vatAmount: 1.5, totalAmount: 11.5 };
    expect(problem).toMatchObject({
      limit: 11.49,
      price,
      preview: { shipmentId, version: before.version, rule: 'DRIVER_ON_WAY', payer: 'MERCHANT', fee: price },
    });
    expect(await sandbox.read(shipmentId)).toEqual(before);
    const cancelled = await cancelWith(shipmentId, '11.5', key);
    expect([cancelled.status, (await readShipment(cancelled)).state]).toEqual([200, 'CANCELLED']);
    // It is cancelled already, so it costs nothing more.
    expect((await cancelWith(shipmentId, '0')).status).toBe(200);
  });

  it('is 400 if it is no amount', async () => {
    const { shipmentId } = await sandbox.create();
    await expectProblem(await cancelWith(shipmentId, '-0.01'), NO_AMOUNT);
  });
});
