import { afterAll, expect, test } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { monotonicMs } from '../../../src/providers/system.ts';
import { laneObjectOf, ShipmentLanes } from '../../../src/service/shipment-lanes.ts';
import { CANCELLED, openCommander, UNTOUCHED } from '../../support/dispatch/commander.ts';
import { WELL } from '../../support/dispatch/memory-shard.ts';

/* Which shipments share an object, and what they share in it. */

const { shard, process, order, told } = await openCommander();
afterAll(() => shard.close());

test('the lanes of a shard share sixteen objects', () => {
  const objects = new Set(
    Array.from({ length: 2000 }, () => laneObjectOf(shard.scope, order({ shipmentId: newId() }))),
  );
  expect([...objects].sort()).toEqual([...'0123456789abcdef'].map((digit) => `shard-1/${digit}`));
});

test('commands on one shipment wait for each other, those of another company do not', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  shard.wire.carry = async (_batch, run) => {
    shard.wire.carry = WELL;
    await gate;
    return run();
  };
  const lanes = new ShipmentLanes(() => process, monotonicMs);
  const [first, second] = [lanes.execute(shard.scope, order()), lanes.execute(shard.scope, order())];
  // Another company names the same shipment: its command ends although the first one still waits for its read.
  const stranger = await lanes.execute({ ...shard.scope, companyId: newId() }, order());
  expect(stranger).toMatchObject({ ok: false, code: 'ACCESS_DENIED' });
  expect(await told()).toEqual(UNTOUCHED);
  release();
  expect(await Promise.all([first, second])).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await told()).toEqual(CANCELLED);
});
