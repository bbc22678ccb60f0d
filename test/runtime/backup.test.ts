import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../scripts/backup.ts';
import { requireDatabases } from '../../scripts/database-addresses.ts';
import { migrate } from '../../scripts/migrate.ts';
import { restore } from '../../scripts/restore.ts';
import { addCompany } from '../support/companies.ts';
import { issueToken, type OwnEnvironment } from '../support/connection.ts';
import { startCreations } from '../support/creations.ts';
import { startEnvironment } from '../support/environment.ts';
import { EVENTS, readEventPage } from '../support/events.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../support/merchant.ts';
import { expectProblem } from '../support/problem.ts';
import { readShipmentPage, shipmentBody } from '../support/shipments.ts';
import { createLink, follow } from '../support/tracking.ts';
import { expectWholeShard } from '../support/whole-shard.ts';

/* docs/operations.md, "Backups": what it says is done here, on servers and folders that are lost for good. */

/** What a text may hold that SQL, shells and dumps read as something else. */
const ODD = 'أحمد \u{1F69A} it\'s "quoted" \\n -- ; COMMIT; /* \u2028\u0301\uFEFF\u{10FFFD} %s $1 ?';

describe.each(['worker', 'deno'] as const)('a backup on %s', (runtime) => {
  let environment: OwnEnvironment;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mirsal-backup-'));
    environment = await startEnvironment(runtime);
    for (const shard of ['shard-1', 'shard-2'] as const) {
      await environment.sql(shard, 'update drivers set on_duty = 0 where company_id is null');
    }
  });
  afterAll(async () => {
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of a shard, taken under load, brings back all that was acknowledged before it, and work goes on', async () => {
    const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
    const quiet = await quietShipments(merchant);
    const { token } = await createLink(merchant, quiet[0]?.shipmentId ?? '');
    const planted = await plant(environment);
    const seen = (await readEventPage(await merchant.get(`${EVENTS}?limit=2`))).data.at(-1);

    const creations = startCreations(merchant);
    await creations.acknowledged(20);
    const before = [...creations.made];
    const [shardDump] = await backUp(databasesOf(environment), join(folder, 'shard'));
    await creations.acknowledged(creations.made.length + 20);
    await creations.stop();
    const cursor = await lastCursor(merchant);
    const late = await merchantOf(environment, await addCompany(environment, 'shard-2'));

    const lines = await lose(environment, 'shard-2', join(folder, 'shard', 'shard-2.sql'));

    // Nobody passes over what is new: not from an id of before, nor from a cursor of what was lost.
    const { shipmentId: first } = await merchant.create();
    expect(await shipmentsAfter(merchant, `after=${seen?.id}`)).toContain(first);
    expect(await shipmentsAfter(merchant, `cursor=${cursor}`)).toContain(first);

    for (const { shipmentId, text } of quiet) {
      expect(await (await merchant.get(`${SHIPMENTS}/${shipmentId}`)).text()).toBe(text);
    }
    for (const { body, key, text } of before) {
      const replay = await merchant.postShipment(body, key);
      expect([replay.status, await replay.text()]).toEqual([200, text]);
    }
    expect((await follow(environment, token)).status).toBe(200);
    expect(await readPlanted(environment)).toEqual(planted);

    // What was lost is in the log, and comes again when its merchant repeats it.
    const kept = new Set((await allShipments(merchant)).map(({ shipmentId }) => shipmentId));
    const lost = creations.made.filter(({ shipmentId }) => !kept.has(shipmentId));
    expect(lost.length).toBeGreaterThanOrEqual(20);
    const told = createdSince(lines, merchant.company.companyId);
    expect(lost.filter(({ requestId }) => !told.has(requestId))).toEqual([]);
    expect(lost.filter(({ answeredAt }) => answeredAt < Date.parse(shardDump?.beganAt ?? ''))).toEqual([]);
    for (const { body, key } of lost) expect((await merchant.postShipment(body, key)).status).toBe(201);

    await expectWholeShard(environment, 'shard-2');

    // A company that is younger than the backup: known, and without what it had set up.
    expect((await late.get(SHIPMENTS)).status).toBe(200);
    const refused = await late.postShipment(shipmentBody(late.company));
    await expectProblem(refused, {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['branchCode BRANCH_UNKNOWN', 'pickupLocationCode PICKUP_LOCATION_UNKNOWN'],
    });
  });

  it('of the directory leaves out whoever came after it, whose shipments wait in their shard', async () => {
    const known = await merchantOf(environment, await addCompany(environment, 'shard-1'));
    await backUp(databasesOf(environment), join(folder, 'directory'));
    const revoked = await issueToken(environment, known.company);
    await revoke(environment, known, revoked);
    const late = await merchantOf(environment, await addCompany(environment, 'shard-1'));
    const { shipmentId } = await late.createApproved();
    const { token } = await createLink(late, shipmentId);
    expect((await withToken(environment, revoked)).status).toBe(401);

    await lose(environment, 'directory', join(folder, 'directory', 'directory.sql'));

    await known.create();
    await expectProblem(await late.get(SHIPMENTS), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect((await follow(environment, token)).status).toBe(200);
    // What was taken back after the backup is good again: the runbook says how it is ended.
    expect((await withToken(environment, revoked)).status).toBe(200);
    const unknown = await companiesOnlyIn(environment);
    expect(unknown).toEqual([late.company.companyId]);
  });
});

/** Stops the service, loses a database with its disk, and does as the runbook says. Answers what the service had logged. */
async function lose(environment: OwnEnvironment, id: 'directory' | 'shard-2', dump: string): Promise<string[]> {
  const { directory, shards } = environment.databases;
  const server = id === 'directory' ? directory : shards[id];
  const lines = [...environment.service.logs()];
  await server.kill();
  rmSync(server.folder, { recursive: true });
  await restore({ dump, folder: server.folder });
  await server.restart();
  expect(await migrate({ kind: id === 'directory' ? 'directory' : 'shard', url: server.url })).toEqual([]);
  await environment.restart({});
  // As it starts, sqld does not sync its commits: the first write asks it to.
  const company = await addCompany(environment, id === 'directory' ? 'shard-1' : id);
  await (await merchantOf(environment, company)).create();
  expect((await environment.fetch('/ready')).status).toBe(200);
  return lines;
}

function databasesOf(environment: OwnEnvironment) {
  return requireDatabases({ ...environment.variables });
}

/** Shipments that nothing happens to any more, with the bytes that they are answered with. */
async function quietShipments(merchant: Merchant) {
  const recipient = { name: ODD, phone: '0512345678' };
  const made = [
    await merchant.createApproved({ recipient, items: [{ description: ODD, quantity: 1, weightKilograms: 0.5 }] }),
    await merchant.createApproved({ declaredValue: JSON.rawJSON('1234567890123456.78') }),
    await merchant.createApproved(),
  ];
  await merchant.cancel(made[2]?.shipmentId ?? '');
  return Promise.all(
    made.map(async ({ shipmentId }) => ({
      shipmentId,
      text: await (await merchant.get(`${SHIPMENTS}/${shipmentId}`)).text(),
    })),
  );
}

/** What no column of the service holds, and a column of a later one may: in a table of its own. */
async function plant(environment: OwnEnvironment): Promise<string> {
  const client = createClient({ url: environment.databaseUrls['shard-2'] });
  await client.execute('create table planted (whole integer, words text, bytes blob)');
  const rows = [
    [9_223_372_036_854_775_807n, `${ODD}\r\n\t\u0001 \\r and a line\n`, new Uint8Array([0, 39, 92, 255])],
    [-9_223_372_036_854_775_808n, '', new Uint8Array()],
    [9_007_199_254_740_993n, 'NULL', null],
  ];
  for (const args of rows) await client.execute({ sql: 'insert into planted values (?, ?, ?)', args });
  client.close();
  return readPlanted(environment);
}

async function readPlanted(environment: OwnEnvironment): Promise<string> {
  const select = 'select group_concat(cast(whole as text) || hex(words) || quote(bytes)) as all_of_it from planted';
  const [row] = await environment.sql('shard-2', select);
  const { all_of_it: text } = row ?? {};
  if (typeof text !== 'string' || !text.includes('9223372036854775807')) throw new Error('Nothing is planted');
  return text;
}

/** The cursor behind all events of a company but the last. */
async function lastCursor(merchant: Merchant): Promise<string> {
  for (let query = 'limit=100'; ; ) {
    const { page, data } = await readEventPage(await merchant.get(`${EVENTS}?${query}`));
    if (page.nextCursor !== null) query = `limit=100&cursor=${page.nextCursor}`;
    else {
      const begin = query.replace('limit=100', `limit=${data.length - 1}`);
      const { nextCursor } = (await readEventPage(await merchant.get(`${EVENTS}?${begin}`))).page;
      return nextCursor ?? '';
    }
  }
}

async function shipmentsAfter(merchant: Merchant, begin: string): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (let query = `limit=100&${begin}`; ; ) {
    const { page, data } = await readEventPage(await merchant.get(`${EVENTS}?${query}`));
    found.push(...data.map(({ shipmentId }) => shipmentId));
    if (page.nextCursor === null) return found;
    const kept = begin.startsWith('after=') ? `&${begin}` : '';
    query = `limit=100&cursor=${page.nextCursor}${kept}`;
  }
}

async function allShipments(merchant: Merchant) {
  const found = [];
  for (let query = 'limit=100'; ; ) {
    const { page, data } = await readShipmentPage(await merchant.get(`${SHIPMENTS}?${query}`));
    found.push(...data);
    if (page.nextCursor === null) return found;
    query = `limit=100&cursor=${page.nextCursor}`;
  }
}

/** The request ids of a company's creations, as the runbook looks for them. */
function createdSince(lines: readonly string[], companyId: string): Set<string> {
  const logged = lines.filter((line) => line.includes('"requestId"')).map((line) => JSON.parse(line) as LogLine);
  const created = logged.filter(
    ({ method, route, status, company }) =>
      method === 'POST' && route === SHIPMENTS && status === 201 && company === companyId,
  );
  return new Set(created.map(({ requestId }) => requestId));
}

interface LogLine {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly company: string;
}

async function revoke(environment: OwnEnvironment, { company }: Merchant, token: string): Promise<void> {
  const { clientId, clientSecret } = company;
  const form = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
  expect((await environment.fetch('/oauth/revoke', { method: 'POST', body: form })).status).toBe(200);
}

function withToken(environment: OwnEnvironment, token: string): Promise<Response> {
  return environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${token}` } });
}

/** Companies that have places in a shard and are not in the directory. */
async function companiesOnlyIn(environment: OwnEnvironment): Promise<unknown[]> {
  const inShard = await environment.sql('shard-1', 'select distinct company_id as id from branches');
  const known = new Set((await environment.sql('directory', 'select id from companies')).map(({ id }) => id));
  return inShard.map(({ id }) => id).filter((id) => !known.has(id));
}
