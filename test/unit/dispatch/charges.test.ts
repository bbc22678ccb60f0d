import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../scripts/shared/dispatch/invariants.ts';
import { openShard, type TestShard } from '../../../scripts/shared/dispatch/shard.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { readCharges } from '../../../src/domain/pricing/terms.ts';
import type { Command } from '../../../src/domain/shipments/lifecycle.ts';
import { addDriver, addShipment, give, offerTo } from '../../support/dispatch/shipments.ts';

/* The charges of a shipment from creation to cancellation: the sample tariff, and 8,148 m by the fixture engine. */

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const CANCEL: Command = { name: 'CANCEL', reasonCode: 'PRICE', comment: null };

let shard: TestShard;
let process: ReturnType<TestShard['process']>;
let driverId: Uuid;
beforeAll(async () => {
  shard = await openShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
});
afterAll(() => shard.close());

const FROZEN = [
  ['BASE', '12'],
  ['DISTANCE', '11.25'],
  ['CITY', '0'],
];
/** A line of zero is not reversed. */
const TAKEN_BACK = [
  ['BASE', '-12'],
  ['DISTANCE', '-11.25'],
];

test('charges stay as fixed at creation until delivery', async () => {
  const shipmentId = await addShipment(shard, process);
  const created = await chargesOf(shipmentId);
  expect(created).toMatchObject({
    lines: FROZEN,
    sums: ['23.25', '3.49', '26.74'],
    currency: 'SAR',
    vatRate: '0.15',
    tariffVersion: 1,
  });
  for (const name of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'] as const) {
    if (name === 'ACCEPT') await offer(shipmentId);
    await give(shard, process, shipmentId, { name, driverId });
  }
  expect(await chargesOf(shipmentId)).toEqual(created);
});

test.each([
  { from: 'PENDING_APPROVAL', to: [] },
  { from: 'READY_FOR_DISPATCH', to: ['APPROVE'] },
  { from: 'OFFERED', to: ['OFFER'] },
  { from: 'DISPATCH_UNRESOLVED', to: ['APPROVE', 'GIVE_UP'] },
] as const)('a cancellation from $from reverses all charges', async ({ to }) => {
  const shipmentId = await addShipment(shard, process);
  for (const name of to) {
    if (name === 'OFFER') await offer(shipmentId);
    else await give(shard, process, shipmentId, name === 'GIVE_UP' ? { name, reasonCode: 'NO_DRIVER' } : { name });
  }
  expect(await give(shard, process, shipmentId, CANCEL)).toMatchObject({ ok: true });
  expect(await chargesOf(shipmentId)).toMatchObject({ lines: [...FROZEN, ...TAKEN_BACK], sums: ['0', '0', '0'] });
});

test('a cancellation from ACCEPTED costs the fee with VAT, and a second request adds none', async () => {
  const shipmentId = await addShipment(shard, process);
  await offer(shipmentId);
  await give(shard, process, shipmentId, { name: 'ACCEPT', driverId });
  for (let time = 1; time <= 2; time += 1) {
    expect(await give(shard, process, shipmentId, CANCEL)).toMatchObject({
      ok: true,
      value: { state: 'CANCELLED', version: 4 },
    });
    expect(await chargesOf(shipmentId)).toMatchObject({
      lines: [...FROZEN, ...TAKEN_BACK, ['CANCELLATION', '10']],
      sums: ['10', '1.5', '11.5'],
    });
  }
});

test.each([
  {
    who: 'the merchant, a minute before the driver is late',
    actor: 'MERCHANT',
    waited: 2 * 3600 - 60,
    sums: ['10', '1.5', '11.5'],
  },
  { who: 'the merchant, after the driver was late', actor: 'MERCHANT', waited: 2 * 3600, sums: ['0', '0', '0'] },
  { who: 'the carrier', actor: 'OPERATOR', waited: 0, sums: ['0', '0', '0'] },
] as const)('a cancellation from ACCEPTED by $who', async ({ actor, waited, sums }) => {
  // The pickup window ends an hour after the creation.
  const shipmentId = await addShipment(shard, process);
  await offer(shipmentId);
  await give(shard, process, shipmentId, { name: 'ACCEPT', driverId });
  shard.clock.advance(waited);
  expect(await give(shard, process, shipmentId, CANCEL, actor)).toMatchObject({ ok: true });
  expect(await chargesOf(shipmentId)).toMatchObject({ sums });
});

test('a cancellation after the driver released the shipment costs no fee', async () => {
  const shipmentId = await addShipment(shard, process);
  await offer(shipmentId);
  await give(shard, process, shipmentId, { name: 'ACCEPT', driverId });
  await give(shard, process, shipmentId, { name: 'RELEASE', driverId });
  await give(shard, process, shipmentId, CANCEL);
  expect(await chargesOf(shipmentId)).toMatchObject({ sums: ['0', '0', '0'] });
  expect(await brokenInvariants(shard)).toEqual([]);
});

test.each(['LOST', 'DAMAGED', 'RECIPIENT_REFUSED'] as const)(
  'a failure as %s keeps the charges, unless the parcel was lost or damaged',
  async (reasonCode) => {
    const shipmentId = await addShipment(shard, process);
    await offer(shipmentId);
    for (const name of ['ACCEPT', 'PICK_UP', 'DEPART'] as const)
      await give(shard, process, shipmentId, { name, driverId });
    await give(shard, process, shipmentId, { name: 'FAIL', driverId, reasonCode });
    expect(await chargesOf(shipmentId)).toMatchObject(
      reasonCode === 'RECIPIENT_REFUSED'
        ? { lines: FROZEN, sums: ['23.25', '3.49', '26.74'] }
        : { lines: [...FROZEN, ['CREDIT', '-23.25']], sums: ['0', '0', '0'] },
    );
    const [[body]] = (await shard.rows(
      "SELECT body FROM events WHERE shipment_id = ? AND type = 'shipment.delivery_failed'",
      [shipmentId],
    )) as [[string]];
    expect(JSON.parse(body)).toMatchObject({ data: { reason: { code: reasonCode, comment: null } } });
  },
);

test('a shipment to a city without a service level is priced, and has no service level', async () => {
  await shard.rows(`UPDATE service_levels SET cities = '["JED"]'`);
  const shipmentId = await addShipment(shard, shard.process());
  expect(await chargesOf(shipmentId)).toMatchObject({ lines: FROZEN });
  expect(await shard.rows('SELECT service_level_code FROM dispatches WHERE shipment_id = ?', [shipmentId])).toEqual([
    [null],
  ]);
});

async function offer(shipmentId: Uuid): Promise<void> {
  await give(shard, process, shipmentId, { name: 'APPROVE' });
  await give(shard, process, shipmentId, offerTo(shard, driverId));
}

async function chargesOf(shipmentId: Uuid) {
  const answer = await readCharges(process.database, shard.scope, shipmentId);
  if (!answer.ok) throw new Error(answer.code);
  const { lines, netAmount, vatAmount, totalAmount, ...rest } = answer.value;
  return { ...rest, lines: lines.map(({ code, amount }) => [code, amount]), sums: [netAmount, vatAmount, totalAmount] };
}
