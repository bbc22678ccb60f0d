import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireDatabases } from '../../scripts/database-addresses.ts';
import { abandonMove, moveCompany } from '../../scripts/moving/move.ts';
import { addCompany } from '../support/companies.ts';
import type { OwnEnvironment, TestCompany } from '../support/connection.ts';
import { startCreations } from '../support/creations.ts';
import { startEnvironment } from '../support/environment.ts';
import { EVENTS, readEventPage } from '../support/events.ts';
import { merchantOf, SHIPMENTS } from '../support/merchant.ts';
import { allSettled, idsAfter, readPatiently, runCommand, startReads, takingWrites } from '../support/moves.ts';
import { expectProblem } from '../support/problem.ts';
import { answering, verified } from '../support/receiver.ts';
import { readShipmentPage, shipmentBody } from '../support/shipments.ts';
import type { ShardId } from '../support/sql.ts';
import { receivers, subscribe } from '../support/subscription.ts';
import { createLink, follow } from '../support/tracking.ts';
import { until } from '../support/until.ts';
import { expectWholeShard } from '../support/whole-shard.ts';

/* docs/operations.md, "Move a company": on a service that goes on, and ended at every step. */

const { start, close } = receivers();
afterAll(close);

describe.each(['worker', 'deno'] as const)('a move on %s', (runtime) => {
  let environment: OwnEnvironment;
  beforeAll(async () => {
    environment = await startEnvironment(runtime);
    await sendDriversHome(environment);
  });
  afterAll(() => environment.stop());

  it('loses nothing and doubles nothing of a company that works on meanwhile, and touches no other', async () => {
    const one = await subscribe(environment, await start());
    const { merchant, company } = one;
    const driver = await one.signIn();
    const delivered = await one.create();
    await one.play(delivered.shipmentId, 'HAPPY_PATH');
    await one.untilState(delivered.shipmentId, 'DELIVERED');
    const { token } = await createLink(merchant, (await one.create()).shipmentId);
    const withDriver = await one.create();
    await one.untilState(withDriver.shipmentId, 'OFFERED');
    await driver.act(withDriver.shipmentId, { action: 'ACCEPT' });
    const seen = (await readEventPage(await merchant.get(`${EVENTS}?limit=3`))).data.at(-1);
    const feedCursor = (await readEventPage(await merchant.get(`${EVENTS}?limit=3`))).page.nextCursor;
    const listCursor = (await readShipmentPage(await merchant.get(`${SHIPMENTS}?limit=1`))).page.nextCursor;
    const text = await (await merchant.get(`${SHIPMENTS}/${delivered.shipmentId}`)).text();
    // From here on its receiver takes nothing, until the company has moved.
    one.receiver.respond = answering(429, { 'retry-after': '5' });

    const other = await merchantOf(environment, await addCompany(environment, 'shard-1'));
    const [creations, others] = [startCreations(merchant), startCreations(other, 1)];
    const reads = startReads(merchant, `${SHIPMENTS}/${delivered.shipmentId}`);
    await creations.acknowledged(10);
    expect(await runCommand(environment, company, 'shipments: ')).toBe('SIGKILL');
    expect(await runCommand(environment, company)).toBe('code 0');
    await creations.acknowledged(creations.made.length + 10);
    await Promise.all([creations.stop(), others.stop()]);
    expect(await reads.stop()).toEqual([]);
    expect(others.refused).toEqual([]);
    expect(creations.refused.every((status) => status === 503)).toBe(true);
    one.receiver.respond = answering(200);

    await environment.service.sweep();
    for (const { body, key, text: first } of creations.made) {
      const replay = await merchant.postShipment(body, key);
      expect([replay.status, await replay.text()]).toEqual([200, first]);
    }
    expect(await (await merchant.get(`${SHIPMENTS}/${delivered.shipmentId}`)).text()).toBe(text);
    expect((await follow(environment, token)).status).toBe(200);
    expect((await driver.act(withDriver.shipmentId, { action: 'PICK_UP' })).status).toBe(200);
    await expectProblem(await merchant.get(`${EVENTS}?limit=3&cursor=${feedCursor}`), {
      status: 400,
      code: 'INVALID_CURSOR',
    });
    expect((await merchant.get(`${SHIPMENTS}?limit=1&cursor=${listCursor}`)).status).toBe(200);
    const told = await idsAfter(merchant, seen?.id ?? '');
    for (const { shipmentId } of creations.made) expect(told).toContain(shipmentId);
    await expectOnlyIn(environment, company, 'shard-2');
    for (const shard of ['shard-1', 'shard-2'] as const) await expectWholeShard(environment, shard);

    // Every event was delivered, each shipment's in its order, and none twice that had been taken.
    await until('everything is delivered', async () => await allSettled(environment, company), { withinMs: 45_000 });
    const taken = one.receiver.received.map((each) => verified(one.endpoint.signingSecret, each));
    const sequences = new Map<string, number[]>();
    for (const event of new Map(taken.map((each) => [each.id, each])).values()) {
      const known = sequences.get(event.shipmentId ?? '') ?? [];
      sequences.set(event.shipmentId ?? '', [...known, event.sequence]);
    }
    for (const { shipmentId } of creations.made) {
      expect(sequences.get(shipmentId)?.slice(0, 2)).toEqual([1, 2]);
    }
  }, 180_000);

  it('waits for drivers of the shard, gives them nothing new of it meanwhile, and can be abandoned', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
    const { shipmentId } = await merchant.createApproved();
    await offerToSomebody(environment, shipmentId);
    const options = optionsOf(environment, merchant.company, 'shard-1');
    await expect(moveCompany({ ...options, drainMs: 0 })).rejects.toThrow('Drivers still have shipments');
    // Somebody could take what comes now: he is offered nothing of it until it is said that the company stays.
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

describe('a move that is ended', () => {
  let environment: OwnEnvironment;
  beforeAll(async () => {
    environment = await startEnvironment('deno');
    await sendDriversHome(environment);
  });
  afterAll(() => environment.stop());

  it('after any of its steps goes on where it was, and never do two shards take writes', async () => {
    const one = await subscribe(environment, await start());
    const { shipmentId } = await one.create();
    await one.play(shipmentId, 'HAPPY_PATH');
    await one.untilState(shipmentId, 'DELIVERED');
    const text = await (await one.merchant.get(`${SHIPMENTS}/${shipmentId}`)).text();
    await moveEndedEverywhere(environment, one.company, 'shard-2');
    await expectOnlyIn(environment, one.company, 'shard-2');
    expect(await readPatiently(one.merchant, shipmentId)).toBe(text);
    // And back again, to where it is still known that it had gone.
    await moveEndedEverywhere(environment, one.company, 'shard-1');
    await expectOnlyIn(environment, one.company, 'shard-1');
    expect(await readPatiently(one.merchant, shipmentId)).toBe(text);
    for (const shard of ['shard-1', 'shard-2'] as const) await expectWholeShard(environment, shard);
  }, 180_000);
});

async function sendDriversHome(environment: OwnEnvironment): Promise<void> {
  for (const shard of ['shard-1', 'shard-2'] as const) {
    await environment.sql(shard, 'update drivers set on_duty = 0 where company_id is null');
  }
}

function optionsOf(environment: OwnEnvironment, { companyId }: TestCompany, to: ShardId) {
  const databases = requireDatabases({ ...environment.variables });
  return { databases, companyId, to, requireDurable: true, drainMs: 20_000, settleMs: 0, onStep: () => undefined };
}

/** After each of these the process is gone, and the next one knows only what is in the databases. */
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

async function expectOnlyIn(environment: OwnEnvironment, { companyId }: TestCompany, shard: ShardId): Promise<void> {
  for (const table of [
    'shipments',
    'events',
    'webhook_deliveries',
    'idempotency_records',
    'branches',
    'tracking_links',
  ]) {
    const count = `select count(*) as total from ${table} where company_id = ?`;
    const emptied = shard === 'shard-1' ? 'shard-2' : 'shard-1';
    expect([table, (await environment.sql(emptied, count, [companyId]))[0]]).toEqual([table, { total: 0 }]);
  }
  const [row] = await environment.sql('directory', 'select shard from companies where id = ?', [companyId]);
  expect(row).toEqual({ shard });
  expect(await takingWrites(environment, { companyId })).toEqual([shard]);
}

/** Of one driver of the shard, in the city of the tests' pickup locations. */
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
  await environment.sql('shard-2', "update shipments set state = 'ACCEPTED', due_at = null where id = ?", [shipmentId]);
}
