import { describe, expect, test } from 'vitest';
import {
  firstReturn,
  isShownAtPlace,
  returnOrderOf,
  wrongWithPlace,
} from '../../../src/console/shipments/return-draft.ts';

type Known = Parameters<typeof firstReturn>[0];

const at = { addressLine: '1 Olaya Street', cityCode: 'RUH', latitude: '24.7', longitude: '46.6' };
const shipment = { shipmentNumber: 'SHP-1', externalReference: 'A-1', pickup: at } as Known['shipment'];
const places = [
  { pickupLocationCode: 'OTHER', location: { ...at, addressLine: '2 Olaya Street' } },
  { pickupLocationCode: 'STORE', location: at },
] as unknown as Known['places'];
const returnable = [
  { index: 0, quantity: 3 },
  { index: 2, quantity: 1 },
];
const relations = { returnable, followUps: [] };
const known = { shipment, relations, asked: undefined, places };
/** 12:20 in Riyadh. */
const NOON = Date.UTC(2026, 10, 28, 9, 20);

describe('the form of a return', () => {
  test('begins with all that can be returned, to where it came from, two hours from the second full hour', () => {
    expect(firstReturn(known, NOON)).toEqual({
      externalReference: 'A-1-R1',
      reasonCode: 'CHANGED_MIND',
      pickupWindowStart: '2026-11-28T14:00',
      pickupWindowEnd: '2026-11-28T16:00',
      pickupLocationCode: 'STORE',
      quantities: { 0: '3', 2: '1' },
    });
  });

  test('begins with what the recipient asks for, as far as it is left', () => {
    const items = [{ index: 0, quantity: 5 }];
    const begun = (partOfDay: 'MORNING' | 'AFTERNOON' | 'EVENING', nowMs: number) =>
      firstReturn({ ...known, asked: { items, reasonCode: 'DAMAGED', partOfDay } }, nowMs);
    expect(begun('EVENING', NOON)).toMatchObject({
      ...{ reasonCode: 'DAMAGED', quantities: { 0: '3', 2: '0' } },
      ...{ pickupWindowStart: '2026-11-28T17:00', pickupWindowEnd: '2026-11-28T21:00' },
    });
    // These parts of the day have begun. In Riyadh the day begins three hours earlier than in UTC.
    expect(begun('AFTERNOON', NOON)).toMatchObject({ pickupWindowStart: '2026-11-29T12:00' });
    expect(begun('MORNING', Date.UTC(2026, 10, 28, 22))).toMatchObject({ pickupWindowStart: '2026-11-29T09:00' });
  });

  test('makes a reference that is new and has room, and leaves the place open if it is not known', () => {
    const followUps = [{ shipmentId: '1', kind: 'RETURN' as const, state: 'CANCELLED' as const }];
    const draft = firstReturn(
      {
        ...known,
        shipment: { ...shipment, externalReference: 'x'.repeat(128), pickup: null },
        relations: { returnable, followUps },
      },
      NOON,
    );
    expect(draft).toMatchObject({ externalReference: `${'x'.repeat(125)}-R2`, pickupLocationCode: '' });
  });

  test('takes the number of a shipment without a reference for the reference of its return', () => {
    const draft = firstReturn({ ...known, shipment: { ...shipment, externalReference: null } }, NOON);
    expect(draft.externalReference).toBe('SHP-1-R1');
  });

  test.each([
    [[], undefined, false],
    [['delivery'], 'delivery', true],
    [['destinationCityCode'], 'destinationCityCode', true],
    [['pickup'], undefined, false],
    [['pickup', 'destinationCityCode'], 'destinationCityCode', false],
  ])('shows the violations %j of the price at the place: %j, and nowhere else: %j', (fields, field, isAll) => {
    const failure = { violations: fields.map((each) => ({ field: each, code: 'X', message: 'x' })) };
    expect([wrongWithPlace(failure), isShownAtPlace(failure)]).toEqual([field, isAll]);
  });

  test('leaves out what stays, and keeps what is no quantity for the service to refuse', () => {
    const draft = firstReturn(known, NOON);
    const itemsOf = (first: string, second: string) =>
      returnOrderOf({ ...draft, quantities: { 0: first, 2: second } }).items;
    expect(itemsOf('2', '0')).toEqual([{ index: 0, quantity: 2 }]);
    expect(itemsOf('', '1')).toEqual([{ index: 2, quantity: 1 }]);
    expect(itemsOf('two', '1.5')).toEqual([
      { index: 0, quantity: -1 },
      { index: 2, quantity: -1 },
    ]);
    expect(returnOrderOf(draft)).toMatchObject({
      pickupWindowStart: '2026-11-28T11:00:00.000Z',
      pickupWindowEnd: '2026-11-28T13:00:00.000Z',
    });
  });
});
