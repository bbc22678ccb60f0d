import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addBranch, addCompany, addPickupLocation } from '../../scripts/shared/companies.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox, RIYADH, SANDBOX } from '../../scripts/shared/sandbox.ts';
import {
  shipmentBody as bodyOf,
  DESTINATION,
  ITEM,
  type JsonObject,
  RECIPIENT,
} from '../../scripts/shared/shipments.ts';
import { ADDRESSES, EMPTY_TEXTS, NAMES, UNPRINTABLE_TEXTS } from '../support/cast.ts';
import { addCompanyIn, addDriver, newCity } from '../support/fleet.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const PATH = '/v2/external/shipment-validations';

/** Nothing is warned of then. */
const WITH_ADDRESS = { 'national-address': 'JEDA1234' };

interface Validation extends JsonObject {
  readonly valid: boolean;
  readonly violations: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}
async function validate(merchant: Merchant, body: unknown, headers = {}): Promise<Validation> {
  const response = await merchant.post(PATH, body, { ...WITH_ADDRESS, ...headers });
  expect(response.status).toBe(200);
  return (await response.json()) as Validation;
}
const rulesOf = ({ violations }: Validation) => violations.map(({ field, code }) => `${field} ${code}`).toSorted();
const newMerchant = async () => merchantOf(environment, await addCompany(environment));
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const windowOf = (from: number, to = from + 0.1) => ({ pickupWindowStart: inDays(from), pickupWindowEnd: inDays(to) });
/** With a pickup window of tomorrow, of which there is nothing to say. */
const shipmentBody: typeof bodyOf = (company, changes) => bodyOf(company, { ...windowOf(1), ...changes });

describe('POST /v2/external/shipment-validations', () => {
  it('says that a body is valid, with the price and why no driver would come, and stores nothing', async () => {
    const city = newCity();
    const company = await addCompanyIn(environment, city);
    const merchant = await merchantOf(environment, company);
    const body = shipmentBody(company);
    const validation = {
      valid: true,
      violations: [],
      problems: [],
      warnings: [],
      conflicts: { externalReference: null },
      price: expect.objectContaining({ currency: 'SAR', tariffVersion: 1, totalAmount: expect.any(Number) }),
      dispatch: {
        eligible: false,
        serviceLevel: true,
        reasons: [{ code: 'NO_DRIVER_ON_DUTY', detail: `No driver on duty in ${city} can carry the shipment.` }],
      },
    };
    const first = await validate(merchant, body);
    expect(first).toEqual(validation);
    expect(await storedOf(environment, company)).toEqual(NOTHING);
    await addDriver(environment, city);
    const dispatch = { eligible: true, serviceLevel: true, reasons: [] };
    expect(await validate(merchant, body)).toEqual({ ...validation, dispatch });
    // The price is that of the creation.
    const { shipmentId } = await merchant.create(body);
    const charges = (await (await merchant.get(`${SHIPMENTS}/${shipmentId}/charges`)).json()) as JsonObject;
    expect(charges['totalAmount']).toBe((first['price'] as JsonObject)['totalAmount']);
  });

  it('reports the rules of the schema and all other rules at once', async () => {
    const merchant = await newMerchant();
    const body = shipmentBody(merchant.company, {
      branchCode: 'NOWHERE',
      recipient: { ...RECIPIENT, phone: '12' },
      destination: { ...DESTINATION, latitude: 91, cityCode: 'ABT' },
      declaredValue: 0.001,
      codAmount: 1,
      pickupWindowStart: '2020-01-01T02:00:00Z',
      pickupWindowEnd: '2020-01-01T01:00:00Z',
      items: [],
      nonsense: 1,
      // The name of a header that a creation has.
      idempotencyKey: 1,
    });
    const validation = await validate(merchant, body);
    expect(rulesOf(validation)).toEqual([
      'branchCode BRANCH_UNKNOWN',
      'declaredValue SCALE_EXCEEDED',
      'destination.cityCode DESTINATION_NOT_SERVICEABLE',
      'destination.latitude OUT_OF_RANGE',
      'idempotencyKey UNKNOWN_PROPERTY',
      'items TOO_FEW_ITEMS',
      'nonsense UNKNOWN_PROPERTY',
      'paymentMethod COD_METHOD_REQUIRED',
      'pickupWindowEnd WINDOW_IN_PAST',
      'pickupWindowEnd WINDOW_ORDER_INVALID',
      'recipient.phone PATTERN_MISMATCH',
    ]);
    expect(validation).toMatchObject({ valid: false, price: null, dispatch: { eligible: false, reasons: [] } });
  });

  it('reports at most 100 violations, in the language of the caller', async () => {
    const merchant = await newMerchant();
    const items = Array.from({ length: 60 }, () => ({ description: '', quantity: 0 }));
    const { violations } = await validate(merchant, shipmentBody(merchant.company, { items }), {
      'accept-language': 'ar',
    });
    expect(violations).toHaveLength(100);
    const { violations: missing } = await validate(merchant, {}, { 'accept-language': 'ar' });
    expect(missing[0]).toEqual({ field: 'externalReference', code: 'REQUIRED', message: 'حقل مطلوب' });
  });

  it.each([
    ['text', '"text"', { status: 422, code: 'VALIDATION_FAILED', violations: ['body TYPE_MISMATCH'] }],
    ['a list', '[]', { status: 422, code: 'VALIDATION_FAILED', violations: ['body TYPE_MISMATCH'] }],
    ['half an object', '{', { status: 400, code: 'MALFORMED_JSON' }],
    ['a member twice', '{"items":[],"items":[]}', { status: 400, code: 'MALFORMED_JSON' }],
  ])('refuses %s', async (_case, body, problem) => {
    await expectProblem(await (await newMerchant()).post(PATH, body), problem);
  });

  it('names the shipment that has the reference', async () => {
    const merchant = await newMerchant();
    const { shipmentId, shipmentNumber, externalReference } = await merchant.create();
    const taken = shipmentBody(merchant.company, { externalReference, declaredValue: 1 });
    const existing = { shipmentId, shipmentNumber, href: `${SHIPMENTS}/${shipmentId}` };
    expect(await validate(merchant, taken)).toMatchObject({
      valid: false,
      violations: [],
      problems: [],
      conflicts: { externalReference: existing },
    });
    // Another company learns nothing of it.
    const other = await newMerchant();
    const same = shipmentBody(other.company, { externalReference });
    expect(await validate(other, same)).toMatchObject({ valid: true, conflicts: { externalReference: null } });
  });

  it('says what no change of the body would mend', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    await addBranch(environment, company, { branchCode: 'CLOSED', status: 'INACTIVE' });
    await addPickupLocation(environment, company, { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' });
    const body = shipmentBody(company, { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' });
    expect(await validate(merchant, body)).toMatchObject({
      valid: false,
      violations: [],
      problems: ['BRANCH_INACTIVE'],
    });
  });

  it.each([...EMPTY_TEXTS.filter((text) => text !== ''), ...UNPRINTABLE_TEXTS])(
    'warns of the name and address %j, which labels cannot print, as the creation does',
    async (text) => {
      const merchant = await newMerchant();
      const body = shipmentBody(merchant.company, {
        recipient: { ...RECIPIENT, name: text },
        destination: { ...DESTINATION, addressLine: text },
      });
      const fields = ['recipient.name', 'destination.addressLine'];
      const { warnings } = await validate(merchant, body);
      expect(warnings).toEqual(
        fields.map((field) => ({ field, code: 'NOT_PRINTABLE', message: expect.stringMatching(/^Labels as PDF/) })),
      );
      const key = { ...WITH_ADDRESS, 'idempotency-key': crypto.randomUUID() };
      for (const status of [201, 200]) {
        const created = await merchant.post(SHIPMENTS, body, key);
        expect(created.status).toBe(status);
        const header = fields.map((field) => `NOT_PRINTABLE;field="${field}"`).join(', ');
        expect(created.headers.get('mirsal-warnings')).toBe(header);
      }
    },
  );

  it('tells a creation of a pin far from its city, and says nothing of names that labels print', async () => {
    const merchant = await newMerchant();
    const create = async (changes: JsonObject) =>
      merchant.postShipment(shipmentBody(merchant.company, changes), WITH_ADDRESS);
    const far = await create({ destination: { ...DESTINATION, latitude: 24.47, longitude: 39.61 } });
    expect(far.headers.get('mirsal-warnings')).toBe('PIN_FAR_FROM_CITY;field="destination"');
    const [{ name }, { line }] = [NAMES.at(-1) ?? { name: '' }, ADDRESSES[0] ?? { line: '' }];
    const usual = await create({
      recipient: { ...RECIPIENT, name },
      destination: { ...DESTINATION, addressLine: line },
    });
    expect([usual.status, usual.headers.get('mirsal-warnings')]).toEqual([201, null]);
  });

  it('warns of a pin far from its city, a load that nobody carries and a likely duplicate', async () => {
    const merchant = await newMerchant();
    const { company } = merchant;
    const far = { ...DESTINATION, latitude: 24.47, longitude: 39.61 };
    expect(await validate(merchant, shipmentBody(company, { destination: far }))).toMatchObject({
      valid: true,
      warnings: [
        {
          field: 'destination',
          code: 'PIN_FAR_FROM_CITY',
          message: 'The coordinates are 329 km from the centre of Jeddah.',
        },
      ],
    });
    const swapped = { ...DESTINATION, latitude: DESTINATION.longitude, longitude: DESTINATION.latitude };
    expect(await validate(merchant, shipmentBody(company, { destination: swapped }))).toMatchObject({
      valid: false,
      violations: [
        { field: 'destination', code: 'DESTINATION_NOT_SERVICEABLE', message: expect.stringContaining('swap') },
      ],
    });
    expect(await validate(merchant, shipmentBody(company, { requirements: ['GOLD_LEAF'] }))).toMatchObject({
      valid: true,
      warnings: [{ field: 'requirements', code: 'NO_SERVICE_LEVEL' }],
      dispatch: { eligible: false, serviceLevel: false, reasons: [{ code: 'CAPABILITY_NOT_OFFERED' }] },
    });
    await merchant.create();
    const duplicate = { warnings: [{ field: 'recipient', code: 'DUPLICATE_LIKELY' }] };
    const inOtherSpelling = { recipient: { ...RECIPIENT, phone: '+966512345678' } };
    expect(await validate(merchant, shipmentBody(company, inOtherSpelling))).toMatchObject(duplicate);
    for (const other of [{ declaredValue: 249 }, { recipient: { ...RECIPIENT, phone: '0512345679' } }]) {
      expect(await validate(merchant, shipmentBody(company, other))).toMatchObject({ warnings: [] });
    }
    expect(await validate(await newMerchant(), shipmentBody(company))).toMatchObject({ warnings: [] });
  });

  it.each([
    ['begins in 60 days', windowOf(60.1), ['WINDOW_FAR_AHEAD']],
    ['begins in 59 days', windowOf(59.9), []],
    ['began eight days ago', windowOf(-8, 1), ['WINDOW_BEGAN_LONG_AGO']],
    ['began six days ago', windowOf(-6, 1), []],
    [
      'is in the year 9999',
      { pickupWindowStart: '9999-01-01T00:00:00Z', pickupWindowEnd: '9999-01-02T00:00:00Z' },
      ['WINDOW_FAR_AHEAD'],
    ],
  ])('warns of a pickup window that %s', async (_when, window, codes) => {
    const merchant = await newMerchant();
    const found = (await validate(merchant, shipmentBody(merchant.company, window)))['warnings'] as { code: string }[];
    expect(found.map(({ code }) => code)).toEqual(codes);
  });

  it('has no price while the routing provider is away', async () => {
    const { merchant, company } = await newSandbox(environment);
    const body = shipmentBody(company, {
      branchCode: 'SANDBOX_BRANCH',
      pickupLocationCode: 'SANDBOX_PICKUP',
      destination: RIYADH,
    });
    await merchant.post(`${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
    expect(await validate(merchant, body)).toMatchObject({
      valid: true,
      price: null,
      warnings: [{ field: 'destination', code: 'PRICE_UNAVAILABLE' }],
    });
    expect(await validate(merchant, body)).toMatchObject({ valid: true, warnings: [], price: { currency: 'SAR' } });
  });

  it('answers the same over tRPC, where decimals are text', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    const client = trpcClient(environment, await environment.token(company));
    const validation = await client.shipmentValidations.create.mutate({
      externalReference: 'ORDER-1',
      branchCode: company.branchCode,
      pickupLocationCode: company.pickupLocationCode,
      recipient: RECIPIENT,
      destination: { ...DESTINATION, latitude: '21.5', longitude: '39.25' },
      declaredValue: '250',
      codAmount: '0',
      currency: 'SAR',
      paymentMethod: 'PREPAID',
      pickupWindowStart: '2030-01-31T09:00:00Z',
      pickupWindowEnd: '2030-01-31T12:00:00Z',
      items: [{ ...ITEM, weightKilograms: '1.25' }],
      requirements: [],
    });
    const overRest = await validate(merchant, shipmentBody(company));
    expect(validation).toMatchObject({ valid: true, violations: [], dispatch: overRest['dispatch'] });
    expect(Number(validation.price?.totalAmount)).toBe((overRest['price'] as JsonObject)['totalAmount']);
  });

  it('is valid exactly if a creation with the same body is accepted', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    await addBranch(environment, company, { branchCode: 'CLOSED', status: 'INACTIVE' });
    await addPickupLocation(environment, company, { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' });
    const { externalReference } = await merchant.create();
    const mostly = <Value>(good: Value, ...others: readonly unknown[]) =>
      fc.oneof({ weight: 12, arbitrary: fc.constant<unknown>(good) }, fc.constantFrom<unknown>(...others));
    const changes = fc.record({
      place: mostly(
        { branchCode: company.branchCode, pickupLocationCode: company.pickupLocationCode },
        { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' },
        { branchCode: 'NOWHERE' },
        { pickupLocationCode: 'CLOSED-DOOR' },
        { branchCode: undefined },
      ),
      more: mostly({}, { externalReference }, { externalReference: '' }, { nonsense: null }, { recipient: null }),
      destination: mostly(
        DESTINATION,
        RIYADH,
        { ...DESTINATION, cityCode: 'ABT' },
        { ...DESTINATION, latitude: '21.5' },
        // The pickup location itself: there is no route of length zero.
        { ...DESTINATION, latitude: 18.216389, longitude: 42.505 },
      ),
      money: mostly(
        {},
        { codAmount: 20, paymentMethod: 'COD' },
        { codAmount: 20 },
        { declaredValue: 0.125 },
        { declaredValue: 1.125, currency: 'KWD' },
        { codAmount: 1.125, currency: 'KWD', paymentMethod: 'COD' },
        { currency: 'ZZZ' },
      ),
      window: mostly(
        {},
        { pickupWindowStart: '2020-01-01T00:00:00Z' },
        { pickupWindowEnd: '2020-01-01T00:00:00Z' },
        { pickupWindowEnd: '2030-01-31' },
      ),
      goods: mostly(
        {},
        { requirements: ['COD', 'COD'] },
        { requirements: ['UNHEARD_OF'] },
        { items: [{ ...ITEM, quantity: 0 }] },
      ),
    });
    const property = fc.asyncProperty(changes, async ({ place, more, destination, money, window, goods }) => {
      const parts = Object.assign({}, place, money, window, goods, more);
      const body = shipmentBody(company, { destination, ...parts });
      const { valid, violations } = await validate(merchant, body);
      const created = await merchant.postShipment(body);
      expect({ valid, body, violations }).toEqual({ valid: created.status === 201, body, violations });
      if (created.status === 422) {
        const refused = (await created.json()) as Validation;
        expect(violations).toEqual(expect.arrayContaining([...refused.violations]));
      }
    });
    await fc.assert(property, { numRuns: 120 });
  });
});
