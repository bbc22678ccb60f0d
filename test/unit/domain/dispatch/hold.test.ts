import { expect, test } from 'vitest';
import { brokenInvariants } from '../../../../scripts/shared/dispatch-invariants.ts';
import { ownShard } from '../../../support/dispatch/own-shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';

/* Units that are committed at once are merged: see db/merge.ts. */

const { shard, process } = await ownShard();

test('a dispatch hold applies to exactly one of twenty concurrent creations', async () => {
  await shard.rows(
    `INSERT INTO sandboxes (company_id, generation, dispatch_held, driver_id, relief_driver_id, created_at)
     VALUES (?, 1, 1, 'a driver', 'another', 0)`,
    [shard.scope.companyId],
  );
  await Promise.all(Array.from({ length: 20 }, () => addShipment(shard, process)));
  await addShipment(shard, process);
  expect(await shard.rows('SELECT count(*) FROM shipments WHERE held = 1')).toEqual([[1]]);
  expect(await shard.rows('SELECT dispatch_held FROM sandboxes')).toEqual([[0]]);
  expect(await brokenInvariants(shard)).toEqual([]);
});
