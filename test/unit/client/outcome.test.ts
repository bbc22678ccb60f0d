import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { retryAfterOf } from '../../../src/client/failure.ts';
import { createMirsalRest } from '../../../src/client/rest.ts';
import { createOrFind, type Send, type StoredToken } from '../../../src/client.ts';
import { ORDER, type Reaction, refusal, result, SHIPMENT_ID, StandIn } from './stand-in.ts';

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

  it('says that nothing was done if the server refused the connection, and names the reason', async () => {
    const client = service.client({ baseUrl: 'http://127.0.0.1:41999', retries: 0 });
    const error: unknown = await client.shipments.create.mutate(ORDER).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NETWORK_FAILURE', outcome: 'none', attempts: 1 });
    expect(String(error)).toContain('ECONNREFUSED');
  });

  const node = (code: string, message: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
  const deno = (reason: string) =>
    new TypeError(`error sending request for url (http://shop.example/x?externalReference=CERT-12): ${reason}`);

  it.each([
    ['Node: no such name', node('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example'), 1, 'none'],
    ['Node: no answer about the name', node('EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example'), 4, 'none'],
    ['Node: an old certificate', node('CERT_HAS_EXPIRED', 'certificate has expired'), 1, 'none'],
    ['Node: an unknown issuer', node('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify'), 1, 'none'],
    ['Node: a reset', node('ECONNRESET', 'read ECONNRESET'), 4, 'unknown'],
    ['Deno: no such name', deno('client error (Connect): dns error: Name or service not known'), 1, 'none'],
    ['Deno: no answer about the name', deno('client error (Connect): dns error: Temporary failure'), 4, 'none'],
    ['Deno: a certificate', deno('client error (Connect): invalid peer certificate: UnknownIssuer'), 1, 'none'],
    ['Deno: refused', deno('client error (Connect): tcp connect error: Connection refused'), 4, 'none'],
    [
      'Deno: a cut connection',
      deno('client error (SendRequest): connection closed before message completed'),
      4,
      'unknown',
    ],
  ])('%s', async (_, reason, attempts, outcome) => {
    const fetch: Send = (url, init) =>
      url.endsWith('/oauth/token') ? globalThis.fetch(url, init) : Promise.reject(reason);
    const error: unknown = await service
      .client({ fetch })
      .shipments.create.mutate(ORDER)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NETWORK_FAILURE', attempts, outcome });
    expect(String(error)).not.toContain('CERT-12');
  });

  it('says that nothing was done if making the idempotency key failed', async () => {
    const newIdempotencyKey = () => {
      throw new Error('no entropy');
    };
    const call = service.client({ host: { newIdempotencyKey } }).shipments.create.mutate(ORDER);
    await expect(call).rejects.toMatchObject({ name: 'MirsalError', code: 'CLIENT_FAILURE', outcome: 'none' });
    expect(service.received).toEqual([]);
  });
});

describe('a change of one version whose first answer was lost', () => {
  const precondition = refusal(412, 'PRECONDITION_FAILED', { currentVersion: 4 });

  it('is answered with what it did', async () => {
    const { url: _url, ...endpoint } = ENDPOINT;
    service.toCalls.push('cut', precondition, readEndpoint({ description: 'Orders' }));
    const call = service.client().webhookEndpoints.update.mutate({ ...endpoint, description: 'Orders' });
    expect(await call).toMatchObject({ version: 4, description: 'Orders' });
    expect(service.calls.map(({ target }) => target).at(-1)).toBe('webhookEndpoints.get');
  });

  it('is done, without an answer, if that would tell what is still on its way to the old address', async () => {
    service.toCalls.push('cut', precondition, readEndpoint({}));
    const call = service.client().webhookEndpoints.update.mutate(ENDPOINT);
    await expect(call).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', outcome: 'done' });
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

  it('of a deletion is done once the thing is gone', async () => {
    service.toCalls.push('cut', refusal(404, 'RESOURCE_NOT_FOUND'));
    const { endpointId, ifMatch } = ENDPOINT;
    expect(await service.client().webhookEndpoints.delete.mutate({ endpointId, ifMatch })).toBeNull();
    // A link that was revoked stays readable. Without it, the call meant another one.
    service.toCalls.push('cut', refusal(404, 'RESOURCE_NOT_FOUND'));
    const revoked = service
      .client()
      .trackingLinks.revoke.mutate({ shipmentId: endpointId, linkId: endpointId, ifMatch });
    await expect(revoked).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
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

  it('repeats an unknown creation with its key, then searches for the reference, and otherwise rejects', async () => {
    const shipment = { shipmentId: SHIPMENT_ID };
    service.toCalls.push(...FOUR<Reaction>('cut'), result(shipment));
    expect(await createOrFind(service.client(), ORDER)).toEqual({ shipment, isFound: false });
    expect(new Set(service.calls.map(({ input }) => Reflect.get(Object(input), 'idempotencyKey'))).size).toBe(1);
    service.toCalls.push(...FOUR<Reaction>('cut'), ...FOUR<Reaction>('cut'), result({ data: [shipment] }));
    expect(await createOrFind(service.client(), ORDER)).toEqual({ shipment, isFound: true });
    service.toCalls.push(...FOUR<Reaction>('cut'), ...FOUR<Reaction>('cut'), result({ data: [] }));
    await expect(createOrFind(service.client(), ORDER)).rejects.toMatchObject({ outcome: 'unknown' });
    service.toCalls.push(refusal(422, 'VALIDATION_FAILED'));
    await expect(createOrFind(service.client(), ORDER)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('a token store', () => {
  const storeOf = (...first: StoredToken[]) => {
    const kept = new Map<string, StoredToken>();
    const get = (name: string) => kept.get(name) ?? first[0];
    return { get, put: (name: string, token: StoredToken) => void kept.set(name, token), kept };
  };
  const read = (options: object) => service.client(options).shipments.get.query({ shipmentId: SHIPMENT_ID });

  it('serves several clients with one token request, and no other client', async () => {
    const tokenStore = storeOf();
    await read({ tokenStore });
    await read({ tokenStore });
    expect(service.tokenRequests).toHaveLength(1);
    const token = { token: 'token-1', renewAtMs: service.nowMs + 3_540_000 };
    expect([...tokenStore.kept]).toEqual([[`${service.baseUrl} client-1 *`, token]]);
    await read({ tokenStore, scope: 'shipments:read' });
    await read({ tokenStore, clientId: 'client-2' });
    expect(service.tokenRequests).toHaveLength(3);
  });

  it('that hangs is not waited for', async () => {
    const hang = () => new Promise<undefined>(() => undefined);
    const late = { deadline: (ms: number) => AbortSignal.timeout(ms === 2000 ? 10 : ms) };
    await read({ tokenStore: { get: hang, put: hang }, host: late });
    expect(service.calls).toHaveLength(1);
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

it('counts a refused token as an attempt', async () => {
  const page: Reaction = { status: 502, body: '' };
  service.toCalls.push(page, page, page, refusal(401, 'AUTHENTICATION_REQUIRED'));
  await expect(service.client().shipments.create.mutate(ORDER)).rejects.toMatchObject({ attempts: 4 });
});

it('sends nothing for what is no call', () => {
  const client = service.client();
  expect(JSON.stringify({ client })).toBe('{"client":{}}');
  expect(() => `${client as unknown as string}`).toThrow(TypeError);
  expect(() => (client.shipments.create as unknown as (order: object) => void)(ORDER)).toThrow(TypeError);
  expect(service.received).toEqual([]);
});

it('awaits and binds like any other object', async () => {
  const client = await Promise.resolve(service.client());
  service.toCalls.push(result('read'), result('read'));
  const read = client.shipments.get.query.bind(undefined, { shipmentId: SHIPMENT_ID });
  expect([await read(), await client.shipments.get.query.call(undefined, { shipmentId: SHIPMENT_ID })]).toEqual([
    'read',
    'read',
  ]);
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

it('rounds the time until a date up', () => {
  const at = Date.UTC(2026, 10, 21, 9, 0, 12);
  expect(retryAfterOf('Sat, 21 Nov 2026 09:00:12 GMT', at - 1200)).toBe(2);
});

it.each(RETRY_AFTER.vectors)('reads a Retry-After of %j as %j seconds', (header, seconds) => {
  expect(retryAfterOf(header, RETRY_AFTER.now * 1000) ?? null).toBe(seconds);
});

it('limits its time where signals cannot be joined, as on Node 20.0', async () => {
  const { any } = AbortSignal;
  onTestFinished(() => void Object.assign(AbortSignal, { any }));
  Object.assign(AbortSignal, { any: undefined });
  service.toCalls.push('hang');
  const caller = new AbortController();
  const call = service.client({ totalTimeoutMs: 60_000 }).shipments.create.mutate(ORDER, { signal: caller.signal });
  setTimeout(() => caller.abort(), 50);
  await expect(call).rejects.toMatchObject({ code: 'ABORTED', outcome: 'unknown' });
  service.toCalls.push('hang');
  const late = service.client({ totalTimeoutMs: 100 }).shipments.create.mutate(ORDER);
  await expect(late).rejects.toMatchObject({ code: 'NETWORK_FAILURE', outcome: 'unknown' });
});
