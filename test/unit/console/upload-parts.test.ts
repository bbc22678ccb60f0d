import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/console/shipments/csv-file.ts';
import { matchColumns } from '../../../src/console/shipments/export-headers.ts';
import { type FoundPlace, placedAll, proposedPlaces } from '../../../src/console/shipments/upload-places.ts';
import { priceInTurn, type RoutePrice, routeKeyOf, sumOfPrices } from '../../../src/console/shipments/upload-prices.ts';
import { partsOf, rowsInSlices, type UploadRow, waitingRows } from '../../../src/console/shipments/upload-rows.ts';
import { readMobile } from '../../../src/core/typed/phone.ts';

const rowAt = (number: number, values: UploadRow['values'] = {}): UploadRow => ({ number, values, corrected: {} });
const rows = (count: number) => Array.from({ length: count }, (_, index) => rowAt(index + 2));

/** A file as a shop of thousands of orders exports it. */
function largeFile(orders: number): ArrayBuffer {
  const lines = Array.from(
    { length: orders },
    (_, index) => `SO-${index},نورة ${index},05${String(index).padStart(8, '0')},الرياض,طريق الملك فهد ${index},185`,
  );
  return new TextEncoder().encode(['Order ID,Customer Name,Mobile,City,Address,Total', ...lines].join('\n')).buffer;
}

describe('a file of 10,000 orders', () => {
  test('is read whole while other work of the page gets its turn', async () => {
    const file = readCsv(largeFile(10_000));
    if (typeof file === 'string') throw new Error(file);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const read = await rowsInSlices(file, matchColumns(file));
    clearInterval(timer);
    expect(read).toHaveLength(10_000);
    expect(read.at(-1)).toMatchObject({
      number: 10_001,
      values: { externalReference: 'SO-9999', 'recipient.name': 'نورة 9999' },
    });
    // PapaParse issue 1132: letters at the edge of a chunk were lost.
    expect(JSON.stringify(read)).not.toContain('\ufffd');
    expect(turns).toBeGreaterThan(3);
  });

  test('is sent in 20 parts, and those that wait are known after every one', () => {
    const all = rows(10_000);
    expect(partsOf(all).map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 500));
    expect(partsOf(rows(501)).map(({ length }) => length)).toEqual([500, 1]);
    const sent = { sheet: 1, basis: { defaults: undefined as never, priceLimit: '' }, rows: all, leftOut: [] };
    expect(waitingRows({ ...sent, batchIds: [] })).toHaveLength(10_000);
    expect(waitingRows({ ...sent, batchIds: ['a', 'b', 'c'] }).at(0)?.number).toBe(1_502);
    expect(waitingRows({ ...sent, batchIds: Array.from({ length: 20 }, String) })).toEqual([]);
    // The last part may be short.
    expect(waitingRows({ ...sent, rows: rows(501), batchIds: ['a', 'b'] })).toEqual([]);
  });
});

describe('what other importers got wrong', () => {
  const cellsOf = (text: string) => {
    const file = readCsv(new TextEncoder().encode(text).buffer);
    if (typeof file === 'string') throw new Error(file);
    return file;
  };

  // PapaParse issue 980: the second of two equal names, and then of two equal values, got a suffix.
  test('leaves equal headers and equal values as they are', () => {
    const { header, rows: lines } = cellsOf('Order ID,Mobile,Mobile\nA-1,0501234567,0501234567\nA-1,A-1,A-1');
    expect(header).toEqual(['Order ID', 'Mobile', 'Mobile']);
    expect(lines.map(({ cells }) => cells)).toEqual([
      ['A-1', '0501234567', '0501234567'],
      ['A-1', 'A-1', 'A-1'],
    ]);
  });

  // OpenCart Excel export issue 4: a phone that was stored as a number has lost its zeros.
  test('reads a mobile that lost its leading zeros', async () => {
    const file = cellsOf(
      'Order ID,Customer Name,Mobile\nA-1,Reem,501234567\nA-2,Reem,966501234567\nA-3,Reem,٠٠٩٦٦٥٠١٢٣٤٥٦٧',
    );
    const read = await rowsInSlices(file, matchColumns(file));
    expect(read.map(({ values }) => readMobile(values['recipient.phone'] ?? ''))).toEqual(Array(3).fill('0501234567'));
  });
});

describe('the prices of rows', () => {
  const estimate = (totalAmount: string): RoutePrice => ({
    estimate: {
      currency: 'SAR',
      netAmount: '20.00',
      vatRate: '0.15',
      vatAmount: '3.00',
      totalAmount,
      breakdown: [],
      distanceMeters: 1,
      durationSeconds: 1,
      tariffVersion: 1,
      estimatedAt: '2026-11-29T08:00:00Z',
    },
  });

  test('are asked for once for each route, and added exactly', async () => {
    const routed = [
      { row: rowAt(2), routeKey: '{"delivery":1}' },
      { row: rowAt(3), routeKey: '{"delivery":2}' },
      { row: rowAt(4), routeKey: '{"delivery":1}' },
      { row: rowAt(5), routeKey: '{"delivery":3}' },
      { row: rowAt(6), routeKey: undefined },
    ];
    const asked: unknown[] = [];
    const prices = new Map<string, RoutePrice>();
    await priceInTurn(routed, prices, {
      find: async (request) => {
        asked.push(request);
        return asked.length === 3 ? { reason: 'No route.' } : estimate('23.10');
      },
      onPriced: (priced) => priced.forEach(([key, price]) => prices.set(key, price)),
      signal: new AbortController().signal,
    });
    expect(asked).toEqual([{ delivery: 1 }, { delivery: 2 }, { delivery: 3 }]);
    expect(sumOfPrices(routed, prices)).toEqual({
      count: 3,
      currency: 'SAR',
      netAmount: '60',
      vatAmount: '9',
      totalAmount: '69.3',
    });
    expect(sumOfPrices(routed, new Map())).toBeUndefined();
  });

  test('need a pickup location that the company has', () => {
    const shipment = {
      pickupLocationCode: 'GONE',
      destination: { addressLine: '', cityCode: 'RUH', latitude: '24.7', longitude: '46.6' },
    };
    expect(routeKeyOf(shipment as never, { pickupLocations: [] })).toBeUndefined();
  });
});

describe('found places', () => {
  const values = { 'destination.addressLine': 'King Fahd Road', 'destination.cityCode': 'Riyadh' };
  const place = (number: number): FoundPlace => ({
    number,
    address: 'King Fahd Road',
    city: 'Riyadh',
    latitude: '24.7',
    longitude: '46.6',
    title: '',
    confidence: 'EXACT',
  });

  test('are only proposed until they are confirmed, and no longer once the address is another', () => {
    const [first, second] = [rowAt(2, values), rowAt(3, { ...values, 'destination.addressLine': 'Olaya Street' })];
    const found = [place(2), place(3)];
    expect(proposedPlaces([first, second], found)).toEqual([place(2)]);
    expect(first.values['destination.latitude']).toBeUndefined();
    const [there, other] = placedAll([first, second], found);
    expect(there?.values).toMatchObject({ 'destination.latitude': '24.7', 'destination.longitude': '46.6' });
    expect(other).toEqual(second);
    expect(proposedPlaces([there ?? first, second], found)).toEqual([]);
  });
});
