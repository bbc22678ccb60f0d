import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryAfterOf } from '../../../src/client/failure.ts';
import { createMirsalRest } from '../../../src/client/rest.ts';
import { createOrFind, type StoredToken } from '../../../src/client.ts';
import { METADATA, ORDER, type Reaction, refusal, result, SHIPMENT_ID, StandIn } from './stand-in.ts';

/** The same vectors for every language. */
const RETRY_AFTER = JSON.parse(readFileSync(join(import.meta.dirname, '../../support/retry-after.json'), 'utf8')) as {
  readonly now: number;
  readonly vectors: (readonly [header: string, seconds: number | null])[];
};

/* What a failed call says that it did, and what the client does so that nobody has to ask. */

let service: StandIn;
beforeEach(async () => {
  service = new StandIn();
  await service.start();
});
afterEach(() => service.stop());

const FOUR = <One>(one: One) => Array.from({ length: 4 }, () => one);
const ENDPOINT = { endpointId: SHIPMENT_ID, ifMatch: '"3"', url: 'https://shop.example/hook' };
const readEndpoint = (members: object) => result({ ...ENDPOINT, version: 4, state: 'ENABLED', ...members });

describe('the outcome', () => {
  const refused = refusal(422, 'VALIDATION_FAILED');
  const busy = refusal(503, 'SERVICE_UNAVAILABLE');
  const page: Reaction = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' };

  it.each([
    ['a refusal', [refused], 'none'],
    ['a limit', FOUR(refusal(429, 'RATE_LIMITED')), 'none'],
    ['a limit of a proxy', FOUR<Reaction>({ status: 429, body: '<h1>Slow down</h1>' }), 'none'],
    ['no route', FOUR(refusal(503, 'ROUTING_PROVIDER_UNAVAILABLE')), 'none'],
    ['503', FOUR(busy), 'unknown'],
    ['500', FOUR(refusal(500, 'INTERNAL_ERROR')), 'unknown'],
    ['520', FOUR<Reaction>({ status: 520, body: '' }), 'unknown'],
    ['a cut connection', FOUR<Reaction>('cut'), 'unknown'],
    ['a page of a proxy', FOUR(page), 'unknown'],
    ['a cut connection, and a refusal of the same key', ['cut', refused] as Reaction[], 'none'],
    [
      'a cut connection, and a limit until the end',
      ['cut', ...FOUR(refusal(429, 'RATE_LIMITED'))] as Reaction[],
      'unknown',
    ],
  ])('of a creation after %s', async (_, reactions, outcome) => {
    service.toCalls.push(...reactions);
    await expect(service.client().shipments.create.mutate(ORDER)).rejects.toMatchObject({ outcome });
    expect(service.calls.length).toBeLessThanOrEqual(4);
  });

  it('of a read is always none', async () => {
    service.toCalls.push(...FOUR<Reaction>('cut'));
    const call = service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
    await expect(call).rejects.toMatchObject({ outcome: 'none' });
  });

  it.each([
    ['a service that does not listen', { baseUrl: 'http://127.0.0.1:41999' }],
    ['a name that does not exist', { baseUrl: 'http://mirsal.invalid' }],
  ])('is none after %s, with the reason', async (name, options) => {
    const client = service.client({ ...options, retries: name.includes('name') ? 3 : 0 });
    const error: unknown = await client.shipments.create.mutate(ORDER).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NETWORK_FAILURE', outcome: 'none', attempts: 1 });
    expect(String(error)).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/);
  });

  it('is none if the caller’s own key cannot be made', async () => {
    const newIdempotencyKey = () => {
      throw new Error('no entropy');
    };
    const call = service.client({ host: { newIdempotencyKey } }).shipments.create.mutate(ORDER);
    await expect(call).rejects.toMatchObject({ name: 'MirsalError', code: 'CLIENT_FAILURE', outcome: 'none' });
    expect(service.received).toEqual([]);
  });

  it('is done for a shipment that is cancelled already', async () => {
    service.toCalls.push('cut', refusal(409, 'SHIPMENT_NOT_CANCELLABLE', { currentState: 'CANCELLED' }));
    const call = service
      .client()
      .shipments.cancel.mutate({ shipmentId: SHIPMENT_ID, ifMatch: '"3"', reasonCode: 'DUPLICATE' });
    await expect(call).rejects.toMatchObject({ outcome: 'done', attempts: 2 });
  });
});

describe('a change of one version whose first answer was lost', () => {
  const { url } = ENDPOINT;
  const precondition = refusal(412, 'PRECONDITION_FAILED', { currentVersion: 4 });

  it('is answered with what it did', async () => {
    service.toCalls.push('cut', precondition, readEndpoint({}));
    expect(await service.client().webhookEndpoints.update.mutate(ENDPOINT)).toMatchObject({ version: 4, url });
    expect(service.calls.map(({ target }) => target).at(-1)).toBe('webhookEndpoints.get');
  });

  it.each([
    ['somebody else changed it', { url: 'https://other.example/hook' }],
    ['somebody changed it after that', { version: 5 }],
  ])('has an unknown outcome if %s', async (_, members) => {
    service.toCalls.push('cut', precondition, readEndpoint(members));
    const call = service.client().webhookEndpoints.update.mutate(ENDPOINT);
    await expect(call).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', outcome: 'unknown' });
  });

  it('is refused without a doubt if there was only one attempt', async () => {
    service.toCalls.push(precondition);
    const call = service.client().webhookEndpoints.update.mutate(ENDPOINT);
    await expect(call).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', outcome: 'none' });
    expect(service.calls).toHaveLength(1);
  });

  it('of metadata compares them whatever their order', async () => {
    const metadata = { a: '1', b: '2' };
    service.toCalls.push('cut', precondition, result({ metadata: { b: '2', a: '1' }, version: 4 }));
    const call = service.client().shipmentMetadata.replace.mutate({ ...METADATA, ifMatch: '"3"', metadata });
    expect(await call).toMatchObject({ version: 4 });
  });

  it('of a deletion is done once the thing is gone', async () => {
    service.toCalls.push('cut', refusal(404, 'RESOURCE_NOT_FOUND'));
    const { endpointId, ifMatch } = ENDPOINT;
    expect(await service.client().webhookEndpoints.delete.mutate({ endpointId, ifMatch })).toBeUndefined();
  });
});

describe('createOrFind', () => {
  it('creates, or finds what has the reference', async () => {
    const shipment = { shipmentId: SHIPMENT_ID };
    service.toCalls.push(result(shipment));
    expect(await createOrFind(service.client(), ORDER)).toEqual({ shipment, isFound: false });
    const existing = { shipmentId: SHIPMENT_ID, shipmentNumber: 'SHP-1', href: '/v2' };
    service.toCalls.push(refusal(409, 'EXTERNAL_REFERENCE_CONFLICT', { existing }), result({ data: [shipment] }));
    expect(await createOrFind(service.client(), ORDER)).toEqual({ shipment, isFound: true });
    expect(service.calls.at(-1)?.input).toEqual({ externalReference: ORDER.externalReference, limit: 1 });
  });

  it('resolves a doubt, and rejects where there is none', async () => {
    const shipment = { shipmentId: SHIPMENT_ID };
    service.toCalls.push(...FOUR<Reaction>('cut'), result({ data: [shipment] }));
    expect(await createOrFind(service.client(), ORDER)).toEqual({ shipment, isFound: true });
    service.toCalls.push(...FOUR<Reaction>('cut'), result({ data: [] }));
    await expect(createOrFind(service.client(), ORDER)).rejects.toMatchObject({ outcome: 'unknown' });
    service.toCalls.push(refusal(422, 'VALIDATION_FAILED'));
    await expect(createOrFind(service.client(), ORDER)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('a token store', () => {
  const storeOf = (...kept: (StoredToken | undefined)[]) => ({
    get: () => kept.at(-1),
    put: (token: StoredToken) => void kept.push(token),
    kept,
  });
  const read = (options: object) => service.client(options).shipments.get.query({ shipmentId: SHIPMENT_ID });

  it('serves several clients with one token request', async () => {
    const tokenStore = storeOf();
    await read({ tokenStore });
    await read({ tokenStore });
    expect(service.tokenRequests).toHaveLength(1);
    expect(tokenStore.kept).toEqual([{ token: 'token-1', renewAtMs: service.nowMs + 3_540_000 }]);
  });

  it('is not asked again for a token that was refused, and a broken one is not used', async () => {
    const tokenStore = storeOf({ token: 'stale', renewAtMs: service.nowMs + 60_000 });
    service.toCalls.push(refusal(401, 'AUTHENTICATION_REQUIRED'));
    await read({ tokenStore });
    expect(service.calls.map(({ authorization }) => authorization)).toEqual(['Bearer stale', 'Bearer token-1']);
    const fail = () => Promise.reject(new Error('disk full'));
    await read({ tokenStore: { get: fail, put: fail } });
    await read({ tokenStore: storeOf({ token: 7, renewAtMs: 'soon' } as unknown as StoredToken) });
    expect(service.tokenRequests).toHaveLength(3);
  });
});

describe('the time of a call', () => {
  it('is limited over all attempts', async () => {
    service.toCalls.push(...FOUR(refusal(503, 'SERVICE_UNAVAILABLE', { retryAfter: '20' })));
    const sleep = (ms: number) => {
      service.nowMs += ms;
      return Promise.resolve();
    };
    const client = service.client({ totalTimeoutMs: 50_000, host: { sleep } });
    await expect(client.shipments.create.mutate(ORDER)).rejects.toMatchObject({ attempts: 3, retryAfterSeconds: 20 });
  });

  it('ends a call that hangs, and the token request that it waits for', async () => {
    service.toTokens.push('hang');
    const client = service.client({ totalTimeoutMs: 200, timeoutMs: 60_000 });
    await expect(client.shipments.create.mutate(ORDER)).rejects.toMatchObject({
      code: 'NETWORK_FAILURE',
      outcome: 'none',
    });
    expect(service.calls).toEqual([]);
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { totalTimeoutMs: 2 ** 31 }, { totalTimeoutMs: 0.5 }])(
    'has whole milliseconds that a timer can count: %j',
    (options) => {
      expect(() => service.client(options)).toThrow(RangeError);
    },
  );
});

it('passes the errors on by which a framework steers its rendering', async () => {
  const signal = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return Promise.reject(signal);
  };
  await expect(service.client({ fetch }).shipments.list.query({})).rejects.toBe(signal);
  const rest = createMirsalRest({ baseUrl: service.baseUrl, clientId: 'a', clientSecret: 'b', fetch });
  await expect(rest('GET', '/v2/external/shipments')).rejects.toBe(signal);
  expect(asked).toBe(2);
});

it('asks that no answer is stored', async () => {
  const caches: unknown[] = [];
  const send = (url: string, init: RequestInit) => {
    caches.push(init.cache);
    return fetch(url, init);
  };
  await service.client({ fetch: send }).shipments.list.query({});
  expect(caches).toEqual(['no-store', 'no-store']);
});

it('sends a query that is too long for an address in a body', async () => {
  await service.client().shipments.list.query({ cursor: 'x'.repeat(7000) });
  expect(service.calls[0]).toMatchObject({
    method: 'POST',
    target: 'shipments.list',
    input: { cursor: 'x'.repeat(7000) },
  });
});

it.each(RETRY_AFTER.vectors)('reads a Retry-After of %j as %j seconds', (header, seconds) => {
  expect(retryAfterOf(header, RETRY_AFTER.now * 1000) ?? null).toBe(seconds);
});
