import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { INSTANTS, TOO_FINE_INSTANTS } from '../support/cast.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');
const merchant = await merchantOf(environment, company);

const FAR = '2999-12-31T23:59:59.999999Z';

describe('an instant', () => {
  it.each([
    ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000000Z', 1_896_080_400_000_000],
    ['2030-01-31T09:00:00+00:00', '2030-01-31T09:00:00.000000Z', 1_896_080_400_000_000],
    ['2030-01-31T09:00:00.1Z', '2030-01-31T09:00:00.100000Z', 1_896_080_400_100_000],
    ['2030-01-31T09:00:00.123456Z', '2030-01-31T09:00:00.123456Z', 1_896_080_400_123_456],
    ['2030-01-31T09:00:00.000001+00:00', '2030-01-31T09:00:00.000001Z', 1_896_080_400_000_001],
    ['2028-02-29T23:59:59.999999Z', '2028-02-29T23:59:59.999999Z', 1_835_481_599_999_999],
    ['1999-12-31T23:59:59Z', '1999-12-31T23:59:59.000000Z', 946_684_799_000_000],
  ])('%s is stored and printed to the microsecond', async (sent, printed, micros) => {
    const response = await merchant.postShipment(
      shipmentBody(company, { pickupWindowStart: sent, pickupWindowEnd: FAR }),
    );
    const shipment = await readShipment(response);
    expect(shipment).toMatchObject({ pickupWindowStart: printed, pickupWindowEnd: FAR });
    expect(await readShipment(await merchant.get(`${SHIPMENTS}/${shipment.shipmentId}`))).toMatchObject({
      pickupWindowStart: printed,
    });
    const select = 'select pickup_window_start as start from shipments where id = ?';
    expect(await environment.sql('shard-2', select, [shipment.shipmentId])).toEqual([{ start: micros }]);
  });

  it.each(INSTANTS)('$sent is stored and printed as $stored', async ({ sent, stored }) => {
    expect(await merchant.create({ pickupWindowStart: sent, pickupWindowEnd: FAR })).toMatchObject({
      pickupWindowStart: stored,
    });
  });

  it.each([
    ['en', 'must be a UTC date-time with seconds and at most six fraction digits, such as 2030-01-31T09:00:00.123456Z'],
    [
      'ar',
      'يجب أن تكون القيمة تاريخًا ووقتًا بالتوقيت العالمي مع الثواني وستة أرقام عشرية على الأكثر، مثل \u20682030-01-31T09:00:00.123456Z\u2069',
    ],
  ])('that is finer than a microsecond is refused with a message that says six: %s', async (language, message) => {
    for (const pickupWindowStart of TOO_FINE_INSTANTS) {
      const body = shipmentBody(company, { pickupWindowStart, pickupWindowEnd: FAR });
      const response = await merchant.postShipment(body, { 'accept-language': language });
      expect(await response.json()).toMatchObject({ violations: [{ field: 'pickupWindowStart', message }] });
    }
  });

  it('may be as early and as late as four digits of year allow', async () => {
    const window = { pickupWindowStart: '0001-01-01T00:00:00.000000Z', pickupWindowEnd: '9999-12-31T23:59:59.999999Z' };
    expect(await merchant.create(window)).toMatchObject(window);
  });

  it.each([
    ['no seconds', '2030-01-31T09:00Z'],
    ['no offset', '2030-01-31T09:00:00'],
    ['another offset', '2030-01-31T12:00:00+03:00'],
    ['the unknown offset', '2030-01-31T09:00:00-00:00'],
    ['an offset without colon', '2030-01-31T09:00:00+0000'],
    ['seven fraction digits', '2030-01-31T09:00:00.1234567Z'],
    ['a point without digits', '2030-01-31T09:00:00.Z'],
    ['a comma', '2030-01-31T09:00:00,5Z'],
    ['small letters', '2030-01-31t09:00:00z'],
    ['a space', '2030-01-31 09:00:00Z'],
    ['a date alone', '2030-01-31'],
    ['a day that is not', '2030-02-29T09:00:00Z'],
    ['a month that is not', '2030-13-01T09:00:00Z'],
    ['hour 24', '2030-01-31T24:00:00Z'],
    ['second 60', '2030-01-31T09:00:60Z'],
    ['white space around', ' 2030-01-31T09:00:00Z'],
    ['a line end', '2030-01-31T09:00:00Z\n'],
    ['five digits of year', '12030-01-31T09:00:00Z'],
    ['Arabic digits', '٢٠٣٠-٠١-٣١T٠٩:٠٠:٠٠Z'],
    ['nothing', ''],
  ])('is refused with %s', async (_case, sent) => {
    const response = await merchant.postShipment(
      shipmentBody(company, { pickupWindowStart: sent, pickupWindowEnd: sent }),
    );
    const violations = ['pickupWindowEnd INVALID_INSTANT', 'pickupWindowStart INVALID_INSTANT'];
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });
});

describe('the end of the window', () => {
  it('may be a microsecond after its start', async () => {
    const window = { pickupWindowStart: '2030-01-31T09:00:00.000001Z', pickupWindowEnd: '2030-01-31T09:00:00.000002Z' };
    expect(await merchant.create(window)).toMatchObject(window);
  });

  it.each([
    ['is its start', '2030-01-31T09:00:00.000001Z', '2030-01-31T09:00:00.000001+00:00'],
    ['is a microsecond before it', '2030-01-31T09:00:00.000002Z', '2030-01-31T09:00:00.000001Z'],
  ])('is refused when it %s', async (_case, pickupWindowStart, pickupWindowEnd) => {
    const response = await merchant.postShipment(shipmentBody(company, { pickupWindowStart, pickupWindowEnd }));
    const violations = ['pickupWindowEnd WINDOW_ORDER_INVALID'];
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });
});
