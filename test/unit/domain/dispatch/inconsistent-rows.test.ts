import { describe, expect, test, vi } from 'vitest';
import type { Instant } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { addDriver, addShipment, give, offerTo, valuesTo } from '../../../support/dispatch/shipments.ts';

/* Rows that no operation creates, but a manual change or a bug. They block no other shipment, and are no longer due. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

const { shard, process } = await ownShard();

/** Runs due work as alarms do, which retry after errors. Returns when the next work is due, and the errors. */
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

describe('a shipment that is due in a state without due work', () => {
  test.each(['ACCEPTED', 'PICKED_UP', 'DELIVERED', 'CANCELLED', 'DISPATCH_UNRESOLVED'])(
    '%s: is put aside and logged, and other shipments continue',
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

  test('does not block others, even if 300 of them are due first', async () => {
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

describe('an expired offer that cannot be withdrawn', () => {
  test.each([
    ['it does not exist', 'DELETE FROM offers'],
    ['it has ended', "UPDATE offers SET state = 'EXPIRED', ended_at = expires_at"],
    ['its driver has no active shipment', 'UPDATE drivers SET active_count = 0'],
  ])('because %s: the shipment is put aside and logged, and others continue', async (_name, planted) => {
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

  test('because another process withdrew it: is not an error', async () => {
    const driverId = await addDriver(shard, process);
    const late = await Promise.all(Array.from({ length: 4 }, () => offered(driverId)));
    shard.clock.advance(61);
    const outcomes = await Promise.allSettled([runDue(process), runDue(shard.process()), runDue(shard.process())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    for (const id of late) expect(await standing(id)).toEqual(['READY_FOR_DISPATCH', 3, 0]);
  });
});
