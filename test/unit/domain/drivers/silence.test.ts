import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { noteSeen, putSilentOffDuty } from '../../../../src/domain/drivers/silence.ts';
import { changeOwnDuty } from '../../../../src/domain/drivers/standing.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addDriver, addShipment, countStates, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* Drivers who do not answer: the service puts them off duty, and nobody else. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

let shard: TestShard;
let one: ReturnType<TestShard['process']>;
beforeAll(async () => {
  shard = await openShard();
  one = shard.process();
});
afterAll(() => shard.close());
beforeEach(() => shard.clear());

const sweep = (silenceSeconds: number | null = 1800) =>
  putSilentOffDuty({ ...one, waits: { ...one.waits, silenceSeconds } });
const dutyOf = async (driverId: Uuid) =>
  (await shard.rows('SELECT on_duty, off_duty_reason, missed_offers FROM drivers WHERE id = ?', [driverId]))[0];
const HALF_AN_HOUR = 1800;
/** It is written every five minutes that a driver is there. */
const SLACK = 300;

/** Offers shipments one after the other and lets each run out. */
async function missOffers(count: number): Promise<void> {
  for (let offer = 1; offer <= count; offer += 1) {
    await addShipment(shard, one);
    shard.clock.advance(1);
    await runDue(one);
    shard.clock.advance(60);
    await runDue(one);
    await shard.rows("UPDATE shipments SET state = 'CANCELLED', due_at = null");
    await shard.rows('UPDATE shipments SET ended_at = 1');
  }
}

test('a driver who lets three offers in a row run out is put off duty, with an entry in the history', async () => {
  const driverId = await addDriver(shard, one);
  await missOffers(2);
  await sweep();
  expect(await dutyOf(driverId)).toEqual([1, null, 2]);
  await missOffers(1);
  await sweep();
  expect(await dutyOf(driverId)).toEqual([0, 'OFFERS_MISSED', 0]);
  expect(await shard.rows('SELECT action, client_id, detail FROM audit_entries WHERE subject = ?', [driverId])).toEqual(
    [['driver.off_duty', 'service', '{"reason":"OFFERS_MISSED"}']],
  );
  await changeOwnDuty({ ...one, ...shard.process() }, { driverId, shard: 'shard-1', companyId: null }, true);
  expect(await dutyOf(driverId)).toEqual([1, null, 0]);
});

test.each(['ACCEPT', 'DECLINE'] as const)('an answer (%s) ends the row of missed offers', async (name) => {
  const driverId = await addDriver(shard, one);
  await missOffers(2);
  const shipmentId = await addShipment(shard, one);
  await give(shard, one, shipmentId, { name: 'APPROVE' });
  await give(shard, one, shipmentId, offerTo(shard, driverId));
  await give(shard, one, shipmentId, { name, driverId });
  expect((await dutyOf(driverId))?.[2]).toBe(0);
});

test('a driver who sends nothing for half an hour is put off duty, and keeps the parcels in hand', async () => {
  const driverId = await addDriver(shard, one);
  const shipmentId = await addShipment(shard, one);
  await give(shard, one, shipmentId, { name: 'APPROVE' });
  await give(shard, one, shipmentId, offerTo(shard, driverId));
  await give(shard, one, shipmentId, { name: 'ACCEPT', driverId });
  shard.clock.advance(HALF_AN_HOUR + SLACK - 1);
  await sweep();
  expect((await dutyOf(driverId))?.[0]).toBe(1);
  shard.clock.advance(2);
  await sweep(null);
  expect((await dutyOf(driverId))?.[0]).toBe(1);
  await sweep();
  expect(await dutyOf(driverId)).toEqual([0, 'SILENT', 0]);
  expect(await countStates(shard)).toEqual({ ACCEPTED: 1 });
});

test('an open offer of a silent driver goes to the next one', async () => {
  const driverId = await addDriver(shard, one);
  const shipmentId = await addShipment(shard, one);
  shard.clock.advance(HALF_AN_HOUR + SLACK);
  await give(shard, one, shipmentId, { name: 'APPROVE' });
  await give(shard, one, shipmentId, offerTo(shard, driverId));
  await sweep();
  expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: 1 });
});

test('a driver who is heard of, one who has just gone on duty and a sandbox’s own driver stay on duty', async () => {
  const heard = await addDriver(shard, one);
  const fresh = await addDriver(shard, one, { onDuty: 0 });
  const own = await addDriver(shard, one, { companyId: shard.scope.companyId });
  shard.clock.advance(HALF_AN_HOUR + SLACK - 10);
  await noteSeen(one, heard);
  await changeOwnDuty({ ...one, ...shard.process() }, { driverId: fresh, shard: 'shard-1', companyId: null }, true);
  shard.clock.advance(HALF_AN_HOUR);
  await sweep();
  for (const driverId of [heard, fresh, own]) expect((await dutyOf(driverId))?.[0]).toBe(1);
});
