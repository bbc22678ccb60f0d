import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering } from '../../scripts/shared/receiver.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { PNG } from '../support/files.ts';
import { METRICS_TOKEN, type Measured, startMeasured } from '../support/measured.ts';
import { register } from '../support/registrations.ts';
import { receivers, subscribe } from '../support/subscription.ts';

/** Metrics of a service that gets only the requests of this test. */

const SHIPMENTS = '/v2/external/shipments';
/** A marker in every value that a caller chooses. No metric may contain it. */
const PLANTED = 'planted-sadaf';
const RATE_LIMITS = JSON.stringify({ reads: 1e6, writes: 1e6, estimates: 1, tokens: 1e6 });

describe.each<Runtime>(['deno', 'worker'])('measurements on %s', (runtime) => {
  let measured: Measured;
  beforeAll(async () => {
    measured = await startMeasured(runtime, { RATE_LIMITS });
  });
  afterAll(() => measured.environment.stop());
  const { start, close } = receivers();
  afterAll(close);

  it('count exactly the requests that were made, by route template', async () => {
    const { environment, tally } = measured;
    const secrets = await askAll(measured);
    const requests = {
      'GET /health 200': 1,
      'POST /oauth/token 200': 1,
      [`POST ${SHIPMENTS} 201`]: 1,
      [`POST ${SHIPMENTS} 200`]: 2,
      [`POST ${SHIPMENTS} 422`]: 1,
      [`GET ${SHIPMENTS}/{shipmentId} 200`]: 2,
      [`HEAD ${SHIPMENTS}/{shipmentId} 200`]: 1,
      [`GET ${SHIPMENTS}/{shipmentId} 403`]: 3,
      'POST /v2/external/shipment-price-estimates 422': 1,
      'POST /v2/external/shipment-price-estimates 429': 1,
      'POST /v2/external/media-assets 201': 1,
      'POST /trpc/{procedures} 403': 1,
      'GET none 404': 2,
      'other none 404': 1,
      'DELETE none 405': 1,
    };
    await expect.poll(async () => withoutScrapes(await tally('http_request'))).toEqual(requests);
    await expect
      .poll(() => tally('problems'))
      .toEqual({
        ACCESS_DENIED: 4,
        METHOD_NOT_ALLOWED: 1,
        RATE_LIMITED: 1,
        ROUTE_NOT_FOUND: 3,
        VALIDATION_FAILED: 2,
      });
    expect(await tally('idempotent_replays')).toEqual({ '': 2 });
    expect(await tally('rate_limited')).toEqual({ estimates: 1 });
    // At its start, Deno writes, reads and deletes a file.
    expect(await tally('provider_call')).toEqual({ 'documents answered': runtime === 'deno' ? 4 : 1 });
    expect(await tally('database_failures')).toEqual({});
    expect((await tally('commit_units'))['shard-1 committed']).toBeGreaterThanOrEqual(3);
    expect((await tally('commit'))['shard-1']).toBeGreaterThanOrEqual(3);
    const text = await measured.text();
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(environment.service.logs().join('\n')).not.toContain('A metric was not written');
  });

  it('count webhook attempts, their first lag and exhausted deliveries', async () => {
    const { environment, tally, text } = measured;
    const one = await subscribe(environment, await start(), { eventTypes: ['shipment.created'] });
    await one.create();
    await one.settled(1);
    await expect.poll(() => tally('webhook_attempt')).toEqual({ SUCCEEDED: 1 });
    expect(await tally('webhook_first_attempt')).toEqual({ '': 1 });
    one.receiver.respond = answering(410);
    await one.create();
    await expect.poll(() => tally('webhook_exhausted'), { timeout: 15_000 }).toEqual({ '': 1 });
    expect(await tally('webhook_endpoints_disabled')).toEqual({ GONE: 1 });
    expect(await tally('webhook_attempt')).toEqual({ SUCCEEDED: 1, NON_2XX: 1 });
    const all = await text();
    for (const secret of [one.receiver.url, one.endpoint.endpointId, one.endpoint.signingSecret, one.company.companyId])
      expect(all).not.toContain(secret);
  });

  it('count messages, sweeps, due work and a database that is down', async () => {
    const { environment, tally } = measured;
    expect((await register(environment)).status).toBe(201);
    await expect.poll(async () => (await tally('messages'))['SMS sent']).toBeGreaterThanOrEqual(1);
    await environment.service.sweep();
    await expect
      .poll(async () => Object.keys(await tally('sweep')).sort())
      .toEqual(['directory done', 'shard-1 done', 'shard-2 done']);
    // This happens half a second after a creation, and a quick machine has not reached it yet.
    await expect.poll(async () => Object.keys(await tally('dispatch_due'))).toContain('shard-1');
    const shard = environment.databases.shards['shard-2'];
    await shard.kill();
    const [, company] = environment.companies;
    const headers = { authorization: `Bearer ${await environment.token(company)}` };
    expect((await environment.fetch(SHIPMENTS, { headers })).status).toBe(503);
    // Deno refuses it. On workerd the proxy of wrangler answers instead.
    await expect
      .poll(async () => Object.keys(await tally('database_failures')).join())
      .toMatch(/^shard-2 (?:network|http_status)$/);
    await shard.restart();
  });

  it('answer 404 without the token, like an unknown path', async () => {
    const { environment } = measured;
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const unknown = await told(await environment.fetch('/metricz'));
    const asked = [{}, bearer(''), bearer(`${METRICS_TOKEN}x`), bearer(METRICS_TOKEN.slice(1)), { method: 'OPTIONS' }];
    for (const init of asked) expect(await told(await environment.fetch('/metrics', init))).toEqual(unknown);
    expect(await told(await environment.fetch('/metrics', { method: 'POST' }))).toEqual(unknown);
    const answer = await environment.fetch('/metrics', bearer(METRICS_TOKEN));
    if (runtime === 'worker') {
      expect(await told(answer)).toEqual(unknown);
      return;
    }
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain('# TYPE mirsal_http_request_duration_seconds histogram\n');
  });
});

/** Makes the requests. Returns the values that no metric may contain. */
async function askAll({ environment }: Measured): Promise<string[]> {
  const [company] = environment.companies;
  const token = await environment.token(company);
  const authorization = `Bearer ${token}`;
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    sendJson(environment, method, path, body, { authorization, ...headers });
  const recipient = { name: `${PLANTED}-name`, phone: '0577665544' };
  const body = shipmentBody(company, { externalReference: `${PLANTED}-reference`, recipient });
  const key = { 'idempotency-key': newKey() };
  const created = await send('POST', SHIPMENTS, body, key);
  const { shipmentId, shipmentNumber } = (await created.json()) as { shipmentId: string; shipmentNumber: string };
  for (let time = 1; time <= 2; time += 1) {
    await send('POST', SHIPMENTS, body, key);
    await send('GET', `${SHIPMENTS}/${shipmentId}`);
  }
  await send('POST', SHIPMENTS, { ...body, branchCode: 'PLANTED_SADAF' }, { 'idempotency-key': newKey() });
  await send('HEAD', `${SHIPMENTS}/${shipmentId}`);
  for (let time = 1; time <= 3; time += 1) await send('GET', `${SHIPMENTS}/${crypto.randomUUID()}`);
  const place = { latitude: 24.7, longitude: 46.7 };
  const estimate = { pickup: place, delivery: place, destinationCityCode: 'PLANTED_SADAF' };
  for (let time = 1; time <= 2; time += 1) await send('POST', '/v2/external/shipment-price-estimates', estimate);
  await environment.fetch(`/v2/external/media-assets?externalReference=${PLANTED}&sortOrder=1`, {
    method: 'POST',
    body: PNG,
    headers: { authorization, 'content-type': 'image/png' },
  });
  await send('POST', '/trpc/shipments.cancel', { shipmentId: crypto.randomUUID(), ifMatch: '*', reasonCode: 'OTHER' });
  await environment.fetch(`/${PLANTED}?${PLANTED}=1`, { headers: { 'x-request-id': PLANTED } });
  await environment.fetch(`/v2/${PLANTED}/${shipmentId}`);
  await environment.fetch(`/${PLANTED}`, { method: 'PROPFIND' });
  await environment.fetch('/oauth/token', { method: 'DELETE' });
  const ids = [company.companyId, company.clientId, company.clientSecret, token, shipmentId, shipmentNumber];
  return [...ids, company.name, PLANTED, 'PLANTED_SADAF', 'PROPFIND', recipient.phone.slice(1), key['idempotency-key']];
}

function withoutScrapes(requests: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(requests).filter(([labels]) => labels !== 'GET /metrics 200'));
}

/** An answer without the ids and times of its request. */
async function told(response: Response) {
  const text = (await response.text()).replaceAll(/"(?:instance|timestamp|requestId|correlationId)":"[^"]*"/g, '""');
  const {
    'x-request-id': _request,
    'x-correlation-id': _correlation,
    date: _date,
    // It counts the caller's own requests.
    ratelimit: _left,
    'mirsal-sandbox-now': _now,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, text, headers };
}
