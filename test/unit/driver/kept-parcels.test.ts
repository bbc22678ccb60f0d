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
    removeItem: (key: string) => void items.delete(key),
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
  new KeptParcels(device).see('driver', [parcel('1', 'ACCEPTED')], []);
  const kept = new KeptParcels(device);
  for (let look = 1; look <= 3; look += 1) kept.see('driver', listed, []);
  expect(lostOf(new KeptParcels(device))).toEqual(expected);
  kept.understand('1');
  kept.see('driver', listed, []);
  expect(lostOf(kept)).toEqual([]);
});

it('says where not to go: to the shop before the pickup, to the recipient afterwards', () => {
  const kept = new KeptParcels(storage());
  kept.see('driver', [parcel('1', 'ACCEPTED'), parcel('2', 'PICKED_UP')], []);
  kept.see('driver', [], []);
  expect(kept.lost().map(({ addressLine }) => addressLine)).toEqual(['المتجر', 'العميل']);
});

it('what the driver has given away is not lost, and what waits to be sent is not judged', () => {
  const kept = new KeptParcels(storage());
  kept.see('driver', [parcel('1', 'OUT_FOR_DELIVERY'), parcel('2', 'ACCEPTED')], []);
  kept.see('driver', [], [queued('1'), queued('2')]);
  expect(lostOf(kept)).toEqual([]);
  kept.settle(parcel('1', 'DELIVERED'));
  kept.see('driver', [], []);
  expect(lostOf(kept)).toEqual(['2 TAKEN']);
});

it('a parcel that comes back is no longer lost, and another driver on the phone has lost nothing', () => {
  const kept = new KeptParcels(storage());
  kept.see('driver', [parcel('1', 'PICKED_UP'), parcel('2', 'PICKED_UP')], []);
  kept.see('driver', [], []);
  kept.see('driver', [parcel('1', 'PICKED_UP')], []);
  expect(lostOf(kept)).toEqual(['2 TAKEN']);
  kept.see('another', [], []);
  expect(lostOf(kept)).toEqual([]);
  kept.forget();
  expect(lostOf(kept)).toEqual([]);
});

it.each(['', '{', '[]', '{"had":1}', 'null'])('what somebody else has stored (%j) is nothing', (text) => {
  const device = storage();
  device.setItem('driver-parcels', text);
  expect(new KeptParcels(device).lost()).toEqual([]);
});
