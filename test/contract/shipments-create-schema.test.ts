import { afterAll, describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, exactly, ITEM, shipmentBody, withValue } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);

/** Refused requests must not store anything, nor bind an idempotency key. */
afterAll(async () => {
  expect(await storedOf(environment, company)).toEqual(NOTHING);
});

async function expectViolations(body: unknown, violations: readonly string[]): Promise<void> {
  const response = await merchant.postShipment(body);
  await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
}

const MEMBERS = [
  ...[
    'externalReference',
    'branchCode',
    'pickupLocationCode',
    'recipient',
    'destination',
    'declaredValue',
    'codAmount',
  ],
  ...['currency', 'paymentMethod', 'pickupWindowStart', 'pickupWindowEnd', 'items', 'requirements'],
];
const NESTED = [
  ...['recipient.name', 'recipient.phone', 'destination.addressLine', 'destination.cityCode', 'destination.latitude'],
  ...['destination.longitude', 'items[0].description', 'items[0].quantity', 'items[0].weightKilograms'],
];

describe('every member of the body', () => {
  it.each([...MEMBERS, ...NESTED])('is required: %s', async (path) => {
    await expectViolations(withValue(shipmentBody(company), path, undefined), [`${path} REQUIRED`]);
  });

  it.each([...MEMBERS, ...NESTED])('may not be null: %s', async (path) => {
    await expectViolations(withValue(shipmentBody(company), path, null), [`${path} NULL_NOT_ALLOWED`]);
  });

  it.each([...MEMBERS, ...NESTED])('may not be a boolean: %s', async (path) => {
    await expectViolations(withValue(shipmentBody(company), path, true), [`${path} TYPE_MISMATCH`]);
  });
});

describe('one wrong value is one violation', () => {
  it.each([
    ['externalReference', '', 'TOO_SHORT'],
    ['externalReference', 'x'.repeat(129), 'TOO_LONG'],
    ['externalReference', '🚚'.repeat(129), 'TOO_LONG'],
    ['externalReference', 12, 'TYPE_MISMATCH'],
    ['branchCode', 'ruh-1', 'PATTERN_MISMATCH'],
    ['branchCode', 'A', 'PATTERN_MISMATCH'],
    ['branchCode', '_A', 'PATTERN_MISMATCH'],
    ['branchCode', 'RUH MAIN', 'PATTERN_MISMATCH'],
    ['branchCode', 'RUH-MAIN\n', 'PATTERN_MISMATCH'],
    ['branchCode', 'A'.repeat(65), 'PATTERN_MISMATCH'],
    ['pickupLocationCode', 'A'.repeat(65), 'PATTERN_MISMATCH'],
    ['pickupLocationCode', '-1', 'PATTERN_MISMATCH'],
    ['recipient', [], 'TYPE_MISMATCH'],
    ['recipient', 'Ali', 'TYPE_MISMATCH'],
    ['recipient.name', '', 'TOO_SHORT'],
    ['recipient.name', 'x'.repeat(121), 'TOO_LONG'],
    ['recipient.phone', '0412345678', 'PATTERN_MISMATCH'],
    ['recipient.phone', '051234567', 'PATTERN_MISMATCH'],
    ['recipient.phone', '00966512345678', 'PATTERN_MISMATCH'],
    ['recipient.phone', '+9660512345678', 'PATTERN_MISMATCH'],
    ['recipient.phone', '٠٥١٢٣٤٥٦٧٨', 'PATTERN_MISMATCH'],
    ['recipient.phone', '0512345678\n', 'PATTERN_MISMATCH'],
    ['recipient.phone', 512345678, 'TYPE_MISMATCH'],
    ['recipient.alternateContactName', 'x'.repeat(121), 'TOO_LONG'],
    ['recipient.alternateContactName', 7, 'TYPE_MISMATCH'],
    ['recipient.alternateContactPhone', '', 'PATTERN_MISMATCH'],
    ['recipient.alternateContactPhone', '123', 'PATTERN_MISMATCH'],
    ['destination', [], 'TYPE_MISMATCH'],
    ['destination.addressLine', '', 'TOO_SHORT'],
    ['destination.addressLine', 'x'.repeat(241), 'TOO_LONG'],
    ['destination.cityCode', 'R', 'PATTERN_MISMATCH'],
    ['destination.cityCode', 'ruh', 'PATTERN_MISMATCH'],
    ['destination.cityCode', 'R'.repeat(33), 'PATTERN_MISMATCH'],
    ['destination.latitude', '21.5', 'TYPE_MISMATCH'],
    ['destination.latitude', exactly('90.000000001'), 'OUT_OF_RANGE'],
    ['destination.latitude', exactly('-90.000000001'), 'OUT_OF_RANGE'],
    ['destination.latitude', exactly('21.123456789012345678'), 'OUT_OF_RANGE'],
    ['destination.longitude', exactly('180.000000001'), 'OUT_OF_RANGE'],
    ['destination.longitude', exactly('-180.000000001'), 'OUT_OF_RANGE'],
    ['destination.longitude', exactly('46.123456789012345678'), 'OUT_OF_RANGE'],
    ['declaredValue', -1, 'OUT_OF_RANGE'],
    ['declaredValue', exactly('-0.01'), 'OUT_OF_RANGE'],
    ['declaredValue', '250', 'TYPE_MISMATCH'],
    ['declaredValue', {}, 'TYPE_MISMATCH'],
    ['codAmount', -5, 'OUT_OF_RANGE'],
    ['codAmount', '0', 'TYPE_MISMATCH'],
    ['currency', 'sar', 'PATTERN_MISMATCH'],
    ['currency', 'SA', 'PATTERN_MISMATCH'],
    ['currency', 'SARS', 'PATTERN_MISMATCH'],
    ['currency', 'S4R', 'PATTERN_MISMATCH'],
    ['currency', 682, 'TYPE_MISMATCH'],
    ['paymentMethod', 'CASH', 'NOT_IN_ENUM'],
    ['paymentMethod', 'cod', 'NOT_IN_ENUM'],
    ['paymentMethod', 1, 'TYPE_MISMATCH'],
    ['pickupWindowStart', 1_896_080_400, 'TYPE_MISMATCH'],
    ['items', {}, 'TYPE_MISMATCH'],
    ['items', [], 'TOO_FEW_ITEMS'],
    ['items', Array.from({ length: 101 }, () => ITEM), 'TOO_MANY_ITEMS'],
    ['items[0]', null, 'NULL_NOT_ALLOWED'],
    ['items[0]', 'beans', 'TYPE_MISMATCH'],
    ['items[0].description', '', 'TOO_SHORT'],
    ['items[0].description', '漢'.repeat(161), 'TOO_LONG'],
    ['items[0].quantity', 0, 'OUT_OF_RANGE'],
    ['items[0].quantity', 10_001, 'OUT_OF_RANGE'],
    ['items[0].quantity', 1.5, 'TYPE_MISMATCH'],
    ['items[0].quantity', '2', 'TYPE_MISMATCH'],
    ['items[0].quantity', exactly('1.0000000000000000001'), 'TYPE_MISMATCH'],
    ['items[0].quantity', exactly('0.99999999999999999999'), 'TYPE_MISMATCH'],
    ['items[0].weightKilograms', 0, 'OUT_OF_RANGE'],
    ['items[0].weightKilograms', -1, 'OUT_OF_RANGE'],
    ['items[0].weightKilograms', '1', 'TYPE_MISMATCH'],
    ['items[0].weightKilograms', exactly('1.0000001'), 'SCALE_EXCEEDED'],
    ['items[0].lengthCentimetres', 0, 'OUT_OF_RANGE'],
    ['items[0].widthCentimetres', exactly('0.0000001'), 'SCALE_EXCEEDED'],
    ['items[0].heightCentimetres', '3', 'TYPE_MISMATCH'],
    ['requirements', 'COLD', 'TYPE_MISMATCH'],
    ['requirements', Array.from({ length: 21 }, (_, index) => `R${index}`), 'TOO_MANY_ITEMS'],
  ])('%s = %j is %s', async (path, value, code) => {
    await expectViolations(withValue(shipmentBody(company), path, value), [`${path} ${code}`]);
  });

  it.each([
    ['cold', 'PATTERN_MISMATCH'],
    ['C', 'PATTERN_MISMATCH'],
    ['_COLD', 'PATTERN_MISMATCH'],
    [`A${'B'.repeat(48)}`, 'PATTERN_MISMATCH'],
    [5, 'TYPE_MISMATCH'],
    [null, 'NULL_NOT_ALLOWED'],
    ['FRAGILE', 'DUPLICATE_ITEM'],
  ])('requirements[1] = %j is %s', async (value, code) => {
    const body = shipmentBody(company, { requirements: ['FRAGILE', value] });
    await expectViolations(body, [`requirements[1] ${code}`]);
  });
});

describe('an unknown property', () => {
  it.each([
    ['shipmentId', { shipmentId: 'x' }],
    ['idempotencyKey', { idempotencyKey: 'a-key-of-sixteen' }],
    ['constructor', { constructor: 1 }],
    ['note', { note: null }],
    ['recipient.email', { recipient: { name: 'Ali', phone: '0512345678', email: 'a@b.sa' } }],
    ['destination.postcode', { destination: { ...DESTINATION, postcode: 1 } }],
    ['items[1].sku', { items: [ITEM, { ...ITEM, sku: 'x' }] }],
  ])('is refused by name: %s', async (field, changes) => {
    await expectViolations(shipmentBody(company, changes), [`${field} UNKNOWN_PROPERTY`]);
  });

  it('is refused even if it is __proto__', async () => {
    const text = JSON.stringify(shipmentBody(company)).replace(/^\{/, '{"__proto__":{"admin":true},');
    await expectViolations(text, ['__proto__ UNKNOWN_PROPERTY']);
  });

  it('is refused with its name cut to 32 characters, and the path before it whole', async () => {
    const [name, kept] = ['x'.repeat(500), 'y'.repeat(32)];
    const destination = { ...DESTINATION, [name]: 1, [kept]: 1 };
    const response = await merchant.postShipment(shipmentBody(company, { destination, [name]: 1 }));
    const problem = await expectProblem(response, {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [
        `destination.${'x'.repeat(32)} UNKNOWN_PROPERTY`,
        `destination.${kept} UNKNOWN_PROPERTY`,
        `${'x'.repeat(32)} UNKNOWN_PROPERTY`,
      ],
    });
    expect(problem.violations?.[0]?.message).toBe('is not a known property');
    await expectProblem(await merchant.get(`${SHIPMENTS}?${name}=1`), {
      status: 400,
      code: 'UNKNOWN_QUERY_PARAMETER',
      violations: [`${'x'.repeat(32)} UNKNOWN_PROPERTY`],
    });
  });
});

describe('violations', () => {
  it('are all answered at once', async () => {
    await expectViolations(
      {},
      MEMBERS.map((name) => `${name} REQUIRED`),
    );
    const body = shipmentBody(company, {
      currency: 'x',
      note: 1,
      items: [
        { ...ITEM, quantity: 0 },
        { ...ITEM, sku: 1 },
      ],
    });
    await expectViolations(body, [
      'currency PATTERN_MISMATCH',
      'items[0].quantity OUT_OF_RANGE',
      'items[1].sku UNKNOWN_PROPERTY',
      'note UNKNOWN_PROPERTY',
    ]);
  });

  it('are at most 20', async () => {
    const items = Array.from({ length: 30 }, () => ({ ...ITEM, quantity: 0 }));
    const response = await merchant.postShipment(shipmentBody(company, { items }));
    const expected = Array.from({ length: 20 }, (_, index) => `items[${index}].quantity OUT_OF_RANGE`);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: expected });
  });

  it('of the schema are answered before those of business rules', async () => {
    const body = shipmentBody(company, { currency: 'ZZZ', codAmount: 5, branchCode: 'NOWHERE', requirements: ['a'] });
    await expectViolations(body, ['requirements[0] PATTERN_MISMATCH']);
  });

  it.each(['[]', '"text"', '5', '1e5', 'null', 'true'])('include a body that is not an object: %s', async (text) => {
    await expectViolations(text, ['body TYPE_MISMATCH']);
  });

  it.each([
    ['NUL', 'a\0b'],
    ['half a surrogate pair', '\ud83d'],
  ])('include text that a database cannot store: %s', async (_case, text) => {
    await expectViolations(shipmentBody(company, { externalReference: text }), ['externalReference PATTERN_MISMATCH']);
  });
});
