import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseInstant } from '../../../../src/core/instant.ts';
import { readDeliveryWindows } from '../../../../src/domain/shipments/read-windows.ts';
import { sketchRoute } from '../../../../src/domain/tracking/sketch.ts';
import { type HousekeepDependencies, housekeepShard } from '../../../../src/service/sweep.ts';
import { amend, pin } from '../../../support/dispatch/amendments.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addDriver, addShipment, give, requestOf, valuesTo } from '../../../support/dispatch/shipments.ts';
import { openStoreRoom } from '../media-assets/store-room.ts';

/* The sweep deletes the personal data of recipients some time after the end of their shipments. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

const DAY_SECONDS = 24 * 3600;
const CANCEL = { name: 'CANCEL', reasonCode: 'OTHER', comment: null } as const;
const sweepOf = (process: Omit<HousekeepDependencies, 'wakeEndpoint'>) =>
  housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
const namesById = async () =>
  new Map((await shard.rows('select id, recipient_name from shipments')) as [string, string][]);

it('forgets a recipient 180 days after the end, not earlier and not before the end', async () => {
  const process = shard.process();
  const [ended, later, open] = [
    await addShipment(shard, process),
    await addShipment(shard, process),
    await addShipment(shard, process),
  ];
  await give(shard, process, ended, CANCEL);
  shard.clock.advance(120);
  await give(shard, process, later, CANCEL);
  shard.clock.advance(180 * DAY_SECONDS - 60);
  await sweepOf(process);
  const names = await namesById();
  expect([ended, later, open].map((id) => names.get(id))).toEqual(['-', 'Sara', 'Sara']);
});

it('keeps the shipment, its version and its charges, and nothing that leads to the recipient', async () => {
  const { process, upload, sweep, room, states } = openStoreRoom(shard);
  const driverId = await addDriver(shard, process);
  const { destination, recipient } = requestOf(shard);
  await upload('with-picture');
  const alternate = { alternateContactName: 'Huda', alternateContactPhone: '0500000008' };
  const id = await addShipment(shard, process, {
    externalReference: 'with-picture',
    recipient: { ...recipient, ...alternate },
    destination: { ...destination, latitude: destination.latitude },
  });
  const windows = await readDeliveryWindows(process, shard.scope, id);
  const [first] = windows.ok ? windows.value.windowsOffered : [];
  const amended = await amend(shard, process, id, {
    ...pin('24.76'),
    recipient: { name: 'Noura', phone: '0500000006', alternateContactPhone: '0500000005' },
    place: { kind: 'NEIGHBOUR', note: 'Door 8' },
    instructions: 'Ask for Noura',
    shortAddress: 'RRRD2929',
    windowStart: first && parseInstant(first.start),
  });
  expect(amended).toMatchObject({
    ok: true,
    value: { shipment: { deliveryWindowStart: first && parseInstant(first.start) } },
  });
  await amend(shard, process, id, pin('24.75'));
  await shard.rows(
    "update national_addresses set status = 'MISMATCH', found = '{}', distance_meters = 2718, check_due_at = 1, version = 2",
  );
  await give(shard, process, id, CANCEL);
  await shard.rows('insert into recipient_looks values (?, ?, 1, 1)', [id, driverId]);
  await shard.rows(
    `insert into offers (id, shipment_id, driver_id, state, offered_at, expires_at, door_arrival) values ('offer', ?, ?, 'COMPLETED', 1, 1, '{}')`,
    [id, driverId],
  );
  await shard.rows("insert into cod_collections values (?, ?, '1', 'CARD', 'Card of Noura', ?, 1, 4)", [
    id,
    shard.scope.companyId,
    driverId,
  ]);
  const facts = () =>
    shard.rows('select version, state, shipment_number, cod_amount, pickup, items, event_count from shipments');
  const charges = () => shard.rows('select lines, distance_meters from shipment_terms');
  const [factsBefore, chargesBefore] = [await facts(), await charges()];
  shard.clock.advance(181 * DAY_SECONDS);
  await shard.rows('update media_assets set due_at = due_at + 400 * 86400000000');
  await shard.rows('update recipient_looks set looked_at = ?', [String(shard.clock.now())]);
  await sweepOf(process);
  expect(await facts()).toEqual(factsBefore);
  expect(await charges()).toEqual(chargesBefore);
  const recipientColumns =
    'recipient_name, recipient_folded_name, recipient_phone, alternate_contact_name, alternate_contact_phone, destination';
  expect(await shard.rows(`select ${recipientColumns} from shipments`)).toEqual([
    [
      '-',
      '-',
      '0000',
      null,
      null,
      JSON.stringify({ addressLine: '-', cityCode: 'RUH', latitude: '24.75', longitude: '46.7' }),
    ],
  ]);
  expect(await shard.rows('select geometry from shipment_terms')).toEqual([['']]);
  expect(await shard.rows('select door_arrival from offers')).toEqual([[null]]);
  expect(
    await shard.rows(
      'select place, instructions, delivery_window_start, delivery_window_end, window_status from shipments',
    ),
  ).toEqual([[null, null, null, null, null]]);
  expect(await shard.rows('select before, after from shipment_amendments')).toEqual([
    ['{}', '{}'],
    ['{}', '{}'],
  ]);
  const address = 'select short_address, status, found, distance_meters, check_due_at, version from national_addresses';
  expect(await shard.rows(address)).toEqual([[null, 'MISMATCH', null, null, null, 2]]);
  expect(await shard.rows('select amount, method, reference from cod_collections')).toEqual([['1', 'CARD', null]]);
  expect(sketchRoute('', null)).toBeUndefined();
  expect(await shard.rows('select * from recipient_looks')).toEqual([]);
  expect(await states()).toEqual(['EXPIRED']);
  await sweep();
  expect([await states(), room.kept.size]).toEqual([[], 0]);
});

it('forgets of a return where its driver fetched it, because the buyer lives there', async () => {
  const process = shard.process();
  const driverId = await addDriver(shard, process);
  const [first, back] = [await addShipment(shard, process), await addShipment(shard, process)];
  for (const id of [first, back]) {
    await give(shard, process, id, CANCEL);
    await shard.rows(
      `insert into offers (id, shipment_id, driver_id, state, offered_at, expires_at, pickup_arrival) values (?1, ?1, ?2, 'COMPLETED', 1, 1, '{}')`,
      [id, driverId],
    );
  }
  await shard.rows(
    `insert into follow_ups (shipment_id, company_id, kind, preceding_id, root_id, attempt) values (?1, ?2, 'RETURN', ?3, ?1, 1)`,
    [back, shard.scope.companyId, first],
  );
  shard.clock.advance(181 * DAY_SECONDS);
  await sweepOf(process);
  const arrivals = new Map((await shard.rows('select shipment_id, pickup_arrival from offers')) as [string, unknown][]);
  // Elsewhere the driver was at the shop.
  expect([arrivals.get(first), arrivals.get(back)]).toEqual(['{}', null]);
});

it.each([
  ['24.713551700000002', '24.71'],
  ['24.999', '25'],
  ['-0.001', '0'],
  ['100.5', '100.5'],
  ['-46.675', '-46.67'],
  ['30', '30'],
])('rounds a coordinate of %s to %s', async (longitude, rounded) => {
  const process = shard.process();
  const id = await addShipment(shard, process);
  await give(shard, process, id, CANCEL);
  await shard.rows("update shipments set destination = json_set(destination, '$.longitude', ?)", [longitude]);
  shard.clock.advance(181 * DAY_SECONDS);
  await sweepOf(process);
  expect(await shard.rows("select destination ->> '$.longitude' from shipments")).toEqual([[rounded]]);
});

it('keeps neither keys nor events with the recipient until then, even with the shortest retention', async () => {
  const process = shard.process();
  const id = await addShipment(shard, process, { recipient: { name: 'Zaynab', phone: '0500000007' } });
  await give(shard, process, id, CANCEL);
  shard.clock.advance(30 * DAY_SECONDS + 60);
  await housekeepShard({
    ...process,
    config: { deployment: 'local', recipientRetentionDays: 30 },
    wakeEndpoint: () => Promise.resolve(),
  });
  const tables = (await shard.rows(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  )) as string[][];
  for (const [table] of tables) {
    const text = JSON.stringify(await shard.rows(`select * from ${table}`), (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect([table, /Zaynab|500000007|King Fahd/.test(text)]).toEqual([table, false]);
  }
});

it('forgets a backlog in one sweep, and touches each shipment once', async () => {
  const process = shard.process();
  const id = await addShipment(shard, process);
  await give(shard, process, id, CANCEL);
  for (const table of ['shipments', 'shipment_terms'] as const) {
    const key = table === 'shipments' ? 'id' : 'shipment_id';
    const names = (await shard.rows(`select name from pragma_table_info('${table}')`)).flat() as string[];
    const copied: Readonly<Record<string, string>> = {
      [key]: "'copy-' || n.value",
      external_reference: "'copy-' || n.value",
      shipment_number: "'copy-' || n.value",
    };
    const columns = names.map((name) => copied[name] ?? `one.${name}`).join();
    await shard.rows(
      `insert into ${table} select ${columns} from (select * from ${table} limit 1) as one, ${valuesTo(3000)} as n`,
    );
  }
  shard.clock.advance(181 * DAY_SECONDS);
  const units: number[] = [];
  const commit: typeof process.writer.commit = (unit) => (
    units.push(unit.statements.length), process.writer.commit(unit)
  );
  await sweepOf({ ...process, writer: { commit } });
  expect(await shard.rows('select recipient_name, count(*) from shipments group by 1')).toEqual([['-', 3001]]);
  const before = await shard.rows('select max(forgotten_at) from shipments');
  units.length = 0;
  await sweepOf({ ...process, writer: { commit } });
  expect(units).toEqual([]);
  expect(await shard.rows('select max(forgotten_at) from shipments')).toEqual(before);
});

it('leaves the shipments of a company that is being moved', async () => {
  const process = shard.process();
  const id = await addShipment(shard, process);
  await give(shard, process, id, CANCEL);
  shard.clock.advance(181 * DAY_SECONDS);
  await shard.rows("insert into company_moves values (?, 'FROZEN', 'shard-2', null, 'run', 1)", [
    shard.scope.companyId,
  ]);
  await sweepOf(process);
  expect((await namesById()).get(id)).toBe('Sara');
  await shard.rows('delete from company_moves');
  await sweepOf(process);
  expect((await namesById()).get(id)).toBe('-');
});
