import { describe, expect, it } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { chooseAddresses } from '../../../../src/providers/addresses/choose-addresses.ts';
import { platform } from '../../../support/provider-server.ts';

/* What answers where no source is configured. */

const at = (latitude: string, longitude: string) => ({
  latitude: literalDecimal(latitude),
  longitude: literalDecimal(longitude),
});
const addresses = chooseAddresses({ addresses: {}, deployment: 'sandbox' }, platform);
const titlesOf = async (text: string, locale: 'en' | 'ar' = 'en', near = at('24.71', '46.67')) =>
  (await addresses.suggest({ text, near, locale }))?.map(({ title }) => title);

describe('the fixture', () => {
  it('knows two codes, and no other', async () => {
    expect(await addresses.find('RRRD2929')).toMatchObject({
      kind: 'found',
      address: { buildingNumber: '2929', city: 'الرياض', location: at('24.7743', '46.6572') },
    });
    expect(await addresses.find('JEDA1234')).toMatchObject({
      kind: 'found',
      address: { city: 'جدة', location: at('21.5433', '39.1728') },
    });
    expect(await addresses.find('RRRD2930')).toEqual({ kind: 'unknown' });
  });

  it('answers a point with the code of a building at most 300 meters away', async () => {
    expect(await addresses.nearest(at('24.7763', '46.6572'))).toMatchObject({ address: { shortAddress: 'RRRD2929' } });
    expect(await addresses.nearest(at('24.7773', '46.6572'))).toEqual({ kind: 'unknown' });
  });

  it.each<[string, string[]]>([
    ['Olaya Street', ['2929 Olaya Street']],
    ['OLAYA   street, Riyadh', ['2929 Olaya Street']],
    ['شارع العليا', ['2929 Olaya Street']],
    ['شارع الْعُلَيّا', ['2929 Olaya Street']],
    ['٢٩٢٩', ['2929 Olaya Street']],
    ['rrrd2929', ['2929 Olaya Street']],
    ['King Fahd Road', ['King Fahd Road', 'King Fahd Road']],
    ['طريق الملك فهد الدمام', ['King Fahd Road']],
    ['الملقا', ['Al Malqa']],
    ['no such street', []],
    ['🙂🙂🙂', []],
    ['...', []],
  ])('finds %s', async (text, titles) => {
    expect(await titlesOf(text)).toEqual(titles);
  });

  it('puts what is near first, and answers in the language', async () => {
    const near = async (point: ReturnType<typeof at>) =>
      (await addresses.suggest({ text: 'طريق الملك فهد', near: point, locale: 'ar' }))?.map(
        ({ addressLine }) => addressLine,
      );
    const [riyadh, dammam] = ['طريق الملك فهد، حي العليا، الرياض', 'طريق الملك فهد، حي الفيصلية، الدمام'];
    expect(await near(at('24.7', '46.7'))).toEqual([riyadh, dammam]);
    expect(await near(at('26.4', '50.1'))).toEqual([dammam, riyadh]);
  });
});

describe('the sources of a deployment', () => {
  const SPL = { registry: { apiKey: 'key', url: 'https://spl.example', quota: [] } };
  const PHOTON = { geocoder: { url: 'https://photon.example' } };
  it.each([
    ['local', {}, 'fixture fixture'],
    ['sandbox', {}, 'fixture fixture'],
    ['production', {}, 'none none'],
    ['production', SPL, 'spl none'],
    ['sandbox', PHOTON, 'fixture photon'],
    ['local', { ...SPL, ...PHOTON }, 'spl photon'],
  ] as const)('on %s with %j are %s', (deployment, configured, expected) => {
    const { registry, geocoder } = chooseAddresses({ addresses: configured, deployment }, platform);
    expect(`${registry} ${geocoder}`).toBe(expected);
  });

  it('on production without a configuration answer nothing', async () => {
    const none = chooseAddresses({ addresses: {}, deployment: 'production' }, platform);
    expect(await none.find('RRRD2929')).toEqual({ kind: 'unavailable', retryAfterSeconds: 3600 });
    expect(await none.nearest(at('24.7743', '46.6572'))).toMatchObject({ kind: 'unavailable' });
    expect(await none.suggest({ text: 'Olaya', near: undefined, locale: 'en' })).toBeUndefined();
  });
});
