import { expect, test, vi } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { LaneQueue } from '../../../../src/service/lane-queue.ts';
import { housekeepShard } from '../../../../src/service/sweep.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';
import { parseExposition, sampleOf } from '../../../support/exposition.ts';

/* The metrics of dispatch and lanes, each in its own process. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

const { shard } = await ownShard();

function newProcess() {
  const process = shard.process();
  const read = (name: string, labels = {}) =>
    sampleOf(parseExposition(process.metrics.text()), `mirsal_${name}`, labels);
  return { process, read };
}

test('the lateness of the first due shipment of a batch is measured', async () => {
  const { process, read } = newProcess();
  const shipmentId = await addShipment(shard, process);
  await shard.rows('UPDATE shipments SET due_at = created_at WHERE id = ?', [shipmentId]);
  shard.clock.advance(7);
  await runDue(process);
  // Approved 7 s late, and then offered at once.
  expect(read('dispatch_due_lateness_seconds_sum', { database: 'shard-1' })).toBeCloseTo(7, 1);
  expect(read('dispatch_due_lateness_seconds_count', { database: 'shard-1' })).toBe(2);
});

test('shipments put aside are counted', async () => {
  const { process, read } = newProcess();
  const odd = await addShipment(shard, process);
  await shard.rows("UPDATE shipments SET state = 'DELIVERED', due_at = 1 WHERE id = ?", [odd]);
  expect(read('dispatch_put_aside_total')).toBe(0);
  await expect(runDue(process)).rejects.toThrow('Put aside');
  expect(read('dispatch_put_aside_total')).toBe(1);
});

test('the wait for the lane of a shipment is measured, by outcome', async () => {
  const { process, read } = newProcess();
  const shipmentId = await addShipment(shard, process);
  let nowMs = 0;
  const lane = new LaneQueue(() => nowMs);
  const order = { shipmentId, actor: 'SYSTEM', precondition: { kind: 'any' }, correlationId: newId() } as const;
  const send = () => lane.execute(process, shard.scope, { ...order, command: { name: 'APPROVE' } });
  await send();
  expect(read('lane_wait_seconds_count', { outcome: 'ran' })).toBeUndefined();
  const late = [send(), send()];
  await late[0];
  await late[1];
  expect(read('lane_wait_seconds_count', { outcome: 'ran' })).toBe(1);
  const refused = [send(), send()];
  nowMs = 3001;
  expect(await Promise.all(refused)).toMatchObject([{ ok: false }, { ok: false, code: 'SERVICE_UNAVAILABLE' }]);
  expect(read('lane_wait_seconds_count', { outcome: 'refused' })).toBe(1);
  expect(read('lane_wait_seconds_bucket', { outcome: 'refused', le: '3' })).toBe(0);
});

test('the queues of operators are measured at each sweep, and a shipment is in one of them', async () => {
  const { process, read } = newProcess();
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  const queues = async () => {
    await sweep();
    const names = ['pendingApproval', 'unresolved', 'acceptedTooLong', 'strandedGoods'];
    return names.map((queue) => read('operator_queue_shipments', { database: 'shard-1', queue }));
  };
  expect(await queues()).toEqual([0, 0, 0, 0]);
  await shard.rows("UPDATE shipments SET state = 'DISPATCH_UNRESOLVED', due_at = NULL WHERE id = ?", [
    await addShipment(shard, process),
  ]);
  const [driverId, shipmentId] = [await addDriver(shard, process), await addShipment(shard, process)];
  for (const command of [{ name: 'APPROVE' }, offerTo(shard, driverId), { name: 'ACCEPT', driverId }] as const)
    expect(await give(shard, process, shipmentId, command)).toMatchObject({ ok: true });
  // The pickup window is an hour long, and the driver has another hour.
  shard.clock.advance(2 * 3600 - 60);
  expect(await queues()).toEqual([0, 1, 0, 0]);
  shard.clock.advance(90);
  expect(await queues()).toEqual([0, 1, 1, 0]);
  const age = (queue: string) => read('operator_queue_oldest_seconds', { database: 'shard-1', queue });
  expect(age('acceptedTooLong')).toBeCloseTo(3630, 0);
  expect(age('unresolved')).toBeCloseTo(7230, 0);
  await shard.rows('UPDATE drivers SET on_duty = 0');
  expect(await queues()).toEqual([0, 1, 0, 1]);
  await shard.rows("UPDATE drivers SET on_duty = 1, status = 'INACTIVE'");
  expect(await queues()).toEqual([0, 1, 0, 1]);
});
