import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { lockBody, newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { pageOf } from '../../src/contract/page.ts';
import { loggedRequest, loggedRequestWithEvents } from '../../src/contract/request-log.ts';
import { REQUESTS, untilLogged } from '../support/request-log.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const newMerchant = async () => merchantOf(environment, await addCompany(environment));
const page = pageOf(loggedRequest);
const run = promisify(execFile);
const ESTIMATE = {
  pickup: { latitude: 24.7136, longitude: 46.6753 },
  delivery: { latitude: 21.55, longitude: 39.22 },
  destinationCityCode: 'JED',
};
/** The log is written about a second after the answer. */
const PATIENCE = { timeout: 10_000 };

const idOf = ({ headers }: Response) => headers.get('x-request-id') ?? '';
const list = async (merchant: Merchant, query = '') =>
  page.parse(await (await merchant.get(`${REQUESTS}?${query}`)).json());
const entryOf = async (merchant: Merchant, answer: Response) =>
  loggedRequestWithEvents.parse(await (await untilLogged(merchant, idOf(answer))).json());

describe('an entry', () => {
  it('has the request and the response with personal values and secrets replaced by their type', async () => {
    const merchant = await newMerchant();
    const { company } = merchant;
    const body = shipmentBody(company, { metadata: 'x', [`unknown-${'n'.repeat(60)}`]: 'secret' });
    const entry = await entryOf(merchant, await merchant.postShipment(body));
    expect(entry).toMatchObject({
      source: 'API',
      method: 'POST',
      path: SHIPMENTS,
      operation: 'shipments.create',
      status: 422,
      code: 'VALIDATION_FAILED',
      clientId: company.clientId,
      replayed: false,
      requestHeaders: { 'Idempotency-Key': '<string 36>' },
      externalReference: body['externalReference'],
      relatedEvents: [],
    });
    const unknown = `unknown-${'n'.repeat(24)}`;
    expect(entry.requestBody).toMatchObject({
      branchCode: company.branchCode,
      recipient: { name: '<string 14>', phone: '<string 10>' },
      destination: { addressLine: expect.stringMatching(/^<string \d+>$/), cityCode: 'JED', latitude: '<number>' },
      items: [{ description: '<string 12>', quantity: 2, weightKilograms: 1.25 }],
      metadata: '<unknown>',
      [unknown]: '<unknown>',
    });
    expect(entry.responseBody).toEqual({
      code: 'VALIDATION_FAILED',
      violations: [
        { field: 'metadata', code: 'UNKNOWN_PROPERTY' },
        { field: unknown, code: 'UNKNOWN_PROPERTY' },
      ],
    });
  });

  it('has the events that the request caused, and says whether its key was used before', async () => {
    const merchant = await newMerchant();
    const [body, key] = [shipmentBody(merchant.company), { 'idempotency-key': newKey() }];
    const first = await entryOf(merchant, await merchant.postShipment(body, key));
    const again = await entryOf(merchant, await merchant.postShipment(body, key));
    const { shipmentId } = first;
    const timeline = await merchant.get(`/v2/external/events?shipmentId=${shipmentId}&type=shipment.created`);
    const { data } = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(await timeline.json());
    expect(first).toMatchObject({ status: 201, replayed: false, relatedEvents: data.map(({ id }) => id) });
    expect(again).toMatchObject({ status: 200, replayed: true, shipmentId });
    expect(again.idempotencyKeyHash).toBe(first.idempotencyKeyHash);
  });

  it('is not shown to another company', async () => {
    const [owner, other] = [await newMerchant(), await newMerchant()];
    const { requestId } = await entryOf(owner, await owner.get(SHIPMENTS));
    const answers = await Promise.all([requestId, randomUUID()].map((id) => other.get(`${REQUESTS}/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await list(other)).data.map((entry) => entry.requestId)).not.toContain(requestId);
  });
});

describe('the log', () => {
  it('has every refused request of the company', async () => {
    const merchant = await newMerchant();
    const { company } = merchant;
    const readOnly = await merchantOf(environment, company, 'shipments:read');
    const { shipmentId } = await merchant.create();
    const at = `${SHIPMENTS}/${shipmentId}`;
    const refused = await Promise.all([
      merchant.get(`${SHIPMENTS}?nonsense=1`),
      merchant.get(`${SHIPMENTS}/nonsense`),
      merchant.get(`${SHIPMENTS}/${randomUUID()}`),
      merchant.get(`${at}/tracking-links/${randomUUID()}`),
      merchant.post(SHIPMENTS, '{', { 'idempotency-key': newKey() }),
      merchant.post(SHIPMENTS, {}, { 'idempotency-key': newKey() }),
      merchant.post(SHIPMENTS, {}),
      merchant.post(SHIPMENTS, 'text', { 'idempotency-key': newKey(), 'content-type': 'text/plain' }),
      merchant.post(SHIPMENTS, ' '.repeat(300_000), { 'idempotency-key': newKey() }),
      merchant.post(`${at}/cancellations`, { reasonCode: 'OTHER' }),
      merchant.cancel(shipmentId, '"999"'),
      readOnly.postShipment(shipmentBody(company)),
      merchant.post(at, {}),
    ]);
    const expected = refused.map((answer) => `${idOf(answer)} ${answer.status}`).toSorted();
    expect(new Set(refused.map(({ status }) => status))).toEqual(
      new Set([400, 403, 404, 405, 412, 413, 415, 422, 428]),
    );
    const logged = async () =>
      (await list(merchant, 'status=4xx&limit=100')).data.map(({ requestId, status }) => `${requestId} ${status}`);
    await expect.poll(async () => (await logged()).toSorted(), PATIENCE).toEqual(expected);
  });

  it('records a 405 for the company of the token', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()];
    const { shipmentId } = await merchant.create();
    const path = `${SHIPMENTS}/${shipmentId}`;
    const answer = await environment.fetch(`${path}?q=0501234567`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await environment.token(merchant.company)}` },
      body: '{"phone":"0501234567"}',
    });
    expect(answer.status).toBe(405);
    const entry = await entryOf(merchant, answer);
    expect(entry).toMatchObject({ method: 'PATCH', path, operation: 'none', status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(entry).toMatchObject({ clientId: merchant.company.clientId, requestBody: null, requestHeaders: {} });
    const anonymous = await environment.fetch(path, { method: 'PATCH' });
    expect(anonymous.status).toBe(405);
    await untilLogged(other, idOf(await other.get(`${SHIPMENTS}/nonsense`)));
    for (const reader of [merchant, other]) {
      expect((await list(reader, 'limit=100')).data.map(({ requestId }) => requestId)).not.toContain(idOf(anonymous));
    }
  });

  it('finds requests by what they asked and how they were answered, page by page', async () => {
    const merchant = await newMerchant();
    const correlationId = randomUUID();
    const body = shipmentBody(merchant.company);
    const created = await merchant.postShipment(body, { 'x-correlation-id': correlationId });
    const { shipmentId } = z.object({ shipmentId: z.string() }).parse(await created.json());
    const refused = await merchant.get(`${SHIPMENTS}/nonsense`);
    const read = await merchant.get(`${SHIPMENTS}/${shipmentId}`);
    const all = [created, refused, read].map(idOf);
    const ids = async (query = '') => (await list(merchant, query)).data.map(({ requestId }) => requestId);
    // The newest request is the first.
    await expect.poll(() => ids(), PATIENCE).toEqual(all.toReversed());
    const now = new Date().toISOString();
    const found = {
      [`correlationId=${correlationId}`]: [0],
      [`shipmentId=${shipmentId}`]: [2, 0],
      [`externalReference=${String(body['externalReference'])}`]: [2, 0],
      'operation=shipments.get': [2, 1],
      'method=POST': [0],
      'status=400': [1],
      'status=2xx': [2, 0],
      'status=5xx': [],
      'source=CONSOLE': [],
      [`from=${now}`]: [],
      [`to=${now}`]: [2, 1, 0],
    };
    for (const [query, places] of Object.entries(found))
      expect([query, await ids(query)]).toEqual([query, places.map((at) => all[at])]);
    const pages: string[] = [];
    let cursor = '';
    for (let pageNumber = 1; pageNumber <= all.length; pageNumber += 1) {
      const one = await list(merchant, `limit=1${cursor}`);
      pages.push(...one.data.map(({ requestId }) => requestId));
      expect(one.page.hasMore).toBe(pageNumber < all.length);
      cursor = `&cursor=${one.page.nextCursor}`;
    }
    expect(pages).toEqual(all.toReversed());
    expect((await merchant.get(`${REQUESTS}?status=9xx`)).status).toBe(400);
  });

  it('counts equal reads instead of listing them, and does not list its own reads', async () => {
    const merchant = await newMerchant();
    const reads = 20;
    const [first] = await Promise.all(Array.from({ length: reads }, () => merchant.get(`${SHIPMENTS}?limit=3`)));
    await merchant.get(`${SHIPMENTS}?limit=0`);
    expect(first?.status).toBe(200);
    const shown = async () => (await list(merchant)).data.map(({ path, status, repeats }) => [path, status, repeats]);
    await expect.poll(shown, PATIENCE).toEqual([
      [`${SHIPMENTS}?limit=0`, 400, 0],
      [`${SHIPMENTS}?limit=3`, 200, reads - 1],
    ]);
  });

  it('has each call of a batch of the console, without the person', async () => {
    const merchant = await newMerchant();
    const session = await addSession(environment, await addPerson(environment, merchant.company));
    const inputs = { 0: {}, 1: { shipmentId: 'nonsense' }, 2: { limit: 1 }, 3: { limit: 2 } };
    const input = encodeURIComponent(JSON.stringify(inputs));
    const answer = await environment.fetch(
      `/trpc/people.list,shipments.get,shipments.list,shipments.list?batch=1&input=${input}`,
      {
        headers: { authorization: `Bearer ${session}` },
      },
    );
    expect(answer.status).toBe(207);
    const entries = await until('the calls are in the log', async () => {
      const { data } = await list(merchant, 'source=CONSOLE');
      return data.length === 4 ? data : undefined;
    });
    const shown = entries.map(({ operation, path, status, clientId }) => ({ operation, path, status, clientId }));
    expect(shown).toContainEqual({ operation: 'people.list', path: '/trpc/people.list', status: 200, clientId: null });
    const path = `${SHIPMENTS}/<shipmentId>`;
    expect(shown).toContainEqual({ operation: 'shipments.get', path, status: 400, clientId: null });
    expect(entries.map(({ correlationId }) => correlationId)).toContain(idOf(answer));
    expect(entries.map(({ requestBody }) => requestBody)).toEqual([null, null, null, null]);
    expect(entries.map((one) => one.path)).toEqual(
      expect.arrayContaining([`${SHIPMENTS}?limit=1`, `${SHIPMENTS}?limit=2`]),
    );
  });

  it('gives a command that repeats the request with the same status', async () => {
    const merchant = await newMerchant();
    const { shipmentId } = await merchant.create();
    const answers = [
      await merchant.get(`${SHIPMENTS}/${shipmentId}`),
      await merchant.get(`${SHIPMENTS}?limit=0`),
      await merchant.post(`${SHIPMENTS}/${shipmentId}/tracking-links`, { locale: 'ar' }),
      await merchant.cancel(shipmentId, '"999"'),
      await merchant.post(`${SHIPMENTS}/${shipmentId}/cancellations`, { reasonCode: 'NONSENSE' }, { 'if-match': '*' }),
      await merchant.postShipment(shipmentBody(merchant.company)),
      await merchant.postShipment(shipmentBody(merchant.company, { items: [] })),
      await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`),
      await merchant.get('/v2/external/events?type=shipment.created&limit=2'),
      await merchant.post('/v2/external/shipment-price-estimates', ESTIMATE),
      await merchant.post('/v2/external/price-locks', lockBody(merchant.company), { 'idempotency-key': newKey() }),
      await merchant.post('/v2/external/shipment-validations', shipmentBody(merchant.company)),
    ];
    const token = await environment.token(merchant.company);
    for (const answer of answers) {
      const { curl, status } = await entryOf(merchant, answer);
      const command = filled(curl ?? '').replace(environment.baseUrl, environment.address);
      const options = { env: { ...process.env, MIRSAL_TOKEN: token } };
      const { stdout } = await run('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`], options);
      expect([command, Number(stdout)]).toEqual([command, status]);
    }
  });
});

/** The command with values in place of its masks. A reference can be used only once. */
function filled(command: string): string {
  const values: Readonly<Record<string, string>> = {
    phone: '0512345678',
    'pickup.latitude': '21.6',
    latitude: '21.5',
    longitude: '39.2',
    reasonCode: 'NONSENSE',
  };
  return command
    .replaceAll(
      /<([\w.[\]-]+)>/g,
      (_mask, path: string) => values[path] ?? values[path.slice(path.lastIndexOf('.') + 1)] ?? 'Text',
    )
    .replace(/order-[\w-]+/, `order-${randomUUID()}`);
}
