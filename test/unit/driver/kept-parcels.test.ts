import { expect, it } from 'vitest';
import type { ShipmentState } from '../../../src/contract/shipment-state.ts';
import { KeptParcels } from '../../../src/driver/kept-parcels.ts';
import type { Parcel, QueuedAction } from '../../../src/driver/queue.ts';

/* What the page remembers of the parcels that the driver had. */

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}
const parcel = (shipmentId: string, state: ShipmentState): Parcel =>
  ({
    ...{ shipmentId, shipmentNumber: `SHP-${shipmentId}`, state },
    ...{ pickup: { addressLine: 'المتجر' }, destination: { addressLine: 'العميل' } },
  }) as unknown as Parcel;
const queued = (shipmentId: string): QueuedAction => ({ shipmentId, actionId: 'a', action: 'DELIVER' });
const lostOf = (kept: KeptParcels) => kept.lost().map(({ shipmentId, why }) => `${shipmentId} ${why}`);

it.each([
  ['cancelled by the shop', [parcel('1', 'CANCELLED')], ['1 CANCELLED']],
  ['failed by an operator', [parcel('1', 'DELIVERY_FAILED')], ['1 CLOSED']],
  ['given to another driver', [], ['1 TAKEN']],
  ['delivered on another phone', [parcel('1', 'DELIVERED')], []],
  ['still there', [parcel('1', 'OUT_FOR_DELIVERY')], []],
])('a parcel that was %s is kept until the driver understands, also by the next page', (_, listed, expected) => {
  const device = storage();
  new KeptParcels('driver', device).see([parcel('1', 'ACCEPTED')], []);
  const kept = new KeptParcels('driver', device);
  for (let look = 1; look <= 3; look += 1) kept.see(listed, []);
  expect(lostOf(new KeptParcels('driver', device))).toEqual(expected);
  kept.understand('1');
  kept.see(listed, []);
  expect(lostOf(kept)).toEqual([]);
});

it('says where not to go: to the shop before the pickup, to the recipient afterwards', () => {
  const kept = new KeptParcels('driver', storage());
  kept.see([parcel('1', 'ACCEPTED'), parcel('2', 'PICKED_UP')], []);
  kept.see([], []);
  expect(kept.lost().map(({ addressLine }) => addressLine)).toEqual(['المتجر', 'العميل']);
});

it('what the driver has given away is not lost, and what waits to be sent is not judged', () => {
  const kept = new KeptParcels('driver', storage());
  kept.see([parcel('1', 'OUT_FOR_DELIVERY'), parcel('2', 'ACCEPTED')], []);
  kept.see([], [queued('1'), queued('2')]);
  expect(lostOf(kept)).toEqual([]);
  kept.settle(parcel('1', 'DELIVERED'));
  kept.see([], []);
  expect(lostOf(kept)).toEqual(['2 TAKEN']);
});

it('a parcel that the list shows again is no longer lost', () => {
  const kept = new KeptParcels('driver', storage());
  kept.see([parcel('1', 'PICKED_UP'), parcel('2', 'PICKED_UP')], []);
  kept.see([], []);
  kept.see([parcel('1', 'PICKED_UP')], []);
  expect(lostOf(kept)).toEqual(['2 TAKEN']);
  kept.forget();
  expect(lostOf(kept)).toEqual([]);
});

it('two drivers of one phone see only their own parcels, and neither erases those of the other', () => {
  const device = storage();
  const [first, second] = ['first', 'second'].map((id) => new KeptParcels(id, device)) as [KeptParcels, KeptParcels];
  first.see([parcel('1', 'PICKED_UP'), parcel('2', 'PICKED_UP')], []);
  first.see([parcel('2', 'PICKED_UP')], []);
  second.see([parcel('3', 'PICKED_UP')], []);
  expect(lostOf(second)).toEqual([]);
  second.settle(parcel('2', 'DELIVERED'));
  second.understand('1');
  second.forget();
  first.see([], []);
  expect(lostOf(new KeptParcels('first', device))).toEqual(['1 TAKEN', '2 TAKEN']);
});

it('a phone of many drivers forgets the parcels of the earliest', () => {
  const device = storage();
  for (const id of ['1', '2', '3', '4', '5']) new KeptParcels(id, device).see([parcel(id, 'PICKED_UP')], []);
  expect(device.getItem('driver-parcels')).not.toContain('SHP-1');
  expect(device.getItem('driver-parcels')).toContain('SHP-2');
});

it.each(['', '{', '[]', '[null, 1, {}]', '{"had":1}', 'null'])(
  'what somebody else has stored (%j) is nothing',
  (text) => {
    const device = storage();
    device.setItem('driver-parcels', text);
    expect(new KeptParcels('driver', device).lost()).toEqual([]);
  },
);
