import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { exactly, type JsonObject, withValue } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

/* Amounts calculated by hand: 12 base, 1.25 per started kilometre, 5 to DMM and MED, 3 to MKK; 15 % VAT on the sum. */

const environment = sharedEnvironment();
const PATH = '/v2/external/shipment-price-estimates';
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company, 'shipments:read');

const RUH = { latitude: 24.7, longitude: 46.7 };
const JED = { latitude: 21.5, longitude: 39.25 };
/** 5,782 m. */
const QUESTION = { pickup: RUH, delivery: { latitude: 24.74, longitude: 46.7 }, destinationCityCode: 'RUH' };

/** The corner of the Empty Quarter that is nearest to Riyadh. */
const NO_ROAD = { latitude: 21, longitude: 49 };

const ask = (changes: JsonObject = {}) => merchant.post(PATH, { ...QUESTION, ...changes });
const refusalAt = (field: string) => ({
  status: 422,
  code: 'VALIDATION_FAILED',
  violations: [`${field} DESTINATION_NOT_SERVICEABLE`],
});

describe('POST a price estimate', () => {
  it('returns what a delivery would cost now, in exact decimals', async () => {
    const from = Date.now();
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.has('etag')).toBe(false);
    const text = await response.text();
    const { estimatedAt, ...body } = JSON.parse(text) as Record<string, unknown>;
    expect(body).toEqual({
      currency: 'SAR',
      netAmount: 19.5,
      vatRate: 0.15,
      vatAmount: 2.93,
      totalAmount: 22.43,
      breakdown: [
        { code: 'BASE', amount: 12 },
        { code: 'DISTANCE', amount: 7.5 },
        { code: 'CITY', amount: 0 },
      ],
      distanceMeters: 5782,
      durationSeconds: 578,
      tariffVersion: 1,
    });
    expect(estimatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Date.parse(String(estimatedAt))).toBeGreaterThanOrEqual(from);
    expect(Date.parse(String(estimatedAt))).toBeLessThanOrEqual(Date.now());
    // Decimals in their shortest form: 19.5, not 19.50; 12, not 12.0.
    expect(text).toContain('"netAmount":19.5,"vatRate":0.15,"vatAmount":2.93,"totalAmount":22.43,');
    expect(text).toContain('[{"code":"BASE","amount":12},{"code":"DISTANCE","amount":7.5},{"code":"CITY","amount":0}]');
  });

  it.each([
    // A part of a kilometre counts as a whole one; the shortest route takes a minute.
    { to: [24.701, 46.701], city: 'RUH', way: [195, 60], lines: [12, 1.25, 0], sums: [13.25, 1.99, 15.24] },
    { to: [24.70692, 46.7], city: 'RUH', way: [1000, 100], lines: [12, 1.25, 0], sums: [13.25, 1.99, 15.24] },
    { to: [24.706923, 46.7], city: 'RUH', way: [1001, 100], lines: [12, 2.5, 0], sums: [14.5, 2.18, 16.68] },
    // 2.175 and 2.925 are rounded half away from zero: an invoice over 19.50 has 2.93.
    { to: [24.71, 46.702], city: 'RUH', way: [1469, 147], lines: [12, 2.5, 0], sums: [14.5, 2.18, 16.68] },
    { to: [24.74, 46.7], city: 'RUH', way: [5782, 578], lines: [12, 7.5, 0], sums: [19.5, 2.93, 22.43] },
    { to: [24.7, 46.700000001], city: 'RUH', way: [0, 60], lines: [12, 0, 0], sums: [12, 1.8, 13.8] },
    {
      to: [21.5, 39.25],
      city: 'JED',
      way: [1092982, 109298],
      lines: [12, 1366.25, 0],
      sums: [1378.25, 206.74, 1584.99],
    },
    { to: [26.4, 50.1], city: 'DMM', way: [506927, 50693], lines: [12, 633.75, 5], sums: [650.75, 97.61, 748.36] },
    {
      to: [24.4672, 39.6111],
      city: 'MED',
      way: [932343, 93234],
      lines: [12, 1166.25, 5],
      sums: [1183.25, 177.49, 1360.74],
    },
  ])('prices Riyadh to $to in $city: $sums', async ({ to: [latitude, longitude], city, way, lines, sums }) => {
    const response = await ask({ delivery: { latitude, longitude }, destinationCityCode: city });
    expect(partsOf(await response.json())).toEqual({ way, lines, sums });
  });

  it('prices Jeddah to Mecca, and the way back with another surcharge', async () => {
    const mecca = { latitude: 21.4225, longitude: 39.8262 };
    const there = await ask({ pickup: JED, delivery: mecca, destinationCityCode: 'MKK' });
    expect(partsOf(await there.json())).toEqual({
      way: [78322, 7832],
      lines: [12, 98.75, 3],
      sums: [113.75, 17.06, 130.81],
    });
    const back = await ask({ pickup: mecca, delivery: JED, destinationCityCode: 'JED' });
    expect(partsOf(await back.json())).toEqual({
      way: [78322, 7832],
      lines: [12, 98.75, 0],
      sums: [110.75, 16.61, 127.36],
    });
  });

  it('returns decimals as strings over tRPC, with the same refusals', async () => {
    const client = trpcClient(environment, await environment.token(company));
    const points = {
      pickup: { latitude: '24.70', longitude: '46.7' },
      delivery: { latitude: '2.474e1', longitude: '46.700' },
    };
    expect(await client.priceEstimates.create.mutate({ ...points, destinationCityCode: 'RUH' })).toMatchObject({
      netAmount: '19.5',
      vatRate: '0.15',
      vatAmount: '2.93',
      totalAmount: '22.43',
      breakdown: [
        { code: 'BASE', amount: '12' },
        { code: 'DISTANCE', amount: '7.5' },
        { code: 'CITY', amount: '0' },
      ],
      distanceMeters: 5782,
    });
    const unserved = client.priceEstimates.create.mutate({ ...points, destinationCityCode: 'ABT' });
    expect(await problemOfCall(unserved)).toMatchObject({
      status: 422,
      violations: [{ field: 'destinationCityCode', code: 'DESTINATION_NOT_SERVICEABLE' }],
    });
  });
});

describe('an estimate is refused for', () => {
  it.each(['AHB', 'RUH2', 'CONSTRUCTOR', '__PROTO__'])('the city %s', async (city) => {
    await expectProblem(await ask({ destinationCityCode: city }), refusalAt('destinationCityCode'));
  });

  it.each([
    ['in the middle of the Empty Quarter', { latitude: 20, longitude: 51 }],
    ['at its south-western corner', { latitude: 19, longitude: 49 }],
    ['at its north-eastern corner', { latitude: 21, longitude: 53 }],
  ])('a pickup without a road: %s', async (_where, pickup) => {
    await expectProblem(await ask({ pickup }), refusalAt('delivery'));
  });

  it('a destination without a road, within 500 km of its city', async () => {
    await expectProblem(await ask({ delivery: NO_ROAD }), refusalAt('delivery'));
    expect((await ask({ delivery: { ...NO_ROAD, latitude: 21.000000001 } })).status).toBe(200);
  });

  it('no pickup just outside the Empty Quarter', async () => {
    expect((await ask({ pickup: { latitude: 18.999999999, longitude: 51 } })).status).toBe(200);
    expect((await ask({ pickup: { latitude: 20, longitude: 53.000000001 } })).status).toBe(200);
  });

  const FAR = 'is not a place that is delivered to: the coordinates are more than 500 km from the centre of the city';
  it.each([
    ['with swapped coordinates', { latitude: 46.7, longitude: 24.74 }, `${FAR}. Did you swap latitude and longitude?`],
    ['at 0, 0', { latitude: 0, longitude: 0 }, FAR],
    ['in another city, 846 km away', JED, FAR],
    ['at a pole', { latitude: -90, longitude: 180 }, FAR],
  ])('a destination %s, before the routing provider is asked', async (_where, delivery, message) => {
    const problem = await expectProblem(await ask({ delivery }), refusalAt('delivery'));
    expect(problem['violations']).toMatchObject([{ message }]);
  });

  it.each([
    ['the same point', RUH],
    ['spelled differently', { latitude: exactly('24.700'), longitude: exactly('4.67e1') }],
  ])('a destination equal to the pickup: %s', async (_name, delivery) => {
    await expectProblem(await ask({ delivery }), refusalAt('delivery'));
  });
});

describe('the body', () => {
  it.each([
    ['pickup', undefined, 'REQUIRED'],
    ['delivery', undefined, 'REQUIRED'],
    ['destinationCityCode', undefined, 'REQUIRED'],
    ['pickup.latitude', undefined, 'REQUIRED'],
    ['delivery.longitude', undefined, 'REQUIRED'],
    ['pickup', null, 'NULL_NOT_ALLOWED'],
    ['pickup', [], 'TYPE_MISMATCH'],
    ['delivery', 'RUH', 'TYPE_MISMATCH'],
    ['delivery.latitude', '24.7', 'TYPE_MISMATCH'],
    ['delivery.latitude', null, 'NULL_NOT_ALLOWED'],
    ['pickup.latitude', 90.000000001, 'OUT_OF_RANGE'],
    ['pickup.latitude', -91, 'OUT_OF_RANGE'],
    ['delivery.longitude', 180.1, 'OUT_OF_RANGE'],
    ['delivery.longitude', exactly('46.70000000000000000001'), 'OUT_OF_RANGE'],
    ['delivery.addressLine', '4 King Fahd Road', 'UNKNOWN_PROPERTY'],
    ['weightKilograms', 1, 'UNKNOWN_PROPERTY'],
    ['destinationCityCode', 'ruh', 'PATTERN_MISMATCH'],
    ['destinationCityCode', 'R', 'PATTERN_MISMATCH'],
    ['destinationCityCode', 7, 'TYPE_MISMATCH'],
  ])('with %s as %j is 422 %s', async (field, value, code) => {
    const response = await merchant.post(PATH, withValue(QUESTION, field, value));
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: [`${field} ${code}`] });
  });

  it('is answered with all violations at once', async () => {
    await expectProblem(await merchant.post(PATH, { pickup: { latitude: 99 }, destinationCityCode: '' }), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [
        'delivery REQUIRED',
        'destinationCityCode PATTERN_MISMATCH',
        'pickup.latitude OUT_OF_RANGE',
        'pickup.longitude REQUIRED',
      ],
    });
  });
});

it('an estimate is 503 with Retry-After while the routing provider fails', async () => {
  const sandbox = await newSandbox(environment);
  await sandbox.merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 2 });
  for (const body of [QUESTION, { ...QUESTION, delivery: NO_ROAD }]) {
    const response = await sandbox.merchant.post(PATH, body);
    expect(response.headers.get('retry-after')).toBe('5');
    await expectProblem(response, { status: 503, code: 'ROUTING_PROVIDER_UNAVAILABLE' });
  }
  expect((await sandbox.merchant.post(PATH, QUESTION)).status).toBe(200);
});

it('the routing provider is not asked for an unserved city or an empty route', async () => {
  const sandbox = await newSandbox(environment);
  await sandbox.merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 100 });
  for (const change of [{ destinationCityCode: 'AHB' }, { delivery: RUH }]) {
    expect((await sandbox.merchant.post(PATH, { ...QUESTION, ...change })).status).toBe(422);
  }
});

interface EstimateBody {
  readonly breakdown: readonly { readonly amount: number }[];
  readonly [amount: string]: unknown;
}

function partsOf(body: unknown) {
  const { breakdown, distanceMeters, durationSeconds, netAmount, vatAmount, totalAmount } = body as EstimateBody;
  return {
    way: [distanceMeters, durationSeconds],
    lines: breakdown.map(({ amount }) => amount),
    sums: [netAmount, vatAmount, totalAmount],
  };
}
