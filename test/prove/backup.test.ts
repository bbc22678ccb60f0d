import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../scripts/operate/backup.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken, type OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startWithoutDrivers } from '../../scripts/shared/environment.ts';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipmentPage, shipmentBody } from '../../scripts/shared/shipments.ts';
import { createLink, follow } from '../../scripts/shared/tracking.ts';
import { databasesOf, type LostShard, lose, loseShard, readPlanted } from '../support/lost-shard.ts';
import { expectProblem } from '../support/problem.ts';
import { expectWholeShard } from '../support/whole-shard.ts';

/* docs/operations.md, "Backups": what it says is done here, on servers and folders that are lost for good. */

describe.each(['worker', 'deno'] as const)('a backup on %s', (runtime) => {
  let environment: OwnEnvironment;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mirsal-backup-'));
    environment = await startWithoutDrivers(runtime);
  });
  afterAll(async () => {
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('of a shard, taken under load, brings back all that was acknowledged before it, and work goes on', () => {
    let shard: LostShard;
    beforeAll(async () => {
      shard = await loseShard(environment, folder);
    }, 120_000);

    it('nobody passes over what is new: not from an id of before, nor from a cursor of what was lost', async () => {
      const { shipmentId } = await shard.merchant.create();
      expect(await shipmentsAfter(shard.merchant, `after=${shard.seenId}`)).toContain(shipmentId);
      expect(await shipmentsAfter(shard.merchant, `cursor=${shard.cursor}`)).toContain(shipmentId);
    });

    it('what was acknowledged before is there, byte for byte', async () => {
      const { merchant, quiet, before } = shard;
      expect(before.length).toBeGreaterThanOrEqual(20);
      for (const { shipmentId, text } of quiet) {
        expect(await (await merchant.get(`${SHIPMENTS}/${shipmentId}`)).text()).toBe(text);
      }
      for (const { body, key, text } of before) {
        const replay = await merchant.postShipment(body, key);
        expect([replay.status, await replay.text()]).toEqual([200, text]);
      }
      expect((await follow(environment, shard.linkToken)).status).toBe(200);
      expect(await readPlanted(environment)).toBe(shard.planted);
    });

    it('what was lost is in the log, and comes again when its merchant repeats it', async () => {
      const { merchant, made, lines, beganAt } = shard;
      const kept = new Set((await allShipments(merchant)).map(({ shipmentId }) => shipmentId));
      const lost = made.filter(({ shipmentId }) => !kept.has(shipmentId));
      expect(lost.length).toBeGreaterThanOrEqual(20);
      const told = createdSince(lines, merchant.company.companyId);
      expect(lost.filter(({ requestId }) => !told.has(requestId))).toEqual([]);
      expect(Date.parse(beganAt)).toBeGreaterThan(0);
      expect(lost.filter(({ answeredAt }) => answeredAt < Date.parse(beganAt))).toEqual([]);
      for (const { body, key } of lost) expect((await merchant.postShipment(body, key)).status).toBe(201);
      await expectWholeShard(environment, 'shard-2');
    });

    it('a company that is younger than the backup is known, and without what it had set up', async () => {
      const { late } = shard;
      expect((await late.get(SHIPMENTS)).status).toBe(200);
      await expectProblem(await late.postShipment(shipmentBody(late.company)), {
        status: 422,
        code: 'VALIDATION_FAILED',
        violations: ['branchCode BRANCH_UNKNOWN', 'pickupLocationCode PICKUP_LOCATION_UNKNOWN'],
      });
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
