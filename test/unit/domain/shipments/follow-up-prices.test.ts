import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { unbound } from '../../../../src/domain/idempotency/once.ts';
import { readResolution } from '../../../../src/domain/shipments/resolution.ts';
import { choose } from '../../../../src/domain/shipments/resolution-choice.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, refusedAtTheDoor } from '../../../support/dispatch/shipments.ts';

/* The tariff's rates for what follows a failure. A delivery costs 23.25: a base of 12 and nine kilometres at 1.25. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
beforeEach(() => {
  shard = openMemoryShard();
  process = shard.process();
  return () => shard.close();
});

async function failedWith(returnRate: string, redeliveryRate: string): Promise<Uuid> {
  shard.run('directory', 'update tariffs set return_rate = ?, redelivery_rate = ?', [returnRate, redeliveryRate]);
  return refusedAtTheDoor(shard, process, await addDriver(shard, process));
}

async function pricesOf(shipmentId: Uuid) {
  const resolution = await readResolution(process.database, shard.scope, shipmentId);
  return resolution.ok && resolution.value.options.map(({ kind, price }) => [kind, price.netAmount]);
}

test.each([
  ['1', '1', '23.25', '23.25'],
  ['0.5', '0.85', '11.63', '19.76'],
  ['0', '2', '0', '46.5'],
])('a return at %s and another attempt at %s of the price', async (returnRate, redeliveryRate, back, again) => {
  const id = await failedWith(returnRate, redeliveryRate);
  const [row] = await shard.rows("select json_group_array(value ->> 'amount') from shipment_terms, json_each(lines)");
  expect(row).toEqual(['["12","11.25","0"]']);
  expect(await pricesOf(id)).toEqual([
    ['REDELIVER', again],
    ['RETURN', back],
    ['DISPOSE', '0'],
  ]);
});

test('the rates are those of the creation, also for the parcel of a follow-up', async () => {
  const id = await failedWith('0.5', '0.8');
  shard.run('directory', "update tariffs set return_rate = '2', redelivery_rate = '2'");
  const order = {
    shipmentId: id,
    kind: 'REDELIVER',
    actor: 'MERCHANT',
    correlationId: newId(),
    bind: unbound,
  } as const;
  const chosen = await choose(shard.process(), shard.scope, order);
  const next = chosen.ok ? chosen.value.followUp?.id : undefined;
  expect(await shard.rows('select lines from shipment_terms where shipment_id = ?', [String(next)])).toEqual([
    ['[{"code":"REDELIVERY","amount":"18.6"}]'],
  ]);
  expect(await shard.rows('select return_rate, redelivery_rate from shipment_terms')).toEqual([
    ['0.5', '0.8'],
    ['0.5', '0.8'],
  ]);
});
