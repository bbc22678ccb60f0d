import { expect, test, vi } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { runDue } from '../../../src/domain/dispatch/due.ts';
import { LaneQueue } from '../../../src/service/lane-queue.ts';
import { ownShard } from '../../support/dispatch/own-shard.ts';
import { addShipment } from '../../support/dispatch/shipments.ts';
import { parseExposition, sampleOf } from '../../support/exposition.ts';

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
