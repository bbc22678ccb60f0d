import { expect, test, vi } from 'vitest';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { addDriver, addShipment, valuesTo } from '../../../support/dispatch/shipments.ts';

/* Many cities on one shard: each shipment is offered in its pickup city, however many drivers other cities have. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

const { shard, process } = await ownShard();

/** A shipment with its pickup in this city and its destination in Riyadh. */
async function addShipmentOf(city: string): Promise<Uuid> {
  const shipmentId = await addShipment(shard, process);
  await shard.rows('UPDATE shipments SET pickup_city_code = ? WHERE id = ?', [city, shipmentId]);
  return shipmentId;
}

/** Copies a driver `count` times in the same city, each idle for longer than the one before. */
async function crowd(driverId: Uuid, count: number): Promise<void> {
  const columns = (await shard.rows("SELECT name FROM pragma_table_info('drivers')")).map(([name]) => String(name));
  const copied = columns.map((name) => {
    if (name === 'id' || name === 'phone') return `${name} || '-' || value`;
    return name === 'idle_since' ? 'idle_since - value' : name;
  });
  await shard.rows(`INSERT INTO drivers SELECT ${copied.join(', ')} FROM drivers, ${valuesTo(count)} WHERE id = ?`, [
    driverId,
  ]);
}

const driverOf = async (shipmentId: Uuid) =>
  (
    await shard.rows('SELECT city_code FROM drivers JOIN offers ON driver_id = drivers.id WHERE shipment_id = ?', [
      shipmentId,
    ])
  )[0]?.[0];

test('many drivers in one city do not hide a driver in another', async () => {
  await crowd(await addDriver(shard, process, { cityCode: 'RUH' }), 700);
  // The only driver in this city.
  const alone = await addDriver(shard, process, { cityCode: 'AHB', activeCount: 0, activeMax: 2 });
  const shipments = [await addShipmentOf('RUH'), await addShipmentOf('AHB'), await addShipmentOf('TUU')];
  shard.clock.advance(1);
  await runDue(process);
  expect(await Promise.all(shipments.map(driverOf))).toEqual(['RUH', 'AHB', undefined]);
  expect(await shard.rows('SELECT active_count FROM drivers WHERE id = ?', [alone])).toEqual([[1]]);
});

test('among many drivers, the least busy are considered first, then the longest idle', async () => {
  const first = await addDriver(shard, process, { cityCode: 'RUH', latitude: null, longitude: null });
  await crowd(first, 600);
  await shard.rows("UPDATE drivers SET active_count = 1 WHERE id <> ? || '-600'", [first]);
  const shipmentId = await addShipmentOf('RUH');
  shard.clock.advance(1);
  await runDue(process);
  expect(await shard.rows('SELECT driver_id FROM offers WHERE shipment_id = ?', [shipmentId])).toEqual([
    [`${first}-600`],
  ]);
});

test('a driver gets offers for pickups in their city, not for destinations in it', async () => {
  await addDriver(shard, process, { cityCode: 'RUH' });
  const shipmentId = await addShipmentOf('AHB');
  shard.clock.advance(1);
  await runDue(process);
  expect(await driverOf(shipmentId)).toBeUndefined();
  await addDriver(shard, process, { cityCode: 'AHB' });
  shard.clock.advance(5);
  await runDue(process);
  expect(await driverOf(shipmentId)).toBe('AHB');
});
