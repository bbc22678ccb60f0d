import { describe, expect, it } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { findAddress, suggestAddresses } from '../../../../src/domain/addresses/look-up.ts';

/* What an answer of a source becomes for a merchant. */

const location = { latitude: literalDecimal('24.7743'), longitude: literalDecimal('46.6572') };
const ADDRESS = {
  shortAddress: 'ABCD1234',
  buildingNumber: '1234',
  street: null,
  district: null,
  postalCode: null,
  additionalNumber: null,
  location,
};

describe('the code of a city', () => {
  it.each([
    ['الرياض', 'RUH'],
    ['RIYADH', 'RUH'],
    ['جده', 'JED'],
    ['Jiddah', 'JED'],
    ['مكة المكرمة', 'MKK'],
    ['Makkah Al Mukarramah', null],
    ['المدينة المنورة', 'MED'],
    ['Al Khobar', null],
    ['الخبر', null],
    ['', null],
    [null, null],
  ])('of %s is %s', async (city, cityCode) => {
    const find = () => Promise.resolve({ kind: 'found' as const, address: { ...ADDRESS, city } });
    expect(await findAddress({ find }, 'ABCD1234')).toEqual({ ok: true, value: { ...ADDRESS, city, cityCode } });
  });
});

it('refuses with the seconds that the registry needs', async () => {
  const find = () => Promise.resolve({ kind: 'unavailable' as const, retryAfterSeconds: 4711 });
  const refusal = { ok: false, code: 'ADDRESS_PROVIDER_UNAVAILABLE', retryAfterSeconds: 4711 };
  expect(await findAddress({ find }, 'ABCD1234')).toEqual(refusal);
  const none = await suggestAddresses(
    { suggest: () => Promise.resolve(undefined) },
    { text: 'Olaya', near: undefined, locale: 'en' },
  );
  expect(none).toEqual({ ...refusal, retryAfterSeconds: 5 });
});
