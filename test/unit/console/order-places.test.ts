import { describe, expect, test } from 'vitest';
import {
  findInTurn,
  isAt,
  mapAddressOf,
  placeAmong,
  placed,
  placeInAddress,
  searchProgressOf,
  searchTextOf,
  unplacedRows,
  withoutPlace,
} from '../../../src/console/shipments/upload-places.ts';
import { correctCell, type UploadRow } from '../../../src/console/shipments/upload-rows.ts';

const cities = [
  { cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض' },
  { cityCode: 'JED', name: 'Jeddah', nameAr: 'جدة' },
];

describe('the place of an order', () => {
  const row = (addressLine: string, city = 'Riyadh') => ({
    number: 2,
    values: { 'destination.addressLine': addressLine, 'destination.cityCode': city },
    corrected: {},
  });
  const suggestion = (cityCode: string | null, confidence: 'EXACT' | 'STREET' | 'DISTRICT' | 'CITY') => ({
    title: `${cityCode} ${confidence}`,
    addressLine: '',
    district: null,
    cityCode,
    location: { latitude: '24.7', longitude: '46.6' },
    shortAddress: null,
    confidence,
  });

  test('is the first street of its own city', () => {
    const all = [
      suggestion('DMM', 'EXACT'),
      suggestion('RUH', 'CITY'),
      suggestion('RUH', 'STREET'),
      suggestion('RUH', 'EXACT'),
    ];
    expect(placeAmong(row('طريق الملك فهد', 'الرياض'), all, cities)).toEqual({
      number: 2,
      address: 'طريق الملك فهد',
      city: 'الرياض',
      title: 'RUH STREET',
      confidence: 'STREET',
      latitude: '24.7',
      longitude: '46.6',
    });
    expect(placeAmong(row('طريق الملك فهد', 'جدة'), all, cities)).toBeUndefined();
    expect(placeAmong(row('x', 'Nowhere'), [suggestion(null, 'EXACT')], cities)).toBeUndefined();
  });

  test('may stand in the address, and does not replace what a person typed', () => {
    const link = row('حي الملقا https://maps.google.com/?q=24.79,46.62');
    const place = placeInAddress(link);
    expect(place).toMatchObject({ latitude: '24.79', longitude: '46.62' });
    const places = place === undefined ? [] : [place];
    expect(placed(link, places).values).toMatchObject({ 'destination.latitude': '24.79' });
    const typed = correctCell(link, 'destination.latitude', '21.5');
    expect(placed(typed, places)).toBe(typed);
    expect(placeInAddress(row('شارع 24، بيت 46'))).toBeUndefined();
  });

  test('belongs to the address that was searched for, not to the number of the row', () => {
    const found = {
      number: 2,
      address: 'طريق الملك فهد',
      city: 'Riyadh',
      title: '',
      confidence: 'EXACT' as const,
      latitude: '24.7',
      longitude: '46.6',
    };
    expect(placed(row('طريق الملك فهد'), [found]).values).toMatchObject({ 'destination.longitude': '46.6' });
    for (const other of [row('شارع التحلية'), row('طريق الملك فهد', 'Jeddah'), { ...row('طريق الملك فهد'), number: 3 }])
      expect(placed(other, [found])).toBe(other);
  });

  test('is empty again after the person has refused it, until the address is another', () => {
    const order = row('طريق الملك فهد');
    const place = placeAmong(order, [suggestion('RUH', 'STREET')], cities);
    if (place === undefined) throw new Error('no place');
    const there = placed(order, [place]);
    expect(isAt(there, place)).toBe(true);
    const empty = withoutPlace(there, place);
    expect(empty.values).toMatchObject({ 'destination.latitude': '', 'destination.longitude': '' });
    const soughtOf = (row: UploadRow) => searchProgressOf([row], { found: [], wrong: [place] }).sought;
    expect([unplacedRows([empty]), soughtOf(empty)]).toEqual([[empty], []]);
    expect(soughtOf(correctCell(empty, 'destination.addressLine', 'شارع التحلية'))).toHaveLength(1);
    // The person has typed another place meanwhile.
    const typed = correctCell(there, 'destination.latitude', '21.5');
    expect(withoutPlace(typed, place)).toBe(typed);
    expect(mapAddressOf(place)).toBe('https://www.openstreetmap.org/?mlat=24.7&mlon=46.6#map=18/24.7/46.6');
  });

  test('is not searched for after another file was chosen', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ ...row('طريق الملك فهد'), number: index + 2 }));
    const stop = new AbortController();
    const sizes: number[] = [];
    let answers = 0;
    await findInTurn(rows, {
      find: (some) => {
        sizes.push(some.length);
        if (sizes.length === 2) stop.abort();
        return Promise.resolve([]);
      },
      onFound: () => {
        answers += 1;
      },
      signal: stop.signal,
    });
    expect([sizes, answers]).toEqual([[10, 10], 1]);
  });

  test('is searched for by the address and the city', () => {
    expect(searchTextOf(row('طريق الملك فهد', 'الرياض'))).toBe('طريق الملك فهد, الرياض');
    expect(searchTextOf(row('طريق الملك فهد، الرياض', 'الرياض'))).toBe('طريق الملك فهد، الرياض');
    expect(searchTextOf(row(' \u200F'))).toBeUndefined();
    expect(searchTextOf(row('x'.repeat(200)))).toHaveLength(120);
  });
});
