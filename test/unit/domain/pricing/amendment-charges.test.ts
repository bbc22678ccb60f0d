import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { readCharges } from '../../../../src/domain/pricing/charges.ts';
import { previewCancellation } from '../../../../src/domain/shipments/cancellation-preview.ts';
import type { Routing } from '../../../../src/ports/routing.ts';
import { amend, pin, previewOf } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/*
 * What an amendment of the destination costs: the sample tariff, 12 SAR and 1.25 a started kilometre, and the fixture engine. The
 * pickup location is at 24.694969, 46.68301, the sample destination 8,262 m away.
 */

vi.setConfig({ testTimeout: 20_000 });

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
beforeAll(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process, { activeMax: 500 });
});
afterAll(() => shard.close());

const FROZEN = [
  ['BASE', '12'],
  ['DISTANCE', '11.25'],
  ['CITY', '0'],
];

async function chargesOf(shipmentId: Uuid) {
  const answer = await readCharges(process.database, shard.scope, shipmentId);
  if (!answer.ok) throw new Error(answer.code);
  const { lines, netAmount, vatAmount, totalAmount, distanceMeters } = answer.value;
  const sums = [netAmount, vatAmount, totalAmount];
  return { lines: lines.map(({ code, amount }) => [code, amount]), sums, distanceMeters };
}

/** BASE, DISTANCE and CITY of the sample tariff for this many metres. */
function priceOf(distanceMeters: number): string {
  return String(12 + 1.25 * Math.ceil(distanceMeters / 1000));
}

test('a farther pin is charged, a nearer one is credited, and the sum is that of the newest way', async () => {
  const id = await addShipment(shard, process);
  const far = await previewOf(shard, process, id, pin('24.8'));
  expect(far).toMatchObject({ payer: 'MERCHANT', priceEffect: { lines: [{ code: 'AMENDMENT' }] } });
  expect(far.chargesAfter.netAmount).toBe(priceOf(far.distanceMeters));
  await amend(shard, process, id, pin('24.8'));
  const [, , , line] = (await chargesOf(id)).lines;
  expect(line).toEqual(['AMENDMENT', far.priceEffect.netAmount]);
  expect(await chargesOf(id)).toEqual({
    lines: [...FROZEN, line],
    sums: [far.chargesAfter.netAmount, far.chargesAfter.vatAmount, far.chargesAfter.totalAmount],
    distanceMeters: far.distanceMeters,
  });
  const near = await previewOf(shard, process, id, pin('24.7'));
  expect(near).toMatchObject({ payer: 'NOBODY' });
  expect(Number(near.priceEffect.netAmount)).toBeLessThan(0);
  await amend(shard, process, id, pin('24.7'));
  const { sums, distanceMeters } = await chargesOf(id);
  expect(sums[0]).toBe(priceOf(distanceMeters));
  const [[geometry, duration, frozen] = []] = await shard.rows(
    'select geometry, duration_seconds, distance_meters from shipment_terms where shipment_id = ?',
    [id],
  );
  const route = await process.routing.findRoute(
    { latitude: literalDecimal('24.694969'), longitude: literalDecimal('46.68301') },
    pin('24.7').location,
  );
  expect({ ok: true, route: { distanceMeters, durationSeconds: duration, geometry } }).toEqual(route);
  expect(frozen).toBe(8262);
});

test('the frozen version of the tariff prices it, not the one in force', async () => {
  const id = await addShipment(shard, process);
  shard.run(
    'directory',
    `insert into tariffs (version, effective_from, currency, base_amount, kilometre_amount, vat_rate, cancellation_amount,
       lock_seconds_max, city_surcharges, created_at)
     select 2, 1, currency, '100', '50', '0.5', cancellation_amount, lock_seconds_max, city_surcharges, created_at from tariffs`,
  );
  process.tariffBook.forget();
  try {
    const preview = await previewOf(shard, process, id, pin('24.8'));
    expect(preview.chargesAfter.netAmount).toBe(priceOf(preview.distanceMeters));
    await amend(shard, process, id, pin('24.8'));
    expect((await chargesOf(id)).sums[0]).toBe(priceOf(preview.distanceMeters));
  } finally {
    shard.run('directory', 'delete from tariffs where version = 2');
    process.tariffBook.forget();
  }
});

test('free metres are measured from the pin that was priced', async () => {
  const id = await addShipment(shard, process);
  await shard.rows(`update shipment_terms set amendment_free_meters = 500 where shipment_id = '${id}'`);
  for (const latitude of ['24.754', '24.7544']) {
    const preview = await previewOf(shard, process, id, pin(latitude));
    expect(preview).toMatchObject({ changes: ['LOCATION_NEARBY'], priceEffect: { lines: [] }, distanceMeters: 8262 });
    await amend(shard, process, id, pin(latitude));
  }
  expect(await chargesOf(id)).toMatchObject({ lines: FROZEN, distanceMeters: 8262 });
  // 556 m from the first pin, although 67 m from the last one.
  const far = await previewOf(shard, process, id, pin('24.755'));
  expect(far).toMatchObject({ changes: ['LOCATION'] });
  expect(far.distanceMeters).toBeGreaterThan(8262);
});

test('a free move needs no route, and a priced one is 503 without it', async () => {
  const id = await addShipment(shard, process);
  await shard.rows(`update shipment_terms set amendment_free_meters = 500 where shipment_id = '${id}'`);
  const routing: Routing = { engine: 'none', findRoute: async () => ({ ok: false, reason: 'unavailable' }) };
  const down = { ...process, routing };
  expect(await amend(shard, down, id, pin('24.752'))).toMatchObject({ ok: true });
  expect(await amend(shard, down, id, pin('24.78'))).toMatchObject({ code: 'ROUTING_PROVIDER_UNAVAILABLE' });
});

test.each([
  ['another city code', { location: { ...pin('24.751').location, cityCode: 'JED' } }],
  ['a pin 61 km away', pin('25.2987')],
])('%s is another city', async (_name, wish) => {
  const id = await addShipment(shard, process);
  expect(await previewOf(shard, process, id, wish)).toMatchObject({
    allowed: false,
    violations: [{ change: 'LOCATION', reason: 'CITY_CHANGE' }],
  });
  const refused = await amend(shard, process, id, wish);
  expect(refused).toMatchObject({ code: 'AMENDMENT_NOT_ALLOWED', members: { reason: 'CITY_CHANGE' } });
});

test('the city is that of the first pin, however often it is moved', async () => {
  const id = await addShipment(shard, process);
  expect(await amend(shard, process, id, pin('25.2'))).toMatchObject({ ok: true });
  expect(await amend(shard, process, id, pin('25.3'))).toMatchObject({ members: { reason: 'CITY_CHANGE' } });
  expect(await amend(shard, process, id, pin('24.75'))).toMatchObject({ ok: true });
  expect((await chargesOf(id)).sums).toEqual(['23.25', '3.49', '26.74']);
});

test('Price-Limit refuses before anything changes, and lets a credit pass', async () => {
  const id = await addShipment(shard, process);
  const { priceEffect } = await previewOf(shard, process, id, pin('24.8'));
  const zero = { priceLimit: literalDecimal('0') };
  expect(await amend(shard, process, id, pin('24.8'), zero)).toMatchObject({
    code: 'PRICE_LIMIT_EXCEEDED',
    members: { limit: 0, price: { totalAmount: Number(priceEffect.totalAmount), currency: 'SAR' } },
  });
  expect(await chargesOf(id)).toMatchObject({ lines: FROZEN });
  expect(await amend(shard, process, id, pin('24.72'), zero)).toMatchObject({ ok: true });
  const exact = { priceLimit: literalDecimal(priceEffect.totalAmount) };
  expect(await amend(shard, process, await addShipment(shard, process), pin('24.8'), exact)).toMatchObject({
    ok: true,
  });
});

test.each([
  ['a cancellation', 'CANCEL'],
  ['a lost parcel', 'FAIL'],
] as const)('%s takes back what amendments cost', async (_name, name) => {
  const id = await addShipment(shard, process);
  await amend(shard, process, id, pin('24.8'));
  await amend(shard, process, id, pin('24.7'));
  const [, , , first = [], second = []] = (await chargesOf(id)).lines;
  const preview = await previewCancellation(process, shard.scope, id);
  const total = (await chargesOf(id)).sums[2];
  expect(preview).toMatchObject({ value: { refund: { totalAmount: total }, chargesAfter: { totalAmount: '0' } } });
  if (name === 'FAIL') {
    await give(shard, process, id, { name: 'APPROVE' });
    await give(shard, process, id, offerTo(shard, driverId));
    for (const step of ['ACCEPT', 'PICK_UP'] as const) await give(shard, process, id, { name: step, driverId });
    await give(shard, process, id, { name, driverId, reasonCode: 'LOST' });
  } else await give(shard, process, id, { name, reasonCode: 'OTHER', comment: null });
  const back =
    name === 'FAIL'
      ? [['CREDIT', '-23.25']]
      : [
          ['BASE', '-12'],
          ['DISTANCE', '-11.25'],
        ];
  expect(await chargesOf(id)).toMatchObject({
    lines: [...FROZEN, first, second, ...back, ['AMENDMENT', `-${first[1]}`], ['AMENDMENT', second[1]?.slice(1)]],
    sums: ['0', '0', '0'],
  });
});
