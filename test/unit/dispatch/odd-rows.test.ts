import { describe, expect, test, vi } from 'vitest';
import type { Instant } from '../../../src/core/instant.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { runDue } from '../../../src/domain/dispatch/due.ts';
import { ownShard } from '../../support/dispatch/own-shard.ts';
import { addDriver, addShipment, countStates, give, offerTo, valuesTo } from '../../support/dispatch/shipments.ts';

/* Rows that no operation makes: a hand at the database, or a bug. They hold up nobody else, and are due no more. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

const { shard, process } = await ownShard();

const DUE = 'UPDATE shipments SET due_at = created_at WHERE id = ?';

/** Runs what is due as alarms do: again after what went wrong. Answers when the next is due, and what went wrong. */
async function runAlarms(times: number) {
  const errors: string[] = [];
  let next: Instant | null | undefined;
  for (let time = 1; time <= times; time += 1) {
    try {
      next = await runDue(process);
    } catch (error) {
      errors.push(String(error));
      next = undefined;
    }
  }
  return { next, errors };
}

async function offered(driverId: Uuid): Promise<Uuid> {
  const shipmentId = await addShipment(shard, process);
  await give(shard, process, shipmentId, { name: 'APPROVE' });
  await give(shard, process, shipmentId, offerTo(shard, driverId));
  return shipmentId;
}

const standing = async (shipmentId: Uuid) =>
  (await shard.rows('SELECT state, version, due_at IS NULL FROM shipments WHERE id = ?', [shipmentId]))[0];

describe('what is due in a state in which nothing is', () => {
  test.each(['ACCEPTED', 'PICKED_UP', 'DELIVERED', 'CANCELLED', 'DISPATCH_UNRESOLVED'])(
    '%s: it is put aside and told, and the others go on',
    async (state) => {
      const driverId = await addDriver(shard, process);
      const odd = await addShipment(shard, process);
      await shard.rows('UPDATE shipments SET state = ? WHERE id = ?', [state, odd]);
      const other = await addShipment(shard, process);
      const late = await offered(driverId);
      shard.clock.advance(61);
      const { errors } = await runAlarms(2);
      expect(errors).toEqual([`Error: Put aside: shipment ${odd}, due in state ${state}`]);
      expect(await standing(odd)).toEqual([state, 0, 1]);
      expect((await standing(other))?.[0]).toBe('OFFERED');
      expect((await standing(late))?.[1]).toBeGreaterThan(2);
    },
  );

  test('three hundred of them, the longest due of all, hold up nobody', async () => {
    await addDriver(shard, process);
    const odd = await addShipment(shard, process);
    await shard.rows("UPDATE shipments SET state = 'DELIVERED', due_at = 1 WHERE id = ?", [odd]);
    const columns = (await shard.rows("SELECT name FROM pragma_table_info('shipments')")).map(([name]) => String(name));
    const copied = columns.map((name) =>
      ['id', 'shipment_number', 'external_reference'].includes(name) ? `${name} || '-' || value` : name,
    );
    await shard.rows(
      `INSERT INTO shipments SELECT ${copied.join(', ')} FROM shipments, ${valuesTo(300)} WHERE id = ?`,
      [odd],
    );
    const other = await addShipment(shard, process);
    shard.clock.advance(1);
    await runAlarms(1);
    expect((await standing(other))?.[0]).toBe('OFFERED');
    expect(await shard.rows("SELECT count(*) FROM shipments WHERE state = 'DELIVERED' AND due_at IS NOT NULL")).toEqual(
      [[0]],
    );
  });
});

describe('an offer that cannot be taken back', () => {
  test.each([
    ['there is none', 'DELETE FROM offers'],
    ['it has ended', "UPDATE offers SET state = 'EXPIRED', ended_at = expires_at"],
    ['its driver has no place taken', 'UPDATE drivers SET active_count = 0'],
  ])('%s: it is put aside and told, and the others go on', async (_name, planted) => {
    const driverId = await addDriver(shard, process);
    const odd = await offered(driverId);
    await shard.rows(planted);
    const other = await addShipment(shard, process);
    shard.clock.advance(61);
    const { errors, next } = await runAlarms(2);
    expect(errors).toEqual([`Error: Put aside: shipment ${odd}, due in state OFFERED`]);
    expect(await standing(odd)).toEqual(['OFFERED', 2, 1]);
    expect((await standing(other))?.[0]).toBe('OFFERED');
    expect(next).toBeGreaterThan(shard.clock.now());
  });

  test('taken back by somebody else meanwhile, it is nothing odd', async () => {
    const driverId = await addDriver(shard, process);
    const late = await Promise.all(Array.from({ length: 4 }, () => offered(driverId)));
    shard.clock.advance(61);
    const outcomes = await Promise.allSettled([runDue(process), runDue(shard.process()), runDue(shard.process())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    for (const id of late) expect(await standing(id)).toEqual(['READY_FOR_DISPATCH', 3, 0]);
  });
});

test('a shipment of which dispatch knows nothing is given to nobody', async () => {
  await addDriver(shard, process);
  const odd = await addShipment(shard, process);
  await give(shard, process, odd, { name: 'APPROVE' });
  await shard.rows('DELETE FROM dispatches WHERE shipment_id = ?', [odd]);
  const other = await addShipment(shard, process);
  await shard.rows(DUE, [other]);
  const { errors } = await runAlarms(1);
  expect(errors).toEqual([]);
  expect(await countStates(shard)).toEqual({ DISPATCH_UNRESOLVED: 1, OFFERED: 1 });
});
