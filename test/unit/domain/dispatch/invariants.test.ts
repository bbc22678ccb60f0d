import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../../scripts/shared/dispatch-invariants.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* The checker of invariants itself: it finds planted faults and names the broken invariant. */

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

let shard: TestShard;
let shipmentId: Uuid;
beforeAll(async () => {
  shard = await openShard();
});
afterAll(() => shard.close());
beforeEach(async () => {
  await shard.clear();
  const process = shard.process();
  const driverId = await addDriver(shard, process);
  shipmentId = await addShipment(shard, process);
  await give(shard, process, shipmentId, { name: 'APPROVE' });
  await give(shard, process, shipmentId, offerTo(shard, driverId));
});

test('a regular offer breaks no invariant', async () => {
  expect(await brokenInvariants(shard)).toEqual([]);
});

const CANCELLED_OFFER = "UPDATE offers SET state = 'EXPIRED', ended_at = offered_at + 1";
const INTO_OFFERS = 'INSERT INTO offers (id, shipment_id, driver_id, state, offered_at, expires_at, ended_at)';
const SECOND_OFFER = `${INTO_OFFERS} SELECT 'planted', shipment_id, driver_id, 'EXPIRED', offered_at + 5, expires_at, expires_at FROM offers`;
const OPEN_AGAIN = `${INTO_OFFERS} SELECT 'planted', shipment_id, driver_id, 'OPEN', offered_at, expires_at, NULL FROM offers`;

test.each([
  ['UPDATE drivers SET active_count = 0', 'the active count of a driver equals their current offers'],
  [CANCELLED_OFFER, 'a shipment with a driver has a matching current offer'],
  [SECOND_OFFER, 'offers of one shipment never overlapped'],
  [SECOND_OFFER, 'a shipment is never offered to the same driver twice in a row'],
  [OPEN_AGAIN, 'a shipment has at most one current offer'],
  ['UPDATE shipments SET driver_id = NULL', 'a shipment with a driver has a matching current offer'],
  ["UPDATE shipments SET state = 'READY_FOR_DISPATCH'", 'a shipment without a driver has no current offer'],
  [
    "UPDATE shipments SET state = 'READY_FOR_DISPATCH'",
    'a shipment without a driver names no driver, except after a delivery attempt',
  ],
  ['UPDATE offers SET ended_at = offered_at + 1', 'an offer has an end time exactly when it has ended'],
  ['UPDATE shipments SET ended_at = 1', 'a shipment has an end time exactly when it has ended'],
  ["UPDATE shipments SET stage = 'DELIVERED'", 'a shipment has the stage of its state'],
  ['DELETE FROM shipment_terms', 'every shipment has frozen terms'],
  ['UPDATE shipments SET due_at = NULL', 'a shipment has a due time exactly when the service must act next'],
  ['UPDATE shipments SET due_at = due_at + 1', 'the due time of an offered shipment is the expiry of its offer'],
  ['UPDATE shipments SET version = version + 1', 'the sequences of events run from 1 to version + 1 without gaps'],
  ['DELETE FROM events WHERE step = 2', 'the sequences of events run from 1 to version + 1 without gaps'],
  [
    "UPDATE events SET previous_state = 'ACCEPTED' WHERE step = 3",
    'each event starts from the state before it, and the last one has the state of the shipment',
  ],
  [
    "UPDATE shipments SET state = 'ACCEPTED'",
    'each event starts from the state before it, and the last one has the state of the shipment',
  ],
])('%s breaks: %s', async (planted, invariant) => {
  await shard.rows(planted);
  expect(await namesOfBroken()).toContain(invariant);
});

/* Faults that constraints prevent are planted by removing the constraints, so the shard cannot be used afterwards. */

test('the checker finds a driver over their limit in the past', async () => {
  await shard.rows(SECOND_OFFER);
  expect(await namesOfBroken()).not.toContain('a driver never had more offers at once than their limit');
  await shard.rows('UPDATE drivers SET active_max = 1');
  expect(await namesOfBroken()).toContain('a driver never had more offers at once than their limit');
});

test('the checker finds a driver over their limit now', async () => {
  await shard.rows('UPDATE drivers SET active_max = 0');
  expect(await namesOfBroken()).toContain('the active count of a driver is within their limit');
});

async function namesOfBroken(): Promise<string[]> {
  return (await brokenInvariants(shard)).map(({ invariant }) => invariant);
}
