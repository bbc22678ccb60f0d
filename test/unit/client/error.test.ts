import { inspect } from 'node:util';
import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../scripts/shared/until.ts';
import { createMirsalClient, MirsalError } from '../../../src/client.ts';
import { METADATA, ORDER, problem, type Reaction, refusal, SHIPMENT_ID, StandIn } from './stand-in.ts';

let service: StandIn;

beforeEach(async () => {
  service = new StandIn();
  await service.start();
});

afterEach(() => service.stop());

async function errorOf(call: Promise<unknown>): Promise<MirsalError> {
  const error = await call.catch((cause: unknown) => cause);
  if (error instanceof MirsalError) return error;
  throw new Error('The call did not reject with a MirsalError', { cause: error });
}

const readError = () => errorOf(service.client({ retries: 0 }).shipments.get.query({ shipmentId: SHIPMENT_ID }));

describe('an error of the service', () => {
  it('has the problem and its main members', async () => {
    const violations = [{ field: 'items[0].quantity', code: 'OUT_OF_RANGE', message: 'Must be from 1 to 10000.' }];
    service.toCalls.push(refusal(422, 'VALIDATION_FAILED', { violations }));
    const error = await errorOf(service.client().shipments.create.mutate(ORDER));
    expect(error).toMatchObject({
      name: 'MirsalError',
      message: 'VALIDATION_FAILED: What went wrong.; items[0].quantity Must be from 1 to 10000. (OUT_OF_RANGE)',
      code: 'VALIDATION_FAILED',
      status: 422,
      violations,
      requestId: '01948f3a-0000-7000-8000-000000000002',
      retryAfterSeconds: undefined,
      attempts: 1,
    });
    expect(error.problem).toEqual(problem(422, 'VALIDATION_FAILED', { violations }));
    // Programs written for tRPC find the members that they know.
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error.data).toMatchObject({ httpStatus: 422 });
  });

  it('tells three violations and how many more there are, and prints none twice', async () => {
    const violations = ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field, code: 'REQUIRED', message: 'is required' }));
    service.toCalls.push(refusal(422, 'VALIDATION_FAILED', { violations }));
    const error = await errorOf(service.client().shipments.create.mutate(ORDER));
    expect(error.message).toMatch(/; a is required \(REQUIRED\); b [^;]*; c [^;]*; 2 more$/);
    expect(inspect(error, { depth: 9 }).match(/field: 'a'/g)).toHaveLength(1);
  });

  it('has no violations when there are none', async () => {
    const existing = { shipmentId: SHIPMENT_ID, shipmentNumber: 'SHP-7ZQ4N0K2RD5', href: '/v2/external/shipments/1' };
    service.toCalls.push(refusal(409, 'EXTERNAL_REFERENCE_CONFLICT', { existing }));
    const error = await errorOf(service.client().shipments.create.mutate(ORDER));
    expect(error.violations).toEqual([]);
    expect(error.problem?.existing).toEqual(existing);
  });

  it('may come without tRPC’s envelope', async () => {
    service.toCalls.push({ status: 413, body: problem(413, 'PAYLOAD_TOO_LARGE') });
    expect(await readError()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
  });

  it('may come from the token endpoint', async () => {
    const detail = 'The client is unknown or its secret is wrong';
    const body = { error: 'invalid_client', ...problem(401, 'AUTHENTICATION_REQUIRED', { detail }) };
    service.toTokens.push({ status: 401, body });
    const error = await errorOf(service.client().shipments.get.query({ shipmentId: SHIPMENT_ID }));
    expect(error).toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
      status: 401,
      message: `AUTHENTICATION_REQUIRED: ${detail}`,
    });
    expect(service.calls).toEqual([]);
    expect(JSON.stringify(error) + error.stack).not.toContain('msk_test_secret');
  });
});

describe('a response that is not from the service', () => {
  it.each([
    [
      'a page',
      { status: 200, headers: { 'content-type': 'text/html', 'x-request-id': 'r-1' }, body: '<h1>Sign in</h1>' },
      200,
    ],
    ['other JSON', { status: 200, headers: { 'x-request-id': 'r-1' }, body: { hello: 'world' } }, 200],
    [
      'a redirect',
      { status: 307, headers: { location: 'https://elsewhere.test/', 'x-request-id': 'r-1' }, body: '' },
      307,
    ],
    ['a bare error', { status: 404, headers: { 'x-request-id': 'r-1' }, body: { error: 'not found' } }, 404],
  ])('%s is unexpected', async (_, reaction, status) => {
    service.toCalls.push(reaction);
    expect(await readError()).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      status,
      requestId: 'r-1',
      problem: undefined,
    });
  });

  it('is also unexpected from the token endpoint', async () => {
    service.toTokens.push({ status: 200, body: { access_token: 'only-half' } });
    expect(await readError()).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  });
});

describe('a missing response', () => {
  it('keeps its cause', async () => {
    service.toCalls.push('cut');
    const error = await readError();
    expect(error).toMatchObject({ code: 'NETWORK_FAILURE', status: undefined, problem: undefined });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it('within timeoutMs is a network failure', async () => {
    const deadlines: number[] = [];
    const deadline = (ms: number) => {
      deadlines.push(ms);
      // After those of all attempts and of the token, that of the call passes at once.
      return deadlines.length === 3
        ? AbortSignal.abort(new DOMException('Too slow', 'TimeoutError'))
        : new AbortController().signal;
    };
    const client = service.client({ retries: 0, timeoutMs: 1234, host: { deadline } });
    const error = await errorOf(client.shipments.get.query({ shipmentId: SHIPMENT_ID }));
    expect(error.code).toBe('NETWORK_FAILURE');
    expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    expect(deadlines).toEqual([90_000, 1234, 1234]);
  });
});

describe('the caller’s signal', () => {
  const reason = new Error('The order was withdrawn');

  it('prevents a call from being sent', async () => {
    const call = service
      .client()
      .shipments.get.query({ shipmentId: SHIPMENT_ID }, { signal: AbortSignal.abort(reason) });
    expect(await errorOf(call)).toMatchObject({ code: 'ABORTED', cause: reason });
    expect(service.calls).toEqual([]);
  });

  it('aborts a running request', async () => {
    service.toCalls.push('hang');
    const caller = new AbortController();
    const call = errorOf(service.client().shipments.get.query({ shipmentId: SHIPMENT_ID }, { signal: caller.signal }));
    await until('the call has arrived', () => service.calls.length === 1 || undefined);
    caller.abort(reason);
    expect(await call).toMatchObject({ code: 'ABORTED', cause: reason, attempts: 1 });
  });

  it('aborts a wait between attempts', async () => {
    service.toCalls.push(refusal(429, 'RATE_LIMITED', { retryAfter: '30' }));
    const caller = new AbortController();
    const { systemHost } = await import('../../../src/client/host.ts');
    const sleep = (ms: number, signal: AbortSignal | undefined) => {
      setImmediate(() => caller.abort(reason));
      return systemHost.sleep(ms, signal);
    };
    const client = service.client({ host: { sleep } });
    const call = client.shipmentMetadata.replace.mutate(METADATA, { signal: caller.signal });
    expect(await errorOf(call)).toMatchObject({ code: 'ABORTED', cause: reason, attempts: 1 });
    expect(service.calls).toHaveLength(1);
  });

  it('aborts one call’s wait for the token, but not the token request', async () => {
    const token = Promise.withResolvers<Reaction>();
    service.toTokens.push(token.promise);
    const client = service.client();
    const caller = new AbortController();
    const aborted = errorOf(client.shipments.get.query({ shipmentId: SHIPMENT_ID }, { signal: caller.signal }));
    const other = client.shipments.get.query({ shipmentId: SHIPMENT_ID });
    caller.abort('a reason that is no Error');
    expect((await aborted).cause).toMatchObject({ message: 'a reason that is no Error' });
    token.resolve({ status: 200, body: { access_token: 'late', expires_in: 3600 } });
    expect(await other).toEqual({ done: true });
    expect(service.tokenRequests).toHaveLength(1);
  });
});

it('a call that cannot be sent keeps its cause', async () => {
  const circular = { name: 'Sara', phone: '+966500000001' };
  Object.assign(circular, { self: circular });
  const error = await errorOf(service.client().shipments.create.mutate({ ...ORDER, recipient: circular }));
  expect(error.code).toBe('CLIENT_FAILURE');
  expect(error.cause).toBeInstanceOf(TypeError);
  expect(service.calls).toEqual([]);
});

it('refuses invalid options', () => {
  const options = { baseUrl: service.baseUrl, clientId: 'a', clientSecret: 'b' };
  for (const baseUrl of [
    'api.example.com',
    'ftp://api.example.com',
    'https://api.example.com/v2/',
    'https://api.example.com/trpc',
    'https://me:word@api.example.com',
    'https://api.example.com?x=1',
    '',
  ])
    expect(() => createMirsalClient({ ...options, baseUrl }), baseUrl).toThrow(
      'baseUrl is the address of a deployment',
    );
  for (const name of ['clientId', 'clientSecret'])
    for (const value of ['', '  ', undefined])
      expect(() => createMirsalClient({ ...options, [name]: value })).toThrow(`${name} is empty`);
  expect(() => createMirsalClient({ ...options, retries: -1 })).toThrow(RangeError);
  expect(() => createMirsalClient({ ...options, retries: Number.NaN })).toThrow(RangeError);
});
