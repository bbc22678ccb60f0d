import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { abandonMove, moveCompany } from '../../scripts/operate/moving/move.ts';
import { addBranch, addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment, TestCompany } from '../../scripts/shared/connection.ts';
import { requireDatabases } from '../../scripts/shared/database-addresses.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { createLink, follow } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import {
  allDelivered,
  eventsAfter,
  expectOnlyIn,
  outOfTurn,
  readPatiently,
  runCommand,
  sentTo,
  takingWrites,
} from '../support/moves.ts';
import { ownedRows, stillRows } from '../support/owned-rows.ts';
import { receivers, type Subscription, subscribe } from '../support/subscription.ts';
import { expectWholeShards } from '../support/whole-shard.ts';
import { startWithoutDrivers } from '../support/without-drivers.ts';

/* The steps of docs/operations.md, "Move a company": interrupted at every step, waiting for drivers, and abandoned. */

const { start, close } = receivers();
afterAll(close);

describe.each(['worker', 'deno'] as const)('a move on %s', (runtime) => {
  let environment: OwnEnvironment;
  beforeAll(async () => {
    environment = await startWithoutDrivers(runtime);
  });
  afterAll(() => environment.stop());

  it('waits for the drivers of the shard, offers them nothing new, and can be abandoned', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
    const { shipmentId } = await merchant.createApproved();
    await offerToSomebody(environment, shipmentId);
    const options = optionsOf(environment, merchant.company, 'shard-1');
    await expect(moveCompany({ ...options, drainMs: 0 })).rejects.toThrow('Drivers still have parcels');
    // A driver is free, but is offered nothing of this company until the move is abandoned.
    await setDuty(environment, 1);
    const late = await merchant.createApproved();
    await environment.service.sweep();
    const bystander = await merchantOf(environment, await addCompany(environment, 'shard-2'));
    const offered = await bystander.create();
    await until('the other one is offered', () => hasOffer(environment, offered.shipmentId));
    expect(await hasOffer(environment, late.shipmentId)).toBeUndefined();
    await setDuty(environment, 0);
    await abandonMove(options);
    expect((await merchant.postShipment(shipmentBody(merchant.company))).status).toBe(201);
    await environment.sql('shard-2', "update offers set state = 'WITHDRAWN' where shipment_id = ?", [shipmentId]);
    await moveCompany(options);
    await expectOnlyIn(environment, merchant.company, 'shard-1');
  });
});

describe('a move that is interrupted', () => {
  let environment: OwnEnvironment;
  beforeAll(async () => {
    environment = await startWithoutDrivers('deno');
  });
  afterAll(() => environment.stop());

  it('continues after any of its steps, and never lets two shards take writes', async () => {
    const { one, text, shipmentId, rows } = await quietCompany(environment);
    await moveEndedEverywhere(environment, one.company, 'shard-2');
    await expectOnlyIn(environment, one.company, 'shard-2');
    expect(await readPatiently(one.merchant, shipmentId)).toBe(text);
    expect(await ownedRows(environment, { ...one.company, shard: 'shard-2' })).toEqual(rows);
    // And back to the shard that still forwards to the other.
    await moveEndedEverywhere(environment, one.company, 'shard-1');
    await expectOnlyIn(environment, one.company, 'shard-1');
    expect(await readPatiently(one.merchant, shipmentId)).toBe(text);
    expect(await ownedRows(environment, one.company)).toEqual(rows);
    await expectWholeShards(environment);
  }, 180_000);

  it('can be abandoned after the copy: the copy is removed, and the company stays', async () => {
    const { one, text, shipmentId, rows } = await quietCompany(environment);
    await expect(moveCompany(endingAt(environment, one.company, 'audit_entries: '))).rejects.toThrow('ended here');
    expect(await ownedRows(environment, { ...one.company, shard: 'shard-2' })).toEqual(rows);
    expect(await takingWrites(environment, one.company)).toEqual([]);
    expect(await runCommand(environment, one.company, { isAbandoned: true })).toBe('code 0');
    await expectOnlyIn(environment, one.company, 'shard-1');
    expect(await ownedRows(environment, one.company)).toEqual(rows);
    expect(await readPatiently(one.merchant, shipmentId)).toBe(text);
    await expectToGoOn(environment, one);
    await expectWholeShards(environment);
    // It can move again. Afterwards it cannot be abandoned.
    await expect(moveCompany(endingAt(environment, one.company, 'moved'))).rejects.toThrow('ended here');
    await expect(abandonMove(optionsOf(environment, one.company, 'shard-2'))).rejects.toThrow('has already moved');
    await moveCompany(optionsOf(environment, one.company, 'shard-2'));
    await expectOnlyIn(environment, one.company, 'shard-2');
  }, 120_000);

  it('forwards tokens of the target shard after it was abandoned', async () => {
    const { one, text, shipmentId, token } = await quietCompany(environment);
    await moveCompany(optionsOf(environment, one.company, 'shard-2'));
    // Back to the shard that its tokens name: interrupted as soon as that shard would answer them itself.
    const select = "select 1 from company_moves where company_id = ? and state = 'FROZEN' and forward_to is null";
    const killedWhen = async () => (await environment.sql('shard-1', select, [one.company.companyId])).length > 0;
    expect(await runCommand(environment, one.company, { to: 'shard-1', killedWhen })).toBe('SIGKILL');
    expect(await runCommand(environment, one.company, { to: 'shard-1', isAbandoned: true })).toBe('code 0');
    await expectOnlyIn(environment, one.company, 'shard-2');
    expect(await readPatiently(one.merchant, shipmentId)).toBe(text);
    expect((await follow(environment, token)).status).toBe(200);
    await expectToGoOn(environment, one);
    await expectWholeShards(environment);
  }, 120_000);

  it('would be noticed if it duplicated something', async () => {
    const { one, rows } = await quietCompany(environment);
    const { company } = one;
    await expectWholeShards(environment);
    await addBranch(environment, { ...company, shard: 'shard-2' }, company);
    await expect(expectWholeShards(environment)).rejects.toThrow('rows in both shards');
    await environment.sql('shard-2', 'delete from branches where company_id = ?', [company.companyId]);
    for (const [table, changes, breach] of DOUBLES) {
      const double = { ...rows[table]?.[0], ...changes, id: v7() };
      const places = Object.keys(double)
        .map(() => '?')
        .join();
      const insert = `insert into ${table} (${Object.keys(double).join()}) values (${places})`;
      await environment.sql('shard-1', insert, Object.values(double));
      await expect(expectWholeShards(environment), table).rejects.toThrow(breach);
      await environment.sql('shard-1', `delete from ${table} where id = ?`, [double.id]);
    }
    await expectWholeShards(environment);
  });
});

/** Changes of one row that the keys of a shard would allow twice, and how they are noticed. */
const DOUBLES = [
  ['webhook_deliveries', { attempt_count: 0 }, 'an event that goes to an endpoint twice'],
  [
    'webhook_deliveries',
    { replay_of: 'another', only_attempt: null },
    'a delivery that has another number of attempts',
  ],
  ['events', { shipment_id: null }, 'an event that says another id than its row'],
] as const;

/** A company whose rows no longer change. */
async function quietCompany(environment: OwnEnvironment) {
  const one = await subscribe(environment, await start());
  const { shipmentId } = await one.create();
  const { token } = await createLink(one.merchant, shipmentId);
  await one.play(shipmentId, 'HAPPY_PATH');
  await one.untilState(shipmentId, 'DELIVERED');
  const text = await (await one.merchant.get(`${SHIPMENTS}/${shipmentId}`)).text();
  return { one, shipmentId, token, text, rows: await stillRows(environment, one.company) };
}

/** Reads, writes and events work: a shipment is finished, and the feed and the receiver have all its events. */
async function expectToGoOn(environment: OwnEnvironment, one: Subscription): Promise<void> {
  const { shipmentId } = await one.create();
  await one.play(shipmentId, 'HAPPY_PATH');
  await one.untilState(shipmentId, 'DELIVERED');
  const events = (await eventsAfter(one.merchant)).filter((event) => event.shipmentId === shipmentId);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)?.type).toBe('shipment.delivered');
  await until('everything is delivered', () => allDelivered(environment, one), { everyMs: 250 });
  expect(outOfTurn(sentTo(one))).toEqual([]);
}

function optionsOf(environment: OwnEnvironment, { companyId }: TestCompany, to: ShardId) {
  const databases = requireDatabases({ ...environment.variables });
  return { databases, companyId, to, requireDurable: true, drainMs: 20_000, settleMs: 0, onStep: () => undefined };
}

function endingAt(environment: OwnEnvironment, company: TestCompany, end: string) {
  const onStep = (step: string) => {
    if (step.startsWith(end)) throw new Error('ended here');
  };
  return { ...optionsOf(environment, company, 'shard-2'), onStep };
}

/** The move is killed after each of these steps. The next process knows only what is in the databases. */
const ENDS = [
  ...['begun', 'frozen', 'room made', 'shipments: ', 'webhook_deliveries: ', 'audit_entries: '],
  ...['moved', 'links follow', 'it lives there', 'directory', 'the old rows are gone'],
];

async function moveEndedEverywhere(environment: OwnEnvironment, company: TestCompany, to: ShardId): Promise<void> {
  for (const end of ENDS) {
    const onStep = async (step: string) => {
      if (!step.startsWith(end)) return;
      const expected =
        ENDS.indexOf(end) < ENDS.indexOf('frozen') || ENDS.indexOf(end) >= ENDS.indexOf('it lives there');
      expect((await takingWrites(environment, company)).length, end).toBe(expected ? 1 : 0);
      throw new Error('ended here');
    };
    await expect(moveCompany({ ...optionsOf(environment, company, to), onStep }), end).rejects.toThrow('ended here');
  }
  await moveCompany(optionsOf(environment, company, to));
}

/** The session of a driver of the shard, in the city of the tests' pickup locations. */
async function setDuty(environment: OwnEnvironment, onDuty: 0 | 1): Promise<void> {
  const update =
    "update drivers set on_duty = ?, city_code = 'AHB', active_max = active_count + 5 where id = (select id from drivers where company_id is null order by id desc limit 1)";
  await environment.sql('shard-2', update, [onDuty]);
}

async function hasOffer(environment: OwnEnvironment, shipmentId: string): Promise<true | undefined> {
  const rows = await environment.sql('shard-2', 'select id from offers where shipment_id = ?', [shipmentId]);
  return rows.length > 0 ? true : undefined;
}

async function offerToSomebody(environment: OwnEnvironment, shipmentId: string): Promise<void> {
  const [driver] = await environment.sql('shard-2', 'select id from drivers where company_id is null limit 1');
  const insert =
    "insert into offers (id, shipment_id, driver_id, state, offered_at, expires_at) values (?, ?, ?, 'ACCEPTED', 1, 2)";
  await environment.sql('shard-2', insert, [shipmentId, shipmentId, driver?.['id'] ?? null]);
  await environment.sql(
    'shard-2',
    "update shipments set state = 'ACCEPTED', stage = 'WITH_DRIVER', due_at = null where id = ?",
    [shipmentId],
  );
}
