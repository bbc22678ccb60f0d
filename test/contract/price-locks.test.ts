import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { type Headers, type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { type JsonObject, lockBody, newKey, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/* What expires and what a new tariff changes is in test/unit/domain/pricing/price-lock.test.ts. */

const environment = sharedEnvironment();
const LOCKS = '/v2/external/price-locks';
const newMerchant = async () => merchantOf(environment, await addCompany(environment));

const priceLockAnswer = z.looseObject({
  priceLock: z.string(),
  lockId: z.uuid(),
  lockedAt: z.string(),
  expiresAt: z.string(),
});
async function lockPrice(merchant: Merchant, changes: JsonObject = {}) {
  const response = await merchant.post(LOCKS, lockBody(merchant.company, changes));
  expect(response.status).toBe(200);
  return priceLockAnswer.parse(await response.json());
}
const create = (merchant: Merchant, priceLock: string, headers: Headers = {}, changes: JsonObject = {}) =>
  merchant.postShipment(shipmentBody(merchant.company, changes), { 'price-lock': priceLock, ...headers });

describe('POST /v2/external/price-locks', () => {
  it('answers the price of now with its terms, and stores nothing', async () => {
    const merchant = await newMerchant();
    const lock = await lockPrice(merchant, { expiresInSeconds: 60 });
    const { priceLock, lockId, lockedAt, expiresAt, ...price } = lock;
    const delivery = { latitude: 21.5, longitude: 39.25 };
    const estimated = await merchant.post('/v2/external/shipment-price-estimates', {
      // Where the pickup locations of test companies are.
      pickup: { latitude: 18.216389, longitude: 42.505 },
      delivery,
      destinationCityCode: 'JED',
    });
    const { estimatedAt: _estimatedAt, ...estimate } = (await estimated.json()) as JsonObject;
    expect(price).toEqual({
      ...estimate,
      terms: {
        cancellationAmount: 10,
        cancellationGraceSeconds: 0,
        lateCancellationSeconds: 3600,
        lockSecondsMax: 86_400,
        amendmentFreeMeters: 0,
        returnRate: 1,
        redeliveryRate: 1,
      },
    });
    expect(Date.parse(expiresAt) - Date.parse(lockedAt)).toBe(60_000);
    expect(priceLock).toMatch(/^[\w-]{100,699}$/);
    expect(lockId).not.toBe((await lockPrice(merchant)).lockId);
    expect(await storedOf(environment, merchant.company)).toEqual(NOTHING);
  });

  it.each([
    ['an unknown pickup location', { pickupLocationCode: 'NOWHERE' }, ['pickupLocationCode PICKUP_LOCATION_UNKNOWN']],
    ['a time that is too short', { expiresInSeconds: 59 }, ['expiresInSeconds OUT_OF_RANGE']],
    ['a time that is too long', { expiresInSeconds: 86_401 }, ['expiresInSeconds OUT_OF_RANGE']],
    ['an amount that nobody can pay', { codAmount: 1.234 }, ['codAmount SCALE_EXCEEDED']],
    ['no destination', { destination: undefined }, ['destination REQUIRED']],
    [
      'swapped coordinates',
      { destination: { cityCode: 'JED', latitude: 39.25, longitude: 21.5 } },
      ['destination DESTINATION_NOT_SERVICEABLE'],
    ],
  ])('refuses %s', async (_case, changes, violations) => {
    const merchant = await newMerchant();
    const response = await merchant.post(LOCKS, lockBody(merchant.company, changes));
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });
});

describe('Price-Lock of a creation', () => {
  it('locks the price of the shipment, and its id is in the answer and in the charges', async () => {
    const merchant = await newMerchant();
    const { priceLock, lockId, lockedAt, expiresAt, breakdown } = await lockPrice(merchant, { codAmount: 12.5 });
    const key = { 'idempotency-key': newKey() };
    const body = shipmentBody(merchant.company, { codAmount: JSON.rawJSON('12.50'), paymentMethod: 'COD' });
    const first = await merchant.postShipment(body, { ...key, 'price-lock': priceLock });
    expect([first.status, first.headers.get('price-lock-id')]).toEqual([201, lockId]);
    const text = await first.text();
    const { shipmentId } = z.looseObject({ shipmentId: z.uuid() }).parse(JSON.parse(text));
    const charges = await (await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`)).json();
    expect(charges).toMatchObject({ lines: breakdown, priceLock: { lockId, lockedAt, expiresAt } });
    // A replay is the first answer, and tells the lock only to a request with one.
    for (const [headers, told] of [
      [key, null],
      [{ ...key, 'price-lock': priceLock }, lockId],
      [{ ...key, 'price-lock': (await lockPrice(merchant)).priceLock }, lockId],
      [{ ...key, 'price-lock': 'AAAA' }, lockId],
    ] as const) {
      const replay = await merchant.postShipment(body, headers);
      expect([replay.status, replay.headers.get('price-lock-id')]).toEqual([200, told]);
      expect(await replay.text()).toBe(text);
    }
  });

  it('is for one shipment: of 50 creations at once one is made', async () => {
    const merchant = await newMerchant();
    const { priceLock } = await lockPrice(merchant);
    const responses = await Promise.all(Array.from({ length: 50 }, () => create(merchant, priceLock)));
    const [made, ...others] = responses.toSorted((left, right) => left.status - right.status);
    if (made?.status !== 201) throw new Error('None was made');
    const { shipmentId, shipmentNumber } = await readShipment(made);
    const existing = { shipmentId, shipmentNumber, href: `${SHIPMENTS}/${shipmentId}` };
    for (const response of others) {
      expect(await expectProblem(response, { status: 409, code: 'PRICE_LOCK_USED' })).toMatchObject({ existing });
    }
    expect(await storedOf(environment, merchant.company)).toMatchObject({ shipments: 1, keys: 1 });
  });

  it('is the same answer for a changed lock, a foreign one and one of no key', async () => {
    const [merchant, stranger] = [await newMerchant(), await newMerchant()];
    const { priceLock } = await lockPrice(merchant);
    const { priceLock: foreign } = await lockPrice(stranger);
    const changed = `${priceLock.slice(0, 40)}${priceLock[40] === 'A' ? 'B' : 'A'}${priceLock.slice(41)}`;
    for (const text of [changed, foreign, 'AAAA', 'A'.repeat(1024)]) {
      const problem = await expectProblem(await create(merchant, text), { status: 422, code: 'PRICE_LOCK_INVALID' });
      expect(problem['violations']).toBeUndefined();
    }
    expect(await storedOf(environment, merchant.company)).toEqual(NOTHING);
  });

  it('is 400 if it is no base64url of at most 1024 characters, also on a replay', async () => {
    const merchant = await newMerchant();
    const [body, key] = [shipmentBody(merchant.company), { 'idempotency-key': newKey() }];
    expect((await merchant.postShipment(body, key)).status).toBe(201);
    for (const [text, code] of [
      ['', 'PATTERN_MISMATCH'],
      ['a b', 'PATTERN_MISMATCH'],
      ['AAA=', 'PATTERN_MISMATCH'],
      ['AAAAA', 'PATTERN_MISMATCH'],
      ['A'.repeat(1025), 'TOO_LONG'],
    ] as const) {
      const response = await merchant.postShipment(body, { ...key, 'price-lock': text });
      await expectProblem(response, { status: 400, code: 'INVALID_HEADER', violations: [`Price-Lock ${code}`] });
    }
  });

  it('is checked after the schema and before the meaning of the body, Price-Limit and a taken reference', async () => {
    const merchant = await newMerchant();
    const { priceLock } = await lockPrice(merchant);
    const mismatch = {
      ...{ status: 422, code: 'PRICE_LOCK_MISMATCH' },
      violations: ['destination.cityCode NOT_AS_LOCKED', 'destination NOT_AS_LOCKED'],
    };
    const riyadh = { destination: { addressLine: 'King Fahd Road', cityCode: 'RUH', latitude: 24.7, longitude: 46.7 } };
    const late = { pickupWindowEnd: '2020-01-01T00:00:00Z' };
    await expectProblem(await create(merchant, priceLock, {}, { ...riyadh, requirements: 1 }), {
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      violations: ['requirements TYPE_MISMATCH'],
    });
    await expectProblem(await create(merchant, priceLock, { 'price-limit': '1' }, { ...riyadh, ...late }), mismatch);
    await expectProblem(await create(merchant, priceLock, { 'price-limit': '1' }, late), {
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      violations: ['pickupWindowEnd WINDOW_ORDER_INVALID', 'pickupWindowEnd WINDOW_IN_PAST'],
    });
    const order = { externalReference: newKey() };
    expect((await create(merchant, priceLock, {}, order)).status).toBe(201);
    await expectProblem(await create(merchant, priceLock, { 'price-limit': '1' }, order), {
      status: 409,
      code: 'PRICE_LIMIT_EXCEEDED',
    });
    await expectProblem(await create(merchant, priceLock, {}, order), { status: 409, code: 'PRICE_LOCK_USED' });
  });

  it('is not sold for an inactive branch, whose refusal comes after that of a used lock', async () => {
    const merchant = await newMerchant();
    const { priceLock } = await lockPrice(merchant);
    const order = { externalReference: newKey() };
    expect((await create(merchant, priceLock, {}, order)).status).toBe(201);
    const { branchCode, companyId, shard } = merchant.company;
    const close = "update branches set status = 'INACTIVE' where company_id = ? and branch_code = ?";
    await environment.sql(shard, close, [companyId, branchCode]);
    const inactive = { status: 409, code: 'BRANCH_INACTIVE' };
    await expectProblem(await merchant.post(LOCKS, lockBody(merchant.company)), inactive);
    await expectProblem(await create(merchant, priceLock, {}, order), { status: 409, code: 'PRICE_LOCK_USED' });
  });

  it('is a member of the input over tRPC', async () => {
    const merchant = await newMerchant();
    const client = trpcClient(environment, await environment.token(merchant.company));
    const lock = await client.priceLocks.create.mutate({
      pickupLocationCode: merchant.company.pickupLocationCode,
      destination: { latitude: '21.5', longitude: '39.25', cityCode: 'JED' },
    });
    expect(lock).toMatchObject({ currency: 'SAR', vatRate: '0.15' });
  });
});

describe('priceLock and priceLimit of an item of a batch', () => {
  const BATCHES = '/v2/external/shipment-batches';
  const batchItems = z.object({
    data: z.array(
      z.object({ shipmentId: z.nullable(z.uuid()), problem: z.nullable(z.looseObject({ code: z.string() })) }),
    ),
  });
  const itemOf = (merchant: Merchant, prices: JsonObject) => ({
    key: newKey(),
    shipment: shipmentBody(merchant.company),
    ...prices,
  });
  async function run(merchant: Merchant, mode: 'CREATE' | 'VALIDATE', prices: readonly JsonObject[]) {
    const items = prices.map((price) => itemOf(merchant, price));
    const started = await merchant.post(BATCHES, { mode, onInvalid: 'SKIP', items }, { prefer: 'wait=10' });
    expect(started.status).toBe(200);
    const { batchId } = z.looseObject({ batchId: z.uuid() }).parse(await started.json());
    const read = await merchant.get(`${BATCHES}/${batchId}/items`);
    return batchItems.parse(await read.json()).data.map(({ shipmentId, problem }) => problem?.code ?? shipmentId);
  }

  it('are those of the creation', async () => {
    const merchant = await newMerchant();
    const { priceLock, lockId, totalAmount } = await lockPrice(merchant);
    const [shipmentId, ...refused] = await run(merchant, 'CREATE', [
      { priceLock, priceLimit: totalAmount },
      { priceLimit: 1 },
      { priceLock: 'AAAA' },
      { priceLock: (await lockPrice(merchant)).priceLock, priceLimit: 0.01 },
    ]);
    expect(refused).toEqual(['PRICE_LIMIT_EXCEEDED', 'PRICE_LOCK_INVALID', 'PRICE_LIMIT_EXCEEDED']);
    const charges = await merchant.get(`${SHIPMENTS}/${String(shipmentId)}/charges`);
    expect(await charges.json()).toMatchObject({ priceLock: { lockId }, totalAmount });
    expect(await run(merchant, 'VALIDATE', [{ priceLock }, { priceLimit: 1 }])).toEqual([
      'PRICE_LOCK_USED',
      'PRICE_LIMIT_EXCEEDED',
    ]);
  });

  it('refuse the whole batch if they have no such form', async () => {
    const merchant = await newMerchant();
    const items = [{ priceLimit: -1 }, { priceLimit: 1.234 }, { priceLock: 'a b' }].map((prices) =>
      itemOf(merchant, prices),
    );
    await expectProblem(await merchant.post(BATCHES, { mode: 'CREATE', onInvalid: 'SKIP', items }), {
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      violations: [
        'items[0].priceLimit OUT_OF_RANGE',
        'items[1].priceLimit SCALE_EXCEEDED',
        'items[2].priceLock PATTERN_MISMATCH',
      ],
    });
  });
});
