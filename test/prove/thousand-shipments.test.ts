import { expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../scripts/shared/dispatch-invariants.ts';
import type { Uuid } from '../../src/core/uuid.ts';
import { runDue } from '../../src/domain/dispatch/due.ts';
import { ownShard } from '../support/dispatch/own-shard.ts';
import { addDriver, addShipment, countStates, give } from '../support/dispatch/shipments.ts';

/* A thousand shipments in one city and 50 drivers with five places each: none is lost, and none has two drivers. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 20_000 });

const SHIPMENTS = 1000;
const DRIVERS = 50;
/** As many concurrent creations as a slow machine can queue within the time limit. */
const AT_ONCE = 100;

const { shard, process } = await ownShard();

test('end delivered or unresolved, as the rules say', async () => {
  await inParts(DRIVERS, () => addDriver(shard, process, { activeMax: 5 }));
  await inParts(SHIPMENTS, () => addShipment(shard, process));

  shard.clock.advance(1);
  await runDue(process);
  expect(await countStates(shard)).toEqual({ OFFERED: 250, READY_FOR_DISPATCH: 750 });
  expect(await brokenInvariants(shard)).toEqual([]);

  // Half of the offers are accepted; the others expire, and two processes notice at the same time.
  await accept(125);
  shard.clock.advance(60);
  await Promise.all([runDue(process), runDue(shard.process())]);
  expect(await brokenInvariants(shard)).toEqual([]);
  // A shipment that one process postponed while the other freed places is searched again in the next run.
  shard.clock.advance(6);
  await runDue(process);
  expect(await countStates(shard)).toEqual({ ACCEPTED: 125, OFFERED: 125, READY_FOR_DISPATCH: 750 });
  expect(await brokenInvariants(shard)).toEqual([]);

  await accept(100);
  shard.clock.advance(900);
  await runDue(process);
  shard.clock.advance(900);
  await runDue(process);
  // Every search has taken 30 minutes by now.
  expect(await countStates(shard)).toEqual({ ACCEPTED: 225, DISPATCH_UNRESOLVED: SHIPMENTS - 225 });
  expect(await brokenInvariants(shard)).toEqual([]);
});

/** Accepts this many open offers. */
async function accept(count: number): Promise<void> {
  const open = await shard.rows(
    "SELECT shipment_id, driver_id FROM offers WHERE state = 'OPEN' ORDER BY offered_at, id",
  );
  await Promise.all(
    open
      .slice(0, count)
      .map(([shipmentId, driverId]) =>
        give(shard, process, shipmentId as Uuid, { name: 'ACCEPT', driverId: driverId as Uuid }),
      ),
  );
}

async function inParts(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, work));
  }
}
