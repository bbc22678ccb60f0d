import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../../scripts/shared/dispatch-invariants.ts';
import { addSeconds, formatInstant } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { readCharges } from '../../../../src/domain/pricing/charges.ts';
import { previewCancellation } from '../../../../src/domain/shipments/cancellation-preview.ts';
import type { Command } from '../../../../src/domain/shipments/lifecycle.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

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

/** Two minutes of grace. The pickup window ends an hour after the creation, and an hour later the driver is late. */
const GRACE = { grace: 120, late: 3600 };
const FREE = { payer: 'NOBODY', fee: { totalAmount: '0' } };
const COSTLY = { payer: 'MERCHANT', fee: { totalAmount: '11.5' } };
test.each([
  { ...GRACE, waited: 0, rule: 'GRACE', ...FREE, turnsAfter: 120, next: 'DRIVER_ON_WAY' },
  { ...GRACE, waited: 119, rule: 'GRACE', ...FREE, turnsAfter: 120, next: 'DRIVER_ON_WAY' },
  { ...GRACE, waited: 120, rule: 'DRIVER_ON_WAY', ...COSTLY, turnsAfter: 7200, next: 'DRIVER_LATE' },
  { ...GRACE, waited: 7199, rule: 'DRIVER_ON_WAY', ...COSTLY, turnsAfter: 7200, next: 'DRIVER_LATE' },
  { ...GRACE, waited: 7200, rule: 'DRIVER_LATE', ...FREE, turnsAfter: null, next: undefined },
  { grace: 0, late: null, waited: 9000, rule: 'DRIVER_ON_WAY', ...COSTLY, turnsAfter: null, next: undefined },
  // The driver is late before the grace ends, so the fee never turns.
  { grace: 3600, late: 0, waited: 0, rule: 'GRACE', ...FREE, turnsAfter: null, next: 'DRIVER_LATE' },
  { grace: null, late: null, waited: 0, rule: 'DRIVER_ON_WAY', ...COSTLY, turnsAfter: 7200, next: 'DRIVER_LATE' },
])('a cancellation costs what its preview says: %o', async (row) => {
  const shipmentId = await addShipment(shard, process);
  await shard.rows(
    `UPDATE shipment_terms SET cancellation_grace_seconds = ${row.grace}, late_cancellation_seconds = ${row.late} WHERE shipment_id = ?`,
    [shipmentId],
  );
  await offer(shipmentId);
  await give(shard, process, shipmentId, { name: 'ACCEPT', driverId });
  const acceptedAt = shard.clock.now();
  shard.clock.advance(row.waited);
  const { rule, payer, fee, validUntil, next, chargesAfter, refund, ...preview } = await previewOf(shipmentId);
  expect({ rule, payer, fee, next: next?.rule }).toMatchObject({
    rule: row.rule,
    payer: row.payer,
    fee: row.fee,
    next: row.next,
  });
  // The clock of these tests goes on by a microsecond each time that it is read.
  const turns =
    row.turnsAfter === null ? undefined : formatInstant(addSeconds(acceptedAt, row.turnsAfter)).slice(0, 19);
  expect(validUntil?.slice(0, 19)).toBe(turns);
  expect({ ...preview, refund }).toMatchObject({ version: 3, cancellable: true, refund: { totalAmount: '26.74' } });
  expect(await give(shard, process, shipmentId, CANCEL)).toMatchObject({ ok: true });
  const { sums } = await chargesOf(shipmentId);
  expect(sums).toEqual([chargesAfter.netAmount, chargesAfter.vatAmount, chargesAfter.totalAmount]);
  expect(sums.at(-1)).toBe(row.fee.totalAmount);
  expect(await previewOf(shipmentId)).toMatchObject({
    ...{ rule: 'CANCELLED', cancellable: false, payer: null, fee: null, refund: { totalAmount: '0' } },
    ...{ chargesAfter, next: null, validUntil: null, endsWith: [] },
  });
});

test('before an acceptance, also a second one, a cancellation is free until then', async () => {
  const shipmentId = await addShipment(shard, process);
  await shard.rows('UPDATE shipment_terms SET cancellation_grace_seconds = 120 WHERE shipment_id = ?', [shipmentId]);
  const waiting = { rule: 'NOT_ACCEPTED', ...FREE, validUntil: null, endsWith: ['shipment.accepted'] };
  expect(await previewOf(shipmentId)).toMatchObject({ ...waiting, next: { rule: 'GRACE', ...FREE, from: null } });
  await offer(shipmentId);
  await give(shard, process, shipmentId, { name: 'ACCEPT', driverId });
  shard.clock.advance(600);
  await give(shard, process, shipmentId, { name: 'RELEASE', driverId });
  await shard.rows('UPDATE shipment_terms SET cancellation_grace_seconds = 0 WHERE shipment_id = ?', [shipmentId]);
  expect(await previewOf(shipmentId)).toMatchObject({ ...waiting, next: { rule: 'DRIVER_ON_WAY', ...COSTLY } });
  await give(shard, process, shipmentId, CANCEL);
});

test('after pick-up nothing can be cancelled, and the charges stay', async () => {
  const shipmentId = await addShipment(shard, process);
  await offer(shipmentId);
  for (const name of ['ACCEPT', 'PICK_UP'] as const) await give(shard, process, shipmentId, { name, driverId });
  expect(await previewOf(shipmentId)).toMatchObject({
    ...{ rule: 'PAST_PICK_UP', cancellable: false, payer: null, fee: null },
    // Carried back for the price of the way there.
    instead: { operation: 'recalls', price: { netAmount: '23.25', vatAmount: '3.49', totalAmount: '26.74' } },
    ...{ refund: { totalAmount: '0' }, chargesAfter: { totalAmount: '26.74' } },
  });
  for (const name of ['DEPART', 'DELIVER'] as const) await give(shard, process, shipmentId, { name, driverId });
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
  expect(await shard.rows('SELECT service_level_code FROM shipments WHERE id = ?', [shipmentId])).toEqual([[null]]);
});

async function offer(shipmentId: Uuid): Promise<void> {
  await give(shard, process, shipmentId, { name: 'APPROVE' });
  await give(shard, process, shipmentId, offerTo(shard, driverId));
}

async function previewOf(shipmentId: Uuid) {
  const answer = await previewCancellation(process, shard.scope, shipmentId);
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

async function chargesOf(shipmentId: Uuid) {
  const answer = await readCharges(process.database, shard.scope, shipmentId);
  if (!answer.ok) throw new Error(answer.code);
  const { lines, netAmount, vatAmount, totalAmount, ...rest } = answer.value;
  return { ...rest, lines: lines.map(({ code, amount }) => [code, amount]), sums: [netAmount, vatAmount, totalAmount] };
}
