import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH } from '../../scripts/shared/sandbox.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { DATABASE_IDS } from '../../scripts/shared/sql.ts';
import { expectProblem } from '../support/problem.ts';
import { storedOf } from '../support/rows.ts';
import { trpcClient } from '../support/trpc.ts';

/* Prices, with tariffs and databases used by no other test. */

const ESTIMATES = '/v2/external/shipment-price-estimates';
/** The route between the sandbox's fixtures: 13,562 m. */
const QUESTION = {
  pickup: { latitude: 24.711667, longitude: 46.674167 },
  delivery: { latitude: 24.794722, longitude: 46.626111 },
  destinationCityCode: 'RUH',
};

let environment: OwnEnvironment;
beforeAll(async () => {
  environment = await startEnvironment('deno');
});
afterAll(() => environment.stop());

const jsonOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};
const estimate = async (merchant: Merchant) => jsonOf(await merchant.post(ESTIMATES, QUESTION));
const chargesOf = async (merchant: Merchant, shipmentId: string) =>
  jsonOf(await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`));

/** All rows of all tables in all databases. */
async function dump(): Promise<string> {
  const parts: string[] = [];
  for (const database of DATABASE_IDS) {
    const tables = await environment.sql(database, "select name from sqlite_schema where type = 'table' order by name");
    for (const { name } of tables) {
      const rows = await environment.sql(database, `select * from "${String(name)}"`);
      parts.push(`${database} ${String(name)} ${JSON.stringify(rows)}`);
    }
  }
  return parts.join('\n');
}

describe('an estimate', () => {
  it('writes nothing to any database, whatever its outcome', async () => {
    const merchant = await merchantOf(environment, environment.companies[0]);
    await estimate(merchant);
    const before = await dump();
    expect(before).toContain('directory tariffs [{"version":1,');
    expect(before).toContain('shard-2 shipments []');
    const wrong = [
      { destinationCityCode: 'AHB' },
      { delivery: { latitude: 21, longitude: 49 } },
      { delivery: QUESTION.pickup },
      { pickup: null },
    ];
    for (let time = 1; time <= 5; time += 1) await estimate(merchant);
    for (const changes of wrong) {
      expect((await merchant.post(ESTIMATES, { ...QUESTION, ...changes })).status).toBe(422);
    }
    expect(await dump()).toBe(before);
    // The dump would show a change.
    await merchant.create();
    expect(await dump()).not.toBe(before);
  });
});

/** Publishes a tariff in the past, which the service reads when it starts. */
async function addTariff(version: number, effectiveFrom: string): Promise<void> {
  await environment.sql(
    'directory',
    `insert into tariffs (version, effective_from, currency, base_amount, kilometre_amount, vat_rate, cancellation_amount,
       city_surcharges, created_at) values (?, ?, 'SAR', '20.1', '0.125', '0.05', '7.5', '{"RUH":"0.35"}', 0)`,
    [version, Date.parse(effectiveFrom) * 1000],
  );
}

describe('a newer tariff', () => {
  it('applies to later estimates and creations, but not to earlier shipments', async () => {
    const { merchant, create, signIn, untilState } = await newSandbox(environment);
    const before = [await create(), await create()];
    const frozen = await chargesOf(merchant, before[0]?.shipmentId ?? '');
    expect(frozen).toMatchObject({ netAmount: 29.5, totalAmount: 33.93, tariffVersion: 1 });
    await addTariff(2, '2026-01-02T00:00:00Z');
    await addTariff(3, '2099-01-01T00:00:00Z');
    await environment.restart({});

    // 14 × 0.125 is 1.75; 5 % of 22.2 is 1.11.
    const price = { netAmount: 22.2, vatRate: 0.05, vatAmount: 1.11, totalAmount: 23.31, tariffVersion: 2 };
    expect(await estimate(merchant)).toMatchObject({
      ...price,
      breakdown: [
        { code: 'BASE', amount: 20.1 },
        { code: 'DISTANCE', amount: 1.75 },
        { code: 'CITY', amount: 0.35 },
      ],
    });
    const { shipmentId } = await create();
    expect(await chargesOf(merchant, shipmentId)).toMatchObject(price);
    expect(await chargesOf(merchant, before[0]?.shipmentId ?? '')).toEqual(frozen);

    // Each cancellation uses the tariff of its shipment.
    const driver = await signIn();
    for (const [id, sums] of [
      [before[1]?.shipmentId ?? '', { netAmount: 10, vatAmount: 1.5, totalAmount: 11.5, tariffVersion: 1 }],
      // 5 % of 7.5 is 0.375, rounded half away from zero.
      [shipmentId, { netAmount: 7.5, vatAmount: 0.38, totalAmount: 7.88, tariffVersion: 2 }],
    ] as const) {
      await untilState(id, 'OFFERED');
      await driver.act(id, { action: 'ACCEPT' });
      expect((await merchant.cancel(id)).status).toBe(200);
      expect(await chargesOf(merchant, id)).toMatchObject(sums);
    }
  });

  it('without a city refuses estimates and creations for that city', async () => {
    const { merchant, company } = await newSandbox(environment);
    const refused = { status: 422, code: 'VALIDATION_FAILED' } as const;
    await expectProblem(await merchant.post(ESTIMATES, { ...QUESTION, destinationCityCode: 'DMM' }), {
      ...refused,
      violations: ['destinationCityCode DESTINATION_NOT_SERVICEABLE'],
    });
    const places = { branchCode: 'SANDBOX_BRANCH', pickupLocationCode: 'SANDBOX_PICKUP' };
    const body = shipmentBody(company, { ...places, destination: { ...RIYADH, cityCode: 'DMM' } });
    await expectProblem(await merchant.postShipment(body), {
      ...refused,
      violations: ['destination.cityCode DESTINATION_NOT_SERVICEABLE'],
    });
  });
});

describe('without a tariff in force', () => {
  it('estimates and creations are refused and no key is bound, but replays are answered', async () => {
    const sandbox = await newSandbox(environment);
    const { merchant, company } = sandbox;
    const places = { branchCode: 'SANDBOX_BRANCH', pickupLocationCode: 'SANDBOX_PICKUP', destination: RIYADH };
    const [old, body] = [shipmentBody(company, places), shipmentBody(company, places)];
    const keys = [{ 'idempotency-key': newKey() }, { 'idempotency-key': newKey() }];
    const first = await merchant.postShipment(old, keys[0]);
    const text = await first.text();
    await environment.sql('directory', 'delete from tariffs where version < 3');
    await environment.restart({});

    for (const send of [() => merchant.post(ESTIMATES, QUESTION), () => merchant.postShipment(body, keys[1])]) {
      const response = await send();
      expect(response.headers.get('retry-after')).toBe('60');
      await expectProblem(response, { status: 503, code: 'SERVICE_UNAVAILABLE' });
    }
    expect(await storedOf(environment, company)).toMatchObject({ shipments: 1, keys: 1 });
    const replay = await merchant.postShipment(old, keys[0]);
    expect({ status: replay.status, text: await replay.text() }).toEqual({ status: 200, text });
    const fresh = await newSandbox(environment);
    const readiness = await jsonOf(await fresh.merchant.get('/v2/external/sandbox/readiness'));
    expect(readiness).toMatchObject({
      canCreateShipment: false,
      prerequisites: expect.arrayContaining([{ prerequisite: 'COMMERCIAL_TERMS', ready: false }]),
    });

    const operator = trpcClient(environment, await environment.token(environment.operator));
    const listed = await operator.operations.tariffs.list.query({});
    expect(listed.filter(({ version }) => version < 3)).toEqual([]);
    await addTariff(1, '2026-01-01T00:00:00Z');
    await environment.restart({});
    expect((await merchant.postShipment(body, keys[1])).status).toBe(201);
    expect(await estimate(merchant)).toMatchObject({ tariffVersion: 1 });
  });
});
