import { describe, expect, it } from 'vitest';
import { addBranch, addCompany, addPickupLocation } from '../../scripts/shared/companies.ts';
import { type Headers, type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import {
  DESTINATION,
  ITEM,
  type JsonObject,
  lockBody,
  newKey,
  RECIPIENT,
  shipmentBody,
} from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const PATH = '/v2/external/shipment-batches';

interface Item {
  readonly index: number;
  readonly key: string;
  readonly state: string;
  readonly shipmentId: string | null;
  readonly problem: JsonObject | null;
}
interface Batch {
  readonly batchId: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}
const NONE = { total: 0, created: 0, replayed: 0, refused: 0, skipped: 0, pending: 0, valid: 0 };

const newMerchant = async () => merchantOf(environment, await addCompany(environment));
const itemOf = (shipment: unknown, key = newKey()) => ({ key, shipment });
const batchOf = (items: readonly unknown[], changes: JsonObject = {}) => ({
  mode: 'CREATE',
  onInvalid: 'SKIP',
  items,
  ...changes,
});

async function start(merchant: Merchant, body: unknown, headers: Headers = {}): Promise<Batch> {
  const response = await merchant.post(PATH, body, headers);
  expect({ status: response.status, location: response.headers.get('location') }).toEqual({
    status: 202,
    location: expect.stringMatching(/^\/v2\/external\/shipment-batches\/[0-9a-f-]{36}$/),
  });
  const batch = (await response.json()) as Batch;
  expect(response.headers.get('location')).toBe(`${PATH}/${batch.batchId}`);
  return batch;
}

const ended = (merchant: Merchant, batchId: string): Promise<Batch> =>
  until(`${batchId} ends`, async () => {
    const batch = (await (await merchant.get(`${PATH}/${batchId}`)).json()) as Batch;
    return batch.state === 'RUNNING' ? undefined : batch;
  });

async function itemsOf(merchant: Merchant, batchId: string, query = ''): Promise<Item[]> {
  const response = await merchant.get(`${PATH}/${batchId}/items?limit=100${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Item[] }).data;
}

async function run(merchant: Merchant, body: unknown) {
  const { batchId } = await start(merchant, body);
  const batch = await ended(merchant, batchId);
  return { ...batch, items: await itemsOf(merchant, batchId) };
}

describe('POST /v2/external/shipment-batches', () => {
  it('creates the shipments in the background and tells it in an event', async () => {
    const merchant = await newMerchant();
    const items = [1, 2, 3].map(() => itemOf(shipmentBody(merchant.company)));
    const started = await start(merchant, batchOf(items));
    expect(started).toMatchObject({ state: 'RUNNING', counts: { ...NONE, total: 3, pending: 3 } });
    const batch = await ended(merchant, started.batchId);
    expect(batch).toEqual({
      batchId: started.batchId,
      mode: 'CREATE',
      state: 'COMPLETED',
      counts: { ...NONE, total: 3, created: 3 },
      createdAt: expect.any(String),
      completedAt: expect.any(String),
    });
    const stored = await itemsOf(merchant, started.batchId);
    for (const [index, { key, shipment }] of items.entries()) {
      const { shipmentId = null } = stored[index] ?? {};
      expect(stored[index]).toEqual({ index, key, state: 'CREATED', shipmentId, problem: null });
      // A creation with the key of the item is a replay.
      const again = await merchant.postShipment(shipment, { 'idempotency-key': key });
      expect({ status: again.status, ...((await again.json()) as JsonObject) }).toMatchObject({
        status: 200,
        shipmentId,
      });
    }
    const events = await merchant.get('/v2/external/events?type=shipment_batch.completed');
    const { data } = (await events.json()) as { data: JsonObject[] };
    expect(data).toMatchObject([{ shipmentId: null, sequence: 0, data: { shipmentBatch: batch } }]);
    // What named a recipient is gone.
    const rows = await environment.sql(
      merchant.company.shard,
      'select count(*) as left from shipment_batch_items where company_id = ? and coalesce(request, price_lock) is not null',
      [merchant.company.companyId],
    );
    expect(rows).toMatchObject([{ left: 0 }]);
  });

  it('answers every item like a creation of it alone', async () => {
    const merchants = [await newMerchant(), await newMerchant()] as const;
    for (const { company } of merchants) {
      await addBranch(environment, company, { branchCode: 'CLOSED', status: 'INACTIVE' });
      await addPickupLocation(environment, company, { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' });
    }
    const changes: readonly JsonObject[] = [
      {},
      { externalReference: 'ORDER-1' },
      { externalReference: 'ORDER-1', declaredValue: 1 },
      { declaredValue: JSON.rawJSON('1234567890123456.78') },
      { declaredValue: '250' },
      { codAmount: 5 },
      { branchCode: 'NOWHERE', nonsense: { deep: [1] } },
      { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' },
      { items: [{ ...ITEM, quantity: JSON.rawJSON('1e3') }] },
      { items: [{ ...ITEM, quantity: 1.5 }] },
      { items: [] },
      { recipient: { ...RECIPIENT, phone: null } },
      { destination: { ...DESTINATION, cityCode: 'ABT', latitude: JSON.rawJSON('21.500000000000000001') } },
      // The pickup location itself: there is no route of length zero.
      { destination: { ...DESTINATION, latitude: 18.216389, longitude: 42.505 } },
      { pickupWindowEnd: '2020-01-01T00:00:00Z' },
      { requirements: ['COD', 'COD'], idempotencyKey: 'x' },
    ];
    const bodiesOf = ({ company }: Merchant) =>
      changes.map((change, index) => shipmentBody(company, { externalReference: `order ${index}`, ...change }));
    const [alone, together] = merchants;
    const answers: JsonObject[] = [];
    for (const body of bodiesOf(alone)) {
      const response = await alone.postShipment(body);
      answers.push({ status: response.status, body: plain(await response.json()) });
    }
    const { items, counts } = await run(together, batchOf(bodiesOf(together).map((body) => itemOf(body))));
    const same = await Promise.all(
      items.map(async ({ state, shipmentId, problem }) => {
        if (problem !== null) return { status: problem['status'], body: plain(problem) };
        expect(state).toBe('CREATED');
        return { status: 201, body: plain(await (await together.get(`${SHIPMENTS}/${shipmentId}`)).json()) };
      }),
    );
    expect(same).toEqual(answers);
    const created = answers.filter(({ status }) => status === 201).length;
    expect(counts).toEqual({ ...NONE, total: changes.length, created, refused: changes.length - created });
  });

  it('VALIDATE judges every item and writes nothing but the batch', async () => {
    const merchant = await newMerchant();
    const good = shipmentBody(merchant.company);
    const bad = shipmentBody(merchant.company, { branchCode: 'NOWHERE' });
    const { state, counts, items } = await run(
      merchant,
      batchOf([itemOf(good), itemOf(bad), itemOf(good)], { mode: 'VALIDATE' }),
    );
    expect({ state, counts }).toEqual({ state: 'COMPLETED', counts: { ...NONE, total: 3, valid: 1, refused: 2 } });
    expect(items.map((item) => [item.state, item.shipmentId])).toEqual([
      ['VALID', null],
      ['REFUSED', null],
      ['REFUSED', null],
    ]);
    expect(items[2]?.problem).toMatchObject({
      code: 'VALIDATION_FAILED',
      violations: [{ field: 'externalReference', code: 'DUPLICATE_ITEM' }],
    });
    expect(await storedOf(environment, merchant.company)).toEqual(NOTHING);
  });

  it('replays what exists, and refuses a key that was used for something else', async () => {
    const merchant = await newMerchant();
    const [one, two] = [itemOf(shipmentBody(merchant.company)), itemOf(shipmentBody(merchant.company))];
    const first = await run(merchant, batchOf([one]));
    const changed = { ...two, key: one.key };
    const second = await run(merchant, batchOf([one, two]));
    expect(second.items.map(({ state }) => state)).toEqual(['REPLAYED', 'CREATED']);
    expect(second.items[0]?.shipmentId).toBe(first.items[0]?.shipmentId);
    const third = await run(merchant, batchOf([changed]));
    expect(third.items[0]).toMatchObject({
      state: 'REFUSED',
      problem: { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 },
    });
    expect(third.counts).toEqual({ ...NONE, total: 1, refused: 1 });
  });

  it.each(['CREATE', 'VALIDATE'] as const)(
    '%s treats a repeated key or price lock as creations one by one',
    async (mode) => {
      const merchant = await newMerchant();
      const body = () => shipmentBody(merchant.company);
      const [one, two] = [itemOf(body()), itemOf(body())];
      const lock = await merchant.post('/v2/external/price-locks', lockBody(merchant.company));
      const { priceLock } = (await lock.json()) as { priceLock: string };
      const locked = [two, itemOf(body())].map((item) => ({ ...item, priceLock }));
      const items = [one, one, { ...itemOf(body()), key: one.key }, ...locked];
      const ended = await run(merchant, batchOf(items, { mode }));
      const made = mode === 'CREATE' ? ['CREATED', 'REPLAYED'] : ['VALID', 'VALID'];
      expect(ended.items.map(({ state, problem }) => [state, problem?.['code']])).toEqual([
        [made[0], undefined],
        [made[1], undefined],
        ['REFUSED', 'IDEMPOTENCY_KEY_REUSED'],
        [made[0], undefined],
        ['REFUSED', 'PRICE_LOCK_USED'],
      ]);
      expect(ended.items[1]?.shipmentId).toBe(ended.items[0]?.shipmentId);
    },
  );

  it('STOP creates nothing if an item is refused', async () => {
    const merchant = await newMerchant();
    const bad = itemOf(shipmentBody(merchant.company, { items: [] }));
    const items = [itemOf(shipmentBody(merchant.company)), bad, itemOf(shipmentBody(merchant.company))];
    const { batchId, state, counts } = await run(merchant, batchOf(items, { onInvalid: 'STOP' }));
    expect({ state, counts }).toEqual({ state: 'STOPPED', counts: { ...NONE, total: 3, refused: 1, skipped: 2 } });
    expect((await itemsOf(merchant, batchId, '&state=REFUSED')).map(({ index }) => index)).toEqual([1]);
    expect(await storedOf(environment, merchant.company)).toEqual(NOTHING);
    const mended = items.filter((item) => item !== bad);
    expect(await run(merchant, batchOf(mended, { onInvalid: 'STOP' }))).toMatchObject({
      state: 'COMPLETED',
      counts: { created: 2 },
    });
  });

  it('STOP ends STOPPED also if its last item is refused', async () => {
    const merchant = await newMerchant();
    const items = [itemOf(shipmentBody(merchant.company, { items: [] }))];
    const { state, counts } = await run(merchant, batchOf(items, { onInvalid: 'STOP' }));
    expect([state, counts]).toEqual(['STOPPED', { ...NONE, total: 1, refused: 1 }]);
  });

  it.each([
    ['a number that no double holds', '{"quantity":1e400}'],
    ['half of a surrogate pair', String.raw`{"externalReference":"\ud800"}`],
    ['NUL', String.raw`{"externalReference":"\u0000"}`],
    ['a hundred thousand violations', `{"items":[${'0,'.repeat(100_000)}0]}`],
  ])('refuses an item with %s when its turn comes, and goes on', async (_case, shipment) => {
    const merchant = await newMerchant();
    const good = JSON.stringify(itemOf(shipmentBody(merchant.company)));
    const body = `{"mode":"CREATE","onInvalid":"SKIP","items":[{"key":"${newKey()}","shipment":${shipment}},${good}]}`;
    const { batchId } = await start(merchant, body, { 'idempotency-key': newKey() });
    expect(await ended(merchant, batchId)).toMatchObject({ state: 'COMPLETED', counts: { refused: 1, created: 1 } });
    const [refused] = await itemsOf(merchant, batchId, '&state=REFUSED');
    expect(refused?.problem).toMatchObject({ code: 'VALIDATION_FAILED', status: 422 });
  });

  it('repeats its first answer for its own key', async () => {
    const merchant = await newMerchant();
    const body = batchOf([itemOf(shipmentBody(merchant.company))]);
    const key = { 'idempotency-key': newKey() };
    const { batchId, ...first } = await start(merchant, body, key);
    await ended(merchant, batchId);
    const again = await merchant.post(PATH, body, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await again.json()).toEqual({ batchId, ...first });
    const other = batchOf([itemOf(shipmentBody(merchant.company))]);
    await expectProblem(await merchant.post(PATH, other, key), { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('waits for the end on request, and ignores other preferences', async () => {
    const merchant = await newMerchant();
    const body = () => batchOf([itemOf(shipmentBody(merchant.company))]);
    await until('a batch ends within its wait', async () => {
      const response = await merchant.post(PATH, body(), { prefer: 'respond-async, wait=10' });
      const { state, counts } = (await response.json()) as Batch;
      if (response.status !== 200) return undefined;
      expect({ state, counts }).toEqual({ state: 'COMPLETED', counts: { ...NONE, total: 1, created: 1 } });
      return true;
    });
    const { batchId } = await start(merchant, body(), { prefer: 'wait=soon' });
    await ended(merchant, batchId);
  });

  it('refuses a third running batch of a company', async () => {
    const merchant = await newMerchant();
    const { companyId, shard } = merchant.company;
    const running = () =>
      environment.sql(
        shard,
        `insert into shipment_batches (id, company_id, client_id, mode, on_invalid, state, total, correlation_id, request_id, created_at)
         values (?, ?, 'mcl_x', 'CREATE', 'SKIP', 'RUNNING', 1, ?, ?, ?)`,
        [newKey(), companyId, newKey(), newKey(), Date.now() * 1000],
      );
    await running();
    const body = () => batchOf([itemOf(shipmentBody(merchant.company))]);
    const { batchId } = await start(merchant, body());
    await ended(merchant, batchId);
    await running();
    await expectProblem(await merchant.post(PATH, body()), { status: 409, code: 'BATCH_TOO_MANY_RUNNING' });
    expect((await storedOf(environment, merchant.company)).shipments).toBe(1);
  });

  const good = itemOf({});
  it.each([
    ['no items', batchOf([]), ['items TOO_FEW_ITEMS']],
    ['501 items', batchOf(Array.from({ length: 501 }, () => 0)), ['items TOO_MANY_ITEMS']],
    ['a key of 15 characters', batchOf([itemOf({}, 'k'.repeat(15))]), ['items[0].key TOO_SHORT']],
    ['a key of 129 characters', batchOf([good, itemOf({}, 'k'.repeat(129))]), ['items[1].key TOO_LONG']],
    [
      'a key with a letter that no header transmits',
      batchOf([itemOf({}, 'ك'.repeat(16))]),
      ['items[0].key PATTERN_MISMATCH'],
    ],
    ['a shipment that is no object', batchOf([itemOf([])]), ['items[0].shipment TYPE_MISMATCH']],
    [
      'a shipment of more than 256 KiB',
      batchOf([itemOf({ nonsense: 'x'.repeat(256 * 1024) })]),
      ['items[0].shipment TOO_LONG'],
    ],
    ['an item without a shipment', batchOf([{ key: newKey() }]), ['items[0].shipment TYPE_MISMATCH']],
    ['an unknown mode', batchOf([good], { mode: 'TRY' }), ['mode NOT_IN_ENUM']],
  ])('refuses %s', async (_case, body, violations) => {
    const response = await (await newMerchant()).post(PATH, body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });

  it('takes 500 items and 4 MiB, and no more', async () => {
    const merchant = await newMerchant();
    const size = (count: number, filler: number) =>
      JSON.stringify(batchOf(Array.from({ length: count }, () => itemOf({ nonsense: 'x'.repeat(filler) }))));
    const largest = size(500, 8300);
    expect(largest.length).toBeGreaterThan(4.15 * 1_000_000);
    await expectProblem(await merchant.post(PATH, size(500, 8400)), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const { batchId, counts } = await start(merchant, largest);
    expect(counts).toEqual({ ...NONE, total: 500, pending: 500 });
    const { data, page } = (await (await merchant.get(`${PATH}/${batchId}/items?limit=100`)).json()) as {
      data: Item[];
      page: { nextCursor: string };
    };
    expect(data.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    const next = await itemsOf(merchant, batchId, `&cursor=${page.nextCursor}`);
    expect(next[0]?.index).toBe(100);
  });

  it('is not found by another company', async () => {
    const merchant = await newMerchant();
    const { batchId } = await run(merchant, batchOf([itemOf(shipmentBody(merchant.company))]));
    const other = await newMerchant();
    for (const path of [`${PATH}/${batchId}`, `${PATH}/${batchId}/items`]) {
      await expectProblem(await other.get(path), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    }
  });

  it('takes decimals as text over tRPC', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    const client = trpcClient(environment, await environment.token(company));
    const shipment = {
      externalReference: 'ORDER-1',
      branchCode: company.branchCode,
      pickupLocationCode: company.pickupLocationCode,
      recipient: RECIPIENT,
      destination: { ...DESTINATION, latitude: '21.5', longitude: '39.25' },
      declaredValue: '250.75',
      codAmount: '0',
      currency: 'SAR',
      paymentMethod: 'PREPAID' as const,
      pickupWindowStart: '2030-01-31T09:00:00Z',
      pickupWindowEnd: '2030-01-31T12:00:00Z',
      items: [{ ...ITEM, weightKilograms: '1.25' }],
      requirements: [],
    };
    const { batchId } = await client.shipmentBatches.create.mutate({
      mode: 'CREATE',
      onInvalid: 'SKIP',
      items: [{ key: newKey(), shipment }],
    });
    expect(await ended(merchant, batchId)).toMatchObject({ counts: { created: 1 } });
    const { data } = await client.shipmentBatches.listItems.query({ batchId });
    const read = await merchant.get(`${SHIPMENTS}/${data[0]?.shipmentId}`);
    expect(await read.json()).toMatchObject({ declaredValue: 250.75 });
  });
});

/** Without what no two creations have in common, and without what happened after the creation. */
function plain(body: unknown): JsonObject {
  const {
    shipmentId: _id,
    shipmentNumber: _number,
    createdAt: _created,
    approvedAt: _approved,
    state: _state,
    version: _version,
    timestamp: _timestamp,
    requestId: _request,
    correlationId: _correlation,
    existing: _existing,
    ...rest
  } = body as JsonObject;
  return rest;
}
