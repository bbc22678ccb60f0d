import { afterEach, describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import type { Started } from '../runtime/service.ts';
import { expectProblem } from '../support/problem.ts';

/** The longest time until a request is refused because a database is down. */
const ANSWER_WITHIN_MS = 12_000;
const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' } as const;

/** Databases that go down and come back while the service runs. */
export function describeOutages(started: Started): void {
  describe('while a database is down', () => {
    afterEach(async () => {
      const { databases } = started();
      for (const server of [databases.directory, ...Object.values(databases.shards)]) server.resume();
    });

    it('answers 503 for a killed shard and works for the others, and syncs commits once the shard is back', async () => {
      const environment = started();
      const shard = environment.databases.shards['shard-1'];
      const merchant = await merchantOf(environment, environment.companies[0]);
      const other = await merchantOf(environment, environment.companies[1]);
      const before = await merchant.createApproved();
      await shard.kill();

      await expectRetryable(await merchant.get(`${SHIPMENTS}/${before.shipmentId}`));
      await expectRetryable(await merchant.get(SHIPMENTS));
      await expectRetryable(await merchant.postShipment(shipmentBody(merchant.company)));
      await expectRetryable(await merchant.cancel(before.shipmentId));
      await expectNotReady(environment, 'shard-1');
      expect((await other.create()).version).toBe(0);

      await shard.restart();
      // sqld does not sync its commits after a start. The writer must switch it on.
      const after = await eventually(() => merchant.postShipment(shipmentBody(merchant.company)));
      expect(after.status).toBe(201);
      expect(await environment.sql('shard-1', 'PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
      // An answer of /ready counts for two seconds.
      await expect.poll(async () => (await environment.fetch('/ready')).status).toBe(200);
      expect(await readShipment(await merchant.get(`${SHIPMENTS}/${before.shipmentId}`))).toEqual(before);
    });

    it('answers within the deadline for a shard that hangs, and a retry gives exactly one shipment', async () => {
      const environment = started();
      const shard = environment.databases.shards['shard-2'];
      const merchant = await merchantOf(environment, environment.companies[1]);
      const before = await merchant.createApproved();
      const body = shipmentBody(merchant.company);
      const create = () => merchant.postShipment(body, { 'idempotency-key': String(body['externalReference']) });
      shard.pause();
      const creations = Array.from({ length: 3 }, () => inTime(create()));
      const [read, cancelled] = [
        inTime(merchant.get(`${SHIPMENTS}/${before.shipmentId}`)),
        inTime(merchant.cancel(before.shipmentId)),
      ];
      await expectRetryable(await read);
      await expectRetryable(await cancelled);
      await expectOneOnItsWay(await Promise.all(creations));
      await expectNotReady(environment, 'shard-2');

      shard.resume();
      const retried = await eventually(create);
      expect([200, 201]).toContain(retried.status);
      const { shipmentId, externalReference } = await readShipment(retried);
      const select = 'select id from shipments where company_id = ? and external_reference = ?';
      const rows = await environment.sql('shard-2', select, [merchant.company.companyId, externalReference]);
      expect(rows).toEqual([{ id: shipmentId }]);
      await expectSettled(environment, merchant, before.shipmentId);
    });

    it('is ready while the writes of one shard are blocked, and not when no shard takes writes, until they work again', async () => {
      const environment = started();
      const { shards } = environment.databases;
      const [first, second] = [
        await merchantOf(environment, environment.companies[0]),
        await merchantOf(environment, environment.companies[1]),
      ];
      const create = (merchant: Merchant) => merchant.postShipment(shipmentBody(merchant.company));
      await blockWrites(shards['shard-1'].adminUrl, true);
      await expectRetryable(await create(first));
      await expect.poll(() => writability(environment)).toEqual([200, false, 'shard-1']);
      expect((await create(second)).status).toBe(201);
      await blockWrites(shards['shard-2'].adminUrl, true);
      await expectRetryable(await create(second));
      await expect.poll(() => writability(environment)).toEqual([503, false, 'shard-1', 'shard-2']);
      await Promise.all(Object.values(shards).map(({ adminUrl }) => blockWrites(adminUrl, false)));
      // Nobody writes: `/ready` finds it by itself.
      await expect.poll(() => writability(environment)).toEqual([200, true]);
      expect((await create(first)).status).toBe(201);
    });

    it('keeps permits for the other shards when many requests wait for one that hangs', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, environment.companies[1]);
      const other = await merchantOf(environment, environment.companies[0]);
      expect((await merchant.get(SHIPMENTS)).status).toBe(200);
      environment.databases.shards['shard-2'].pause();
      // More requests than a process admits. No request has timed out yet.
      const asked = Array.from({ length: 420 }, () => inTime(merchant.get(SHIPMENTS)));
      await expectRetryable(await Promise.race(asked));
      expect((await other.get(SHIPMENTS)).status).toBe(200);
      const answers = await Promise.all(asked);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      const ofTheCrowd = answers.filter(({ headers }) => headers.get('retry-after') === '2');
      expect(ofTheCrowd.length).toBeGreaterThanOrEqual(420 - 384);
    });

    it('keeps every shipment that it answered with 201, whenever the database is killed', async () => {
      const environment = started();
      const shard = environment.databases.shards['shard-2'];
      const merchant = await merchantOf(environment, await addCompany(environment, 'shard-2'));
      const requests = Array.from({ length: 60 }, () => ({
        body: shipmentBody(merchant.company),
        key: { 'idempotency-key': newKey() },
      }));
      const { promise: someAreIn, resolve: letGo } = Promise.withResolvers<void>();
      const sending = requests.map(async ({ body, key }, index) => {
        if (index >= 30) await someAreIn;
        const response = await merchant.postShipment(body, key);
        if (response.status === 201) letGo();
        return response.status === 201 ? (await readShipment(response)).shipmentId : undefined;
      });
      await someAreIn;
      await shard.kill();
      const answered = await Promise.all(sending);
      await shard.restart();

      const kept = async () => {
        const select = 'select id, external_reference as reference from shipments where company_id = ?';
        return environment.sql('shard-2', select, [merchant.company.companyId]);
      };
      const ids = new Set((await kept()).map(({ id }) => id));
      expect(answered.filter((id) => id !== undefined && !ids.has(id))).toEqual([]);
      for (const { body, key } of requests) {
        const response = await eventually(() => merchant.postShipment(body, key));
        expect([200, 201]).toContain(response.status);
      }
      const references = (await kept()).map(({ reference }) => reference);
      expect(references).toHaveLength(60);
      expect(new Set(references)).toEqual(new Set(requests.map(({ body }) => body['externalReference'])));
    });

    it('answers 503 to new callers while the directory is down, and serves known ones', async () => {
      const environment = started();
      const { directory } = environment.databases;
      const company = await addCompany(environment, 'shard-1');
      const known = await merchantOf(environment, environment.companies[0]);
      expect((await known.get(SHIPMENTS)).status).toBe(200);
      const unseen = await merchantOf(environment, company);
      await directory.kill();

      await expectRetryable(await unseen.get(SHIPMENTS));
      expect((await known.get(SHIPMENTS)).status).toBe(200);
      const { clientId, clientSecret } = company;
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const refused = await environment.fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable', code: 'SERVICE_UNAVAILABLE' });

      await directory.restart();
      expect((await eventually(() => unseen.get(SHIPMENTS))).status).toBe(200);
    });
  });
}

async function expectRetryable(response: Response): Promise<void> {
  await expectProblem(response, UNAVAILABLE);
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

/** The first request with a key is answered 503. Its repeats are answered 409, because the first is still running. */
async function expectOneOnItsWay(answers: readonly Response[]): Promise<void> {
  for (const answer of answers) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  const problems = await Promise.all(answers.map(async (answer) => (await answer.json()) as Record<string, unknown>));
  const outcomes = problems.map(({ status, code }) => `${String(status)} ${String(code)}`);
  expect(outcomes.filter((outcome) => outcome === '409 IDEMPOTENCY_REQUEST_IN_PROGRESS')).toHaveLength(2);
  expect(outcomes).toContain('503 SERVICE_UNAVAILABLE');
}

async function expectNotReady(environment: OwnEnvironment, database: string): Promise<void> {
  const silent = async () => {
    const ready = await environment.fetch('/ready');
    const { status, databases } = (await ready.json()) as {
      status: string;
      databases: { database: string; answers: boolean }[];
    };
    const names = databases.filter(({ answers }) => !answers).map((one) => one.database);
    return [ready.status, status, /^[1-9]\d*$/.test(ready.headers.get('retry-after') ?? ''), ...names];
  };
  // An answer of /ready counts for two seconds.
  await expect.poll(silent).toEqual([503, 'not_ready', true, database]);
}

/** The status of `/ready`, whether shipments are possible, and the databases that take no writes. */
async function writability(environment: OwnEnvironment) {
  const ready = await environment.fetch('/ready');
  const { shipments, databases } = (await ready.json()) as {
    shipments: { possible: boolean };
    databases: { database: string; writable: boolean }[];
  };
  return [ready.status, shipments.possible, ...databases.flatMap((one) => (one.writable ? [] : [one.database]))];
}

/** As an operator does it, by the server's admin API. */
async function blockWrites(adminUrl: string, isBlocked: boolean): Promise<void> {
  const address = `${adminUrl}/v1/namespaces/default/config`;
  const config: unknown = await (await fetch(address)).json();
  const body = JSON.stringify({ ...Object(config), block_writes: isBlocked });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
}

/** Rejects when there is no answer in time. */
function inTime(answer: Promise<Response>): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${ANSWER_WITHIN_MS} ms`)), ANSWER_WITHIN_MS);
  return Promise.race([answer.finally(() => clearTimeout(timer)), promise]);
}

/** The first answer that is neither 503 nor a 409 for a running request. */
function eventually(send: () => Promise<Response>): Promise<Response> {
  return until('the service works again', async () => {
    const response = await send();
    if (response.status !== 503 && !(response.status === 409 && response.headers.has('retry-after'))) return response;
    await response.body?.cancel();
    return undefined;
  });
}

/** A cancellation with an unknown outcome has happened or not. After a retry it has happened once. */
async function expectSettled(environment: OwnEnvironment, merchant: Merchant, shipmentId: string): Promise<void> {
  const cancelled = await eventually(() => merchant.cancel(shipmentId));
  expect(await readShipment(cancelled)).toMatchObject({ state: 'CANCELLED', version: 2 });
  const select = 'select sequence from shipment_events where shipment_id = ? order by sequence';
  const rows = await environment.sql(merchant.company.shard, select, [shipmentId]);
  expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
}
