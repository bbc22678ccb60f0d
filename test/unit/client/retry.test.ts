import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { strangeAnswersTo } from '../../support/strange-answers.ts';
import { METADATA, ORDER, problem, type Reaction, refusal, result, SHIPMENT_ID, StandIn } from './stand-in.ts';

let service: StandIn;

beforeEach(async () => {
  service = new StandIn();
  await service.start();
});

afterEach(() => service.stop());

const keys = () => service.calls.map(({ input }) => Reflect.get(Object(input), 'idempotencyKey'));
const read = () => service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
const GATEWAY_PAGE: Reaction = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' };

describe('waiting', () => {
  it('honours Retry-After in seconds', async () => {
    service.toCalls.push(refusal(429, 'RATE_LIMITED', { retryAfter: '7' }), result('read'));
    expect(await read()).toBe('read');
    expect(service.sleptMs).toEqual([7000]);
  });

  it('honours Retry-After as a date', async () => {
    service.nowMs = Date.UTC(2026, 10, 21, 9, 0, 0);
    service.toCalls.push({ status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 09:00:12 GMT' }, body: '' });
    await read();
    expect(service.sleptMs).toEqual([12_000]);
  });

  it('adds jitter, so that clients do not retry at the same time', async () => {
    service.toCalls.push(refusal(429, 'RATE_LIMITED', { retryAfter: '1' }), refusal(503, 'SERVICE_UNAVAILABLE'));
    await service.client({ host: { random: () => 0.5 } }).shipments.get.query({ shipmentId: SHIPMENT_ID });
    // Half of 250 ms on top of the second; then three quarters of the second backoff, 500 ms.
    expect(service.sleptMs).toEqual([1125, 375]);
  });

  it('leaves a longer Retry-After to the caller', async () => {
    service.toCalls.push(
      refusal(429, 'RATE_LIMITED', { retryAfter: '60' }),
      refusal(429, 'RATE_LIMITED', { retryAfter: '61' }),
    );
    await expect(read()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 61, attempts: 2 });
    expect(service.sleptMs).toEqual([60_000]);
  });

  it('backs off exponentially up to a maximum without Retry-After', async () => {
    service.toCalls.push(...Array.from({ length: 8 }, () => refusal(503, 'SERVICE_UNAVAILABLE')));
    const client = service.client({ retries: 7 });
    const call = client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', attempts: 8 });
    // Each delay has a fixed half and a random half. The random half is 0 here.
    expect(service.sleptMs).toEqual([125, 250, 500, 1000, 2000, 4000, 4000]);
  });

  it.each([
    [undefined, 4],
    [0, 1],
    [1, 2],
  ])('with %s retries, stops after %i attempts', async (retries, attempts) => {
    service.toCalls.push(...Array.from({ length: 5 }, () => refusal(503, 'SERVICE_UNAVAILABLE')));
    const call = service.client({ retries }).shipments.get.query({ shipmentId: SHIPMENT_ID });
    await expect(call).rejects.toMatchObject({ attempts });
    expect(service.calls).toHaveLength(attempts);
  });
});

describe('the idempotency key', () => {
  it('is created by the client and stays the same in all attempts of a call', async () => {
    service.toCalls.push('cut', GATEWAY_PAGE, refusal(503, 'SERVICE_UNAVAILABLE'), result('created'));
    const client = service.client();
    expect(await client.shipments.create.mutate(ORDER)).toBe('created');
    await client.shipments.create.mutate(ORDER);
    const [first, second, third, fourth, other] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third, fourth]).toEqual([first, first, first]);
    expect(other).not.toBe(first);
    expect(service.calls[0]?.input).toEqual({ ...ORDER, idempotencyKey: first });
  });

  it('is the caller’s key if there is one', async () => {
    service.toCalls.push('cut');
    await service.client().shipments.create.mutate({ ...ORDER, idempotencyKey: 'order-1-attempt-1' });
    expect(keys()).toEqual(['order-1-attempt-1', 'order-1-attempt-1']);
  });

  it('comes from the host, also when the caller’s is undefined', async () => {
    const client = service.client({ host: { newIdempotencyKey: () => 'key-0000000000001' } });
    await client.shipments.create.mutate({ ...ORDER, idempotencyKey: undefined });
    expect(keys()).toEqual(['key-0000000000001']);
  });

  it('is in the error of a call with an unknown outcome', async () => {
    service.toCalls.push('cut');
    const client = service.client({ retries: 0, host: { newIdempotencyKey: () => 'key-0000000000001' } });
    const call = client.shipments.create.mutate(ORDER);
    await expect(call).rejects.toMatchObject({ code: 'NETWORK_FAILURE', idempotencyKey: 'key-0000000000001' });
  });

  it('is not sent to other procedures', async () => {
    await service.client().shipmentMetadata.replace.mutate(METADATA);
    expect(service.calls[0]?.input).toEqual(METADATA);
  });

  it('waits for an earlier attempt that has not finished', async () => {
    service.toCalls.push(
      'cut',
      refusal(409, 'IDEMPOTENCY_REQUEST_IN_PROGRESS', { retryAfter: '2' }),
      result('created'),
    );
    expect(await service.client().shipments.create.mutate(ORDER)).toBe('created');
    expect(service.sleptMs).toEqual([125, 2000]);
  });
});

describe('a failure after which the service may have acted', () => {
  const failures: readonly (readonly [string, Reaction])[] = [
    ['a connection cut', 'cut'],
    ['503 of the service', refusal(503, 'SERVICE_UNAVAILABLE', { retryAfter: '1' })],
    ['408 of a proxy', { status: 408, headers: { 'content-type': 'text/html' }, body: '<h1>Request timeout</h1>' }],
    ['503 of a proxy', { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Busy</h1>' }],
    ['502 of a gateway', GATEWAY_PAGE],
  ];

  it.each(failures)('%s: does not retry a mutation that could run twice', async (_, failure) => {
    for (const ifMatch of ['*', '"3", "4"']) {
      service.toCalls.push(failure);
      await expect(service.client().shipmentMetadata.replace.mutate({ ...METADATA, ifMatch })).rejects.toMatchObject({
        attempts: 1,
      });
    }
    expect(service.calls).toHaveLength(2);
    expect(service.sleptMs).toEqual([]);
  });

  it.each(failures)('%s: retries a mutation with the If-Match of one version', async (_, failure) => {
    service.toCalls.push(failure);
    await service.client().shipmentMetadata.replace.mutate({ ...METADATA, ifMatch: '"3"' });
    expect(service.calls).toHaveLength(2);
  });

  it.each(failures)('%s: retries a query', async (_, failure) => {
    service.toCalls.push(failure);
    await service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
    expect(service.calls).toHaveLength(2);
  });
});

describe('an answer that is not from the service', () => {
  const emptyResult = { name: 'an empty result', status: 200, body: '{"result":{}}' };
  const answers = [...strangeAnswersTo(JSON.stringify({ result: { data: 'created' } })), emptyResult];

  it.each(answers)('$name: a creation is repeated with its key', async (strange) => {
    service.toCalls.push(strange, result('created'));
    expect(await service.client().shipments.create.mutate(ORDER)).toBe('created');
    expect(service.calls).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it.each(answers)('$name: the outcome of a mutation that could run twice is unknown', async (strange) => {
    service.toCalls.push(strange);
    const call = service.client().shipmentMetadata.replace.mutate(METADATA);
    await expect(call).rejects.toMatchObject({
      code: expect.stringMatching(/^UNEXPECTED_RESPONSE|NETWORK_FAILURE$/),
      attempts: 1,
    });
  });

  it('says in the end that the outcome is unknown', async () => {
    service.toCalls.push(...Array.from({ length: 4 }, () => emptyResult));
    const call = service.client().shipments.create.mutate(ORDER);
    await expect(call).rejects.toMatchObject({ attempts: 4, message: expect.stringContaining('outcome is unknown') });
  });

  it('is not taken for a token', async () => {
    service.toTokens.push(...strangeAnswersTo('{"access_token":"a","expires_in":60}').slice(0, 3));
    await service.client().shipments.get.query({ shipmentId: SHIPMENT_ID });
    expect(service.tokenRequests).toHaveLength(4);
  });
});

describe('a failure after which nothing was done', () => {
  it.each([
    ['429', refusal(429, 'RATE_LIMITED', { retryAfter: '1' })],
    ['no route', refusal(503, 'ROUTING_PROVIDER_UNAVAILABLE', { retryAfter: '1' })],
    ['a body that was too slow', refusal(408, 'REQUEST_TIMEOUT', { retryAfter: '1' })],
    ['no storage', refusal(503, 'STORAGE_PROVIDER_UNAVAILABLE', { retryAfter: '1' })],
  ])('%s: retries every mutation', async (_, failure) => {
    service.toCalls.push(failure);
    await service.client().shipmentMetadata.replace.mutate(METADATA);
    expect(service.calls).toHaveLength(2);
    expect(service.sleptMs).toEqual([1000]);
  });

  it.each([
    ['cut', 'cut'],
    ['answered 429', { status: 429, headers: { 'retry-after': '1' }, body: problem(429, 'RATE_LIMITED') }],
    ['answered 503', { status: 503, headers: { 'retry-after': '1' }, body: problem(503, 'SERVICE_UNAVAILABLE') }],
  ] as const)('a token request that was %s is retried for every mutation', async (_, failure) => {
    service.toTokens.push(failure);
    await service.client().shipmentMetadata.replace.mutate(METADATA);
    expect(service.tokenRequests).toHaveLength(2);
    expect(service.calls).toHaveLength(1);
  });
});

it.each([
  [400, 'INVALID_PATH_PARAMETER'],
  [403, 'ACCESS_DENIED'],
  [409, 'EXTERNAL_REFERENCE_CONFLICT'],
  [412, 'PRECONDITION_FAILED'],
  [422, 'VALIDATION_FAILED'],
])('%i %s is never retried', async (status, code) => {
  service.toCalls.push(refusal(status, code));
  await expect(service.client().shipments.create.mutate(ORDER)).rejects.toMatchObject({ status, code, attempts: 1 });
  expect(service.calls).toHaveLength(1);
});
