import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { setDriverDuty } from '../../../../src/domain/drivers/fleet.ts';
import { openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, countStates } from '../../../support/dispatch/shipments.ts';

/* What it costs that many shipments wait for a driver. The shard is in memory, so that all its writes can be counted. */

vi.setConfig({ testTimeout: 60_000 });

const shard = openMemoryShard();
const process = shard.process();
afterAll(() => shard.close());
beforeEach(() => shard.clear());

const CITIES = ['RUH', 'JED', 'DMM'];
const WAITING = 60;

/** Rows that were inserted, updated or deleted since the shard was opened. */
const rowsWritten = async () => Number((await shard.rows('SELECT total_changes()'))[0]?.[0]);

/** As many shipments in each city, all of them waiting. */
async function letManyWait(): Promise<Uuid[]> {
  const ids: Uuid[] = [];
  for (let count = 0; count < WAITING; count += 1) {
    const shipmentId = await addShipment(shard, process);
    await shard.rows('UPDATE shipments SET pickup_city_code = ? WHERE id = ?', [
      CITIES[count % CITIES.length] ?? '',
      shipmentId,
    ]);
    ids.push(shipmentId);
  }
  shard.clock.advance(1);
  await runDue(process);
  expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: WAITING });
  return ids;
}

async function lookFor(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    shard.clock.advance(10);
    await runDue(process);
  }
}

test('shipments that wait for ten minutes are not written', async () => {
  await letManyWait();
  const before = await rowsWritten();
  await lookFor(600);
  expect((await rowsWritten()) - before).toBe(0);
});

test('a driver who becomes free costs the rows of one offer, and no other city is read', async () => {
  const driverId = await addDriver(shard, process, { cityCode: 'JED', onDuty: 0, activeMax: 1 });
  const [, first] = await letManyWait();
  await setDriverDuty(process, { driverId, version: 0 }, true);
  const before = await rowsWritten();
  let whole = 0;
  shard.wire.carry = async ({ isWrite }, run) => {
    const response = run();
    if (!isWrite) whole += (await response.clone().text()).match(/1 King Fahd Road/g)?.length ?? 0;
    return response;
  };
  await lookFor(10);
  expect(await countStates(shard)).toEqual({ OFFERED: 1, READY_FOR_DISPATCH: WAITING - 1 });
  expect(await shard.rows('SELECT shipment_id FROM offers')).toEqual([[first]]);
  // The shipment, its dispatch, its event twice, the offer and the driver.
  expect((await rowsWritten()) - before).toBeLessThanOrEqual(8);
  // Of the twenty that wait in this city, only the one that is offered is read whole.
  expect(whole).toBe(1);
  const afterwards = await rowsWritten();
  await lookFor(50);
  expect((await rowsWritten()) - afterwards).toBe(0);
  expect(whole).toBe(1);
});
