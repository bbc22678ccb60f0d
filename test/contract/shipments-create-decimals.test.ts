import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, exactly, ITEM, newKey, shipmentBody, withValue } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);

/** The digits of a member as they are in the response text, because parsing would round them. */
function printed(text: string, member: string): string | undefined {
  return new RegExp(`"${member}":([^,}\\]]+)`).exec(text)?.[1];
}

async function createdText(body: unknown): Promise<string> {
  const response = await merchant.postShipment(body);
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 201 });
  return text;
}

describe('an amount is printed in the shortest form of its exact value', () => {
  it.each([
    ['0', '0'],
    ['0.00', '0'],
    ['-0', '0'],
    ['0.10', '0.1'],
    ['1.50', '1.5'],
    ['100', '100'],
    ['100.00', '100'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['1.5e2', '150'],
    ['1250e-1', '125'],
    ['25e-2', '0.25'],
    ['9007199254740993', '9007199254740993'],
    ['1234567890123456789', '1234567890123456789'],
    ['9999999999999999999', '9999999999999999999'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['1234567890123456.7e1', '12345678901234567'],
    ['1e18', '1000000000000000000'],
  ])('%s as %s', async (sent, expected) => {
    const text = await createdText(shipmentBody(company, { declaredValue: exactly(sent) }));
    expect(printed(text, 'declaredValue')).toBe(expected);
  });

  it.each(['12345678901234567890', '1e19', '1e400', '1e99999999999', '123456789012345678.99'])(
    '%s has more than 19 digits',
    async (sent) => {
      const response = await merchant.postShipment(shipmentBody(company, { declaredValue: exactly(sent) }));
      const problem = await expectProblem(response, {
        status: 422,
        code: 'VALIDATION_FAILED',
        violations: [expect.any(String)],
      });
      expect(problem.violations?.[0]).toMatchObject({
        field: 'declaredValue',
        code: expect.stringMatching(/^(?:OUT_OF_RANGE|TYPE_MISMATCH)$/),
      });
    },
  );
});

describe('an amount has at most the fraction digits of its currency', () => {
  it.each([
    ['SAR', '1.25', '1.25'],
    ['SAR', '1.250', '1.25'],
    ['KWD', '1.255', '1.255'],
    ['JPY', '1255', '1255'],
    ['JPY', '1.0', '1'],
    ['CLF', '0.1234', '0.1234'],
  ])('%s %s', async (currency, sent, expected) => {
    // Only the tariff's currency can be collected on delivery.
    const cash =
      currency === 'SAR' ? { codAmount: exactly(sent), paymentMethod: 'COD' } : { codAmount: exactly('0.0') };
    const text = await createdText(shipmentBody(company, { currency, declaredValue: exactly(sent), ...cash }));
    expect(printed(text, 'declaredValue')).toBe(expected);
    expect(printed(text, 'codAmount')).toBe(currency === 'SAR' ? expected : '0');
  });

  it.each([
    ['SAR', '1.255'],
    ['SAR', '1255e-3'],
    ['KWD', '1.2555'],
    ['JPY', '1.5'],
    ['JPY', '15e-1'],
  ])('%s %s has too many', async (currency, sent) => {
    const body = shipmentBody(company, {
      currency,
      declaredValue: exactly(sent),
      codAmount: exactly(sent),
      paymentMethod: 'COD',
    });
    const foreign = currency === 'SAR' ? [] : ['currency CURRENCY_NOT_SUPPORTED'];
    const violations = ['codAmount SCALE_EXCEEDED', ...foreign, 'declaredValue SCALE_EXCEEDED'];
    await expectProblem(await merchant.postShipment(body), { status: 422, code: 'VALIDATION_FAILED', violations });
  });
});

describe('a weight', () => {
  it.each([
    ['0.000001', '0.000001', '0.000002'],
    ['1e-6', '0.000001', '0.000002'],
    ['1.500000', '1.5', '3'],
    ['1234567890123.456789', '1234567890123.456789', '2469135780246.913578'],
    ['9999999999999999999', '9999999999999999999', '19999999999999999998'],
  ])('is exact: %s for each of two pieces', async (sent, one, total) => {
    const text = await createdText(withValue(shipmentBody(company), 'items[0].weightKilograms', exactly(sent)));
    expect([printed(text, 'weightKilograms'), printed(text, 'totalWeightKilograms')]).toEqual([one, total]);
  });

  it('is added up without rounding', async () => {
    const items = ['0.1', '0.2', '9999999999999.999999'].map((weight) => ({
      ...ITEM,
      quantity: 1,
      weightKilograms: exactly(weight),
    }));
    const text = await createdText(shipmentBody(company, { items }));
    expect(printed(text, 'totalWeightKilograms')).toBe('10000000000000.299999');
  });

  it.each([
    ['0.0000001', 'SCALE_EXCEEDED'],
    ['1.23456789', 'SCALE_EXCEEDED'],
    ['12345678901234.567891', 'OUT_OF_RANGE'],
    ['0e0', 'OUT_OF_RANGE'],
    ['-0.000001', 'OUT_OF_RANGE'],
  ])('%s is %s', async (sent, code) => {
    const response = await merchant.postShipment(
      withValue(shipmentBody(company), 'items[0].weightKilograms', exactly(sent)),
    );
    await expectProblem(response, {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [`items[0].weightKilograms ${code}`],
    });
  });
});

describe('coordinates', () => {
  it.each([
    ['21.123456789', '39.987654321', '21.123456789', '39.987654321'],
    ['21.50', '3.925e1', '21.5', '39.25'],
    // As programs print doubles.
    ['21.500000000000004', '39.250000000000007', '21.500000000000004', '39.250000000000007'],
    ['215e-1', '39.12345678901234567', '21.5', '39.12345678901234567'],
  ])('%s, %s', async (latitude, longitude, latitudeOut, longitudeOut) => {
    const destination = { ...DESTINATION, latitude: exactly(latitude), longitude: exactly(longitude) };
    const text = await createdText(shipmentBody(company, { destination }));
    expect(text).toContain(`"latitude":${latitudeOut},"longitude":${longitudeOut}}`);
  });

  it.each([
    ['90', '180.0'],
    ['-90.000000000', '-1.8e2'],
    ['-0.0', '0.000000001'],
    ['39.25', '21.5'],
  ])('%s, %s are coordinates, and not of Jeddah', async (latitude, longitude) => {
    const destination = { ...DESTINATION, latitude: exactly(latitude), longitude: exactly(longitude) };
    await expectProblem(await merchant.postShipment(shipmentBody(company, { destination })), {
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      violations: ['destination DESTINATION_NOT_SERVICEABLE'],
    });
  });
});

it('a quantity may have an exponent or a point if it is whole', async () => {
  const items = ['1e2', '1.0', '0.5e1'].map((quantity) => ({
    ...ITEM,
    quantity: exactly(quantity),
    weightKilograms: 1,
  }));
  const text = await createdText(shipmentBody(company, { items }));
  expect([...text.matchAll(/"quantity":([^,]+)/g)].map(([, quantity]) => quantity)).toEqual(['100', '1', '5']);
  expect(printed(text, 'totalWeightKilograms')).toBe('106');
});

it('the same digits are printed by creation, replay, GET, list and cancellation', async () => {
  const body = shipmentBody(company, {
    declaredValue: exactly('1234567890123456789'),
    destination: { ...DESTINATION, latitude: exactly('21.123456789') },
    items: [
      {
        ...ITEM,
        quantity: 7,
        weightKilograms: exactly('1234567890123.456789'),
        lengthCentimetres: exactly('0.100000'),
      },
    ],
  });
  const key = { 'idempotency-key': newKey() };
  const created = await (await merchant.postShipment(body, key)).text();
  const shipmentId = /"shipmentId":"([^"]+)"/.exec(created)?.[1] ?? '';
  const path = `${SHIPMENTS}/${shipmentId}`;
  const texts = await Promise.all(
    [
      merchant.postShipment(body, key),
      merchant.get(path),
      merchant.get(`${SHIPMENTS}?externalReference=${String(body['externalReference'])}`),
      merchant.cancel(shipmentId),
    ].map(async (response) => (await response).text()),
  );
  for (const text of [created, ...texts]) {
    expect(printed(text, 'declaredValue')).toBe('1234567890123456789');
    expect(printed(text, 'weightKilograms')).toBe('1234567890123.456789');
    expect(printed(text, 'totalWeightKilograms')).toBe('8641975230864.197523');
    expect(printed(text, 'lengthCentimetres')).toBe('0.1');
    expect(printed(text, 'latitude')).toBe('21.123456789');
  }
});
