import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken, type OwnEnvironment, type TestCompany } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { proxyDatabases } from '../../scripts/shared/http-proxy.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { type JsonObject, newKey, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { type EngineServer, startEngine } from '../support/routing/engine-server.ts';
import { trpcClient } from '../support/trpc.ts';

/*
 * How often an operation waits for a database, one time after the other. From Riyadh to a database in Europe each time takes
 * 80 ms. docs/benchmarks.md names these figures.
 */

/** Requests that the service sends side by side come within this time, even on a busy machine. */
const HELD_MS = 50;
/** `MoveBook` asks again after three seconds. */
const PAUSE_MS = 3100;
const TRIES = 4;
const ESTIMATE = {
  pickup: { latitude: 24.711667, longitude: 46.674167 },
  delivery: { latitude: 24.794722, longitude: 46.626111 },
  destinationCityCode: 'RUH',
};

/**
 * Holds the requests that come within `HELD_MS` and lets them go together, as a wave. A request that needs the answer of another
 * one comes in a later wave, so the waves of a call are its round trips.
 */
class Waves {
  count = 0;
  #current: Promise<void> | undefined;

  join(): Promise<void> {
    if (this.#current === undefined) {
      this.count += 1;
      this.#current = delay(HELD_MS).then(() => {
        this.#current = undefined;
      });
    }
    return this.#current;
  }

  /** The waves of one call. It may share them with work of the service itself, but has none that began before it. */
  async of(call: () => Promise<unknown>): Promise<number> {
    while (this.#current !== undefined) await this.#current;
    const before = this.count;
    await call();
    return this.count - before;
  }
}

const waves = new Waves();
let engine: EngineServer;
let environment: OwnEnvironment;
let close = () => {};
let merchant: Merchant;
let shipmentId: string;
let link: string;
let body: JsonObject;
const key = newKey();
/** Shipments to cancel. */
const waiting: string[] = [];
/** Shipments to recall, and failed ones to decide on. */
const carried: string[] = [];
const failed: string[] = [];
let undecided = '';
let session: string;

beforeAll(async () => {
  engine = await startEngine();
  // Only other deployments have clocks of companies, which are read twice a second.
  environment = await startEnvironment('worker', { DEPLOYMENT: 'production', ROUTING_URL: engine.url });
  const proxied = await proxyDatabases(environment.variables, () => ({ before: () => waves.join() }));
  close = proxied.close;
  const company = await addCompany(environment);
  // A shipment that is approved a moment later would cause requests of its own.
  await setApprovalPolicy(environment, company, 'MANUAL');
  session = await addSession(environment, await addPerson(environment, company));
  await environment.restart(proxied.variables);
  merchant = await merchantOf(environment, company);
  body = shipmentBody(company);
  ({ shipmentId } = await readShipment(await merchant.postShipment(body, { 'idempotency-key': key })));
  for (let count = 0; count < TRIES; count += 1) waiting.push((await merchant.create()).shipmentId);
  await prepareParcels(company);
  link = (await createLink(merchant, shipmentId)).token;
});
afterAll(async () => {
  await environment?.stop();
  close();
  await engine?.[Symbol.asyncDispose]();
});

/** Parcels in the hands of drivers, of which every second one could not be delivered. */
async function prepareParcels(company: TestCompany): Promise<void> {
  const { shard, companyId } = company;
  for (let count = 0; count < TRIES; count += 1) {
    for (const kept of [carried, failed]) {
      const { shipmentId: id } = await merchant.create();
      await forceState(environment, company, id, 'OUT_FOR_DELIVERY');
      kept.push(id);
    }
  }
  undecided = (await merchant.create()).shipmentId;
  await forceState(environment, company, undecided, 'DELIVERY_FAILED');
  for (const id of [...failed, undecided]) {
    await environment.sql(
      shard,
      `insert into resolutions (shipment_id, company_id, state, reason_code, evidence, payer, attempts, failed_at, decide_by, default_kind)
       values (?, ?, 'OPEN', 'OTHER', 'NONE', 'CARRIER', 1, 1, 1, 'RETURN')`,
      [id, companyId],
    );
  }
}

async function post(path: string, body: JsonObject, headers: Record<string, string> = {}): Promise<void> {
  const response = await merchant.post(path, body, headers);
  expect([response.status, await response.text()]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
}

async function get(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  await response.text();
  expect(response.status).toBe(200);
}

/** The least of some tries, because now and then work of the service itself comes in between. */
async function leastOf(call: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) found.push(await waves.of(call));
  return Math.min(...found);
}

const readList = () => trpcClient(environment, session).shipments.list.query({});
const OPERATIONS: readonly (readonly [name: string, times: number, call: () => Promise<unknown>])[] = [
  ['GET by id', 1, () => get(merchant.get(`${SHIPMENTS}/${shipmentId}`))],
  ['the tracking of a shipment', 1, () => get(merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`))],
  ['a list', 1, () => get(merchant.get(SHIPMENTS))],
  ['an estimate', 0, () => get(merchant.post('/v2/external/shipment-price-estimates', ESTIMATE))],
  ['a creation', 1, () => merchant.create()],
  ['a replay', 2, () => get(merchant.postShipment(body, { 'idempotency-key': key }))],
  ['a cancellation', 2, () => get(merchant.cancel(waiting.pop() ?? ''))],
  ['a recall', 5, () => post(`${SHIPMENTS}/${carried.pop()}/recalls`, { reasonCode: 'OTHER' }, { 'if-match': '*' })],
  ['what becomes of a failed parcel', 1, () => get(merchant.get(`${SHIPMENTS}/${undecided}/resolution`))],
  ['the choice of a return', 3, () => post(`${SHIPMENTS}/${failed.pop()}/resolutions`, { kind: 'RETURN' })],
  ['a token', 1, () => issueToken(environment, merchant.company)],
  ['a tracking page', 1, () => get(environment.fetch(`/t/${link}`))],
  ["a person's list", 2, readList],
  // The console asks for the session first, and then shows the list.
  [
    "the console's first page",
    3,
    async () => {
      await trpcClient(environment, session).sessions.current.query({});
      await readList();
    },
  ],
];

test.each(OPERATIONS)('%s: %i round trips', async (_name, times, call) => {
  expect(await leastOf(call)).toBe(times);
});

test("a person's list after a pause: 3 round trips", async () => {
  const used = 'update sessions set last_seen_at = last_seen_at - 120 * 1000000';
  const found: number[] = [];
  for (let tried = 0; tried < 2; tried += 1) {
    await environment.sql('directory', used, []);
    await delay(PAUSE_MS);
    found.push(await waves.of(readList));
  }
  // Once for the session, once for the moves of companies, once for the list. The use of the session is recorded meanwhile.
  expect(Math.min(...found)).toBe(3);
});
