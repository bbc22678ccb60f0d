import { describe, expect, it } from 'vitest';
import { addBranch, addCompany, addPickupLocation } from '../../scripts/shared/companies.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, newReference, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
// An approval would add an event while a test compares what is stored.
await setApprovalPolicy(environment, company, 'MANUAL');
await addBranch(environment, company, { branchCode: 'SECOND' });
await addBranch(environment, company, { branchCode: 'CLOSED', status: 'INACTIVE' });
await addPickupLocation(environment, company, { branchCode: 'SECOND', pickupLocationCode: 'SECOND-DOOR' });
await addPickupLocation(environment, company, {
  branchCode: 'SECOND',
  pickupLocationCode: 'BLOCKED-DOOR',
  status: 'INACTIVE',
});
await addPickupLocation(environment, company, { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' });
const stranger = await addCompany(environment, company.shard);
await addBranch(environment, stranger, { branchCode: 'THEIRS' });
await addPickupLocation(environment, stranger, { branchCode: 'THEIRS', pickupLocationCode: 'THEIR-DOOR' });

describe('a body that breaks a business rule is 422, and nothing is stored:', () => {
  it.each([
    ['an unknown branch', { branchCode: 'NOWHERE' }, ['branchCode BRANCH_UNKNOWN']],
    ['a foreign branch', { branchCode: 'THEIRS' }, ['branchCode BRANCH_UNKNOWN']],
    ['an unknown pickup location', { pickupLocationCode: 'NOWHERE' }, ['pickupLocationCode PICKUP_LOCATION_UNKNOWN']],
    ['a foreign pickup location', { pickupLocationCode: 'THEIR-DOOR' }, ['pickupLocationCode PICKUP_LOCATION_UNKNOWN']],
    [
      'a pickup location of another branch',
      { branchCode: 'SECOND' },
      ['pickupLocationCode PICKUP_LOCATION_NOT_IN_BRANCH'],
    ],
    ['cash on delivery for a prepaid shipment', { codAmount: 0.01 }, ['paymentMethod COD_METHOD_REQUIRED']],
    ['an unknown currency', { currency: 'ZZZ' }, ['currency CURRENCY_NOT_SUPPORTED']],
    ['a withdrawn currency', { currency: 'DEM' }, ['currency CURRENCY_NOT_SUPPORTED']],
    [
      'a window that ends before it begins',
      { pickupWindowEnd: '2030-01-31T08:59:59.999999Z' },
      ['pickupWindowEnd WINDOW_ORDER_INVALID'],
    ],
    [
      'a window in the past',
      { pickupWindowStart: '2020-01-01T00:00:00Z', pickupWindowEnd: '2020-01-01T01:00:00Z' },
      ['pickupWindowEnd WINDOW_IN_PAST'],
    ],
    [
      'a city outside the tariff',
      { destination: { ...DESTINATION, cityCode: 'ABT' } },
      ['destination.cityCode DESTINATION_NOT_SERVICEABLE'],
    ],
    [
      'cash in another currency than the tariff’s',
      { paymentMethod: 'COD', codAmount: 0.001, currency: 'KWD' },
      ['currency CURRENCY_NOT_SUPPORTED'],
    ],
    ['a fraction of a halala', { declaredValue: 0.001 }, ['declaredValue SCALE_EXCEEDED']],
  ])('%s', async (_case, changes, violations) => {
    const fresh = await addCompany(environment, company.shard);
    await addBranch(environment, fresh, { branchCode: 'SECOND' });
    const sender = await merchantOf(environment, fresh);
    const response = await sender.postShipment(shipmentBody(fresh, changes));
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
    expect(await storedOf(environment, fresh)).toEqual(NOTHING);
  });

  it('all violations at once', async () => {
    const body = shipmentBody(company, {
      branchCode: 'NOWHERE',
      pickupLocationCode: 'THEIR-DOOR',
      declaredValue: 1.001,
      codAmount: 1,
      currency: 'USD',
      destination: { ...DESTINATION, cityCode: 'ABT' },
      pickupWindowEnd: '2020-01-31T09:00:00Z',
    });
    await expectProblem(await merchant.postShipment(body), {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: [
        'branchCode BRANCH_UNKNOWN',
        'pickupLocationCode PICKUP_LOCATION_UNKNOWN',
        'currency CURRENCY_NOT_SUPPORTED',
        'declaredValue SCALE_EXCEEDED',
        'destination.cityCode DESTINATION_NOT_SERVICEABLE',
        'paymentMethod COD_METHOD_REQUIRED',
        'pickupWindowEnd WINDOW_IN_PAST',
        'pickupWindowEnd WINDOW_ORDER_INVALID',
      ],
    });
  });

  it('but the declared currency may differ from the tariff’s when nothing is collected', async () => {
    expect(await merchant.create({ currency: 'KWD', declaredValue: 1.234 })).toMatchObject({ currency: 'KWD' });
  });

  it('and a foreign place is answered exactly like an unknown one', async () => {
    const answer = async (branchCode: string, pickupLocationCode: string) => {
      const response = await merchant.postShipment(shipmentBody(company, { branchCode, pickupLocationCode }));
      return timelessText(await response.text());
    };
    expect(await answer('THEIRS', 'THEIR-DOOR')).toBe(await answer('NOWHERE', 'NO-DOOR'));
  });
});

describe('a creation at an inactive place is 409 BRANCH_INACTIVE', () => {
  it.each([
    ['branch', { branchCode: 'CLOSED', pickupLocationCode: 'CLOSED-DOOR' }],
    ['pickup location', { branchCode: 'SECOND', pickupLocationCode: 'BLOCKED-DOOR' }],
  ])('%s', async (_case, codes) => {
    const before = await storedOf(environment, company);
    await expectProblem(await merchant.postShipment(shipmentBody(company, codes)), {
      status: 409,
      code: 'BRANCH_INACTIVE',
    });
    expect(await storedOf(environment, company)).toEqual(before);
  });

  it('as soon as it is deactivated and until it is activated again', async () => {
    const codes = { branchCode: 'SECOND', pickupLocationCode: 'SECOND-DOOR' };
    const setStatus = (status: string) =>
      environment.sql(company.shard, "update branches set status = ? where company_id = ? and branch_code = 'SECOND'", [
        status,
        company.companyId,
      ]);
    await merchant.create(codes);
    await setStatus('INACTIVE');
    await expectProblem(await merchant.postShipment(shipmentBody(company, codes)), {
      status: 409,
      code: 'BRANCH_INACTIVE',
    });
    await setStatus('ACTIVE');
    expect((await merchant.create(codes)).version).toBe(0);
  });
});

it('a shipment copies its pickup location at the time of creation', async () => {
  const pickupLocationCode = 'MOVING-DOOR';
  await addPickupLocation(environment, company, { branchCode: company.branchCode, pickupLocationCode });
  const before = await merchant.create({ pickupLocationCode });
  await environment.sql(
    company.shard,
    `update pickup_locations set address_line = 'Across the street', latitude = '18.3', version = version + 1
     where company_id = ? and pickup_location_code = ?`,
    [company.companyId, pickupLocationCode],
  );
  const after = await merchant.create({ pickupLocationCode });
  const rest = { cityCode: 'AHB', longitude: 42.505 };
  expect(before['pickup']).toEqual({ addressLine: '12 King Faisal Road, Abha', latitude: 18.216389, ...rest });
  expect(after['pickup']).toEqual({ addressLine: 'Across the street', latitude: 18.3, ...rest });
  const again = await merchant.get(`${SHIPMENTS}/${before.shipmentId}`);
  expect(await again.json()).toMatchObject({ pickup: { addressLine: '12 King Faisal Road, Abha' } });
});

describe('a taken external reference is 409', () => {
  it('with the shipment that holds it, even after its cancellation', async () => {
    const { shipmentId, shipmentNumber, externalReference } = await merchant.create();
    const expectConflict = async () => {
      const response = await merchant.postShipment(shipmentBody(company, { externalReference }));
      const problem = await expectProblem(response, { status: 409, code: 'EXTERNAL_REFERENCE_CONFLICT' });
      expect(problem['existing']).toEqual({ shipmentId, shipmentNumber, href: `/v2/external/shipments/${shipmentId}` });
    };
    await expectConflict();
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    await expectConflict();
  });

  it('only after all checks that answer 422', async () => {
    const { externalReference } = await merchant.create();
    const response = await merchant.postShipment(shipmentBody(company, { externalReference, branchCode: 'NOWHERE' }));
    await expectProblem(response, {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['branchCode BRANCH_UNKNOWN'],
    });
  });

  it('but not when it differs in case, spaces or Unicode form', async () => {
    const reference = newReference();
    for (const externalReference of [
      `${reference}é`,
      `${reference}e\u0301`,
      `${reference}É`,
      `${reference}é `,
      ` ${reference}é`,
    ]) {
      expect((await merchant.create({ externalReference })).externalReference).toBe(externalReference);
    }
  });
});
