import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const authorization = `Bearer ${await environment.token(company)}`;

interface Answer {
  readonly result?: { readonly data: Record<string, unknown> };
  readonly error?: {
    readonly message: string;
    readonly data: { readonly problem?: Record<string, unknown> } & Record<string, unknown>;
  };
}
type Headers = Record<string, string>;

const mutate = (procedures: string, input: unknown, headers: Headers = { authorization }) =>
  environment.fetch(`/trpc/${procedures}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof input === 'string' ? input : JSON.stringify(input),
  });
const query = (procedures: string, input: unknown = {}, headers: Headers = { authorization }) =>
  environment.fetch(
    `/trpc/${procedures}${procedures.includes('?') ? '&' : '?'}input=${encodeURIComponent(JSON.stringify(input))}`,
    { headers },
  );
const answerOf = async (response: Response) => (await response.json()) as Answer;

/** A creation over tRPC: decimals are strings, and the idempotency key is a member. */
function creation(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    idempotencyKey: newKey(),
    ...shipmentBody(company, {
      destination: { ...DESTINATION, latitude: '21.50', longitude: '39.250000001' },
      declaredValue: '1234567890123456789',
      codAmount: '0.00',
      items: [{ description: 'Beans', quantity: 3, weightKilograms: '1e-1' }],
    }),
    ...changes,
  };
}

async function expectRefusal(response: Response, status: number, code: string, violations?: readonly string[]) {
  const { error } = await answerOf(response);
  expect(response.status).toBe(status);
  const problem = error?.data.problem;
  expect(problem).toMatchObject({ status, code, type: expect.stringContaining('https://api.mirsal.test/problems/') });
  expect(error?.message).toBe(code);
  expect(error?.data).not.toHaveProperty('stack');
  const found = (problem?.['violations'] as { field: string; code: string }[] | undefined)?.map(
    (one) => `${one.field} ${one.code}`,
  );
  expect(found?.toSorted()).toEqual(violations?.toSorted());
  expect(problem?.['requestId']).toBe(response.headers.get('x-request-id'));
}

describe('a creation over tRPC', () => {
  it('returns exact decimals as strings, equal to those over REST', async () => {
    const response = await mutate('shipments.create', creation());
    expect(response.status).toBe(200);
    const shipment = (await answerOf(response)).result?.data;
    expect(shipment).toMatchObject({
      declaredValue: '1234567890123456789',
      codAmount: '0',
      totalWeightKilograms: '0.3',
      destination: { latitude: '21.5', longitude: '39.250000001' },
      items: [{ description: 'Beans', quantity: 3, weightKilograms: '0.1' }],
    });
    const merchant = await merchantOf(environment, company);
    const text = await (await merchant.get(`${SHIPMENTS}/${String(shipment?.['shipmentId'])}`)).text();
    expect(text).toContain('"declaredValue":1234567890123456789,');
  });

  it('replays a creation over REST, and the reverse', async () => {
    const merchant = await merchantOf(environment, company);
    const input = creation();
    const first = (await answerOf(await mutate('shipments.create', input))).result?.data;
    expect((await answerOf(await mutate('shipments.create', input))).result?.data).toEqual(first);
    const { idempotencyKey, destination: _1, declaredValue: _2, codAmount: _3, items: _4, ...rest } = input;
    const text = JSON.stringify(rest).replace(
      /\}$/,
      ',"destination":{"addressLine":"4 Prince Sultan Street, Jeddah","cityCode":"JED",' +
        '"latitude":21.5,"longitude":39.250000001},' +
        '"declaredValue":1234567890123456789,"codAmount":0,' +
        '"items":[{"description":"Beans","quantity":3,"weightKilograms":0.1}]}',
    );
    const replay = await merchant.postShipment(text, { 'idempotency-key': String(idempotencyKey) });
    expect([replay.status, Reflect.get(Object(await replay.json()), 'shipmentId')]).toEqual([
      200,
      first?.['shipmentId'],
    ]);
  });

  it.each([
    ['a number for a decimal', { declaredValue: 5 }, 422, 'VALIDATION_FAILED', ['declaredValue TYPE_MISMATCH']],
    ['text for a decimal', { declaredValue: 'much' }, 422, 'VALIDATION_FAILED', ['declaredValue TYPE_MISMATCH']],
    ['a decimal with a plus', { codAmount: '+1' }, 422, 'VALIDATION_FAILED', ['codAmount TYPE_MISMATCH']],
    ['a decimal below zero', { codAmount: '-0.01' }, 422, 'VALIDATION_FAILED', ['codAmount OUT_OF_RANGE']],
    ['an unknown member', { note: 'x' }, 422, 'VALIDATION_FAILED', ['note UNKNOWN_PROPERTY']],
    [
      'a member named like one of Object.prototype',
      { valueOf: 1 },
      422,
      'VALIDATION_FAILED',
      ['valueOf UNKNOWN_PROPERTY'],
    ],
    [
      'no idempotency key',
      { idempotencyKey: undefined },
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
      [expect.stringContaining('REQUIRED')],
    ],
    [
      'a short idempotency key',
      { idempotencyKey: 'short' },
      400,
      'INVALID_IDEMPOTENCY_KEY',
      [expect.stringContaining('TOO_SHORT')],
    ],
    ['an unknown branch', { branchCode: 'NOWHERE' }, 422, 'VALIDATION_FAILED', ['branchCode BRANCH_UNKNOWN']],
  ])('is refused like over REST with %s', async (_case, changes, status, code, violations) => {
    await expectRefusal(await mutate('shipments.create', creation(changes)), status, code, violations);
  });

  it('stores nothing when it is refused', async () => {
    const fresh = await addCompany(environment);
    const headers = { authorization: `Bearer ${await environment.token(fresh)}` };
    await mutate('shipments.create', creation({ currency: 'sar' }), headers);
    await mutate('shipments.create', creation({ branchCode: 'NOWHERE' }), headers);
    expect(await storedOf(environment, fresh)).toEqual(NOTHING);
  });
});

describe('other procedures over tRPC', () => {
  it('list, read, answer the timeline and cancel', async () => {
    const shipment = (await answerOf(await mutate('shipments.create', creation()))).result?.data ?? {};
    const { shipmentId, externalReference } = shipment;
    const listed = (await answerOf(await query('shipments.list', { externalReference, limit: 1 }))).result?.data;
    expect(listed).toEqual({
      data: [expect.objectContaining({ shipmentId })],
      page: { nextCursor: null, hasMore: false },
    });
    expect((await answerOf(await query('shipments.get', { shipmentId }))).result?.data).toMatchObject({ shipmentId });
    const cancelled = await mutate('shipments.cancel', { shipmentId, ifMatch: '*', reasonCode: 'OTHER' });
    expect((await answerOf(cancelled)).result?.data).toMatchObject({ state: 'CANCELLED' });
    const timeline = (await answerOf(await query('shipments.timeline', { shipmentId }))).result?.data[
      'data'
    ] as unknown[];
    expect(timeline.at(-1)).toMatchObject({ type: 'shipment.cancelled' });
    expect((await answerOf(await query('branches.list'))).result?.data).toMatchObject({
      data: [{ branchCode: 'ABHA-1' }],
    });
    const places = (await answerOf(await query('pickupLocations.list'))).result?.data;
    expect(places).toMatchObject({ data: [{ location: { latitude: '18.216389', longitude: '42.505' } }] });
  });

  const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';
  it('are refused like over REST', async () => {
    await expectRefusal(await query('shipments.get', { shipmentId: UNKNOWN }), 403, 'ACCESS_DENIED');
    await expectRefusal(await query('shipments.get', { shipmentId: 'x' }), 400, 'INVALID_PATH_PARAMETER', [
      'shipmentId PATTERN_MISMATCH',
    ]);
    await expectRefusal(await query('shipments.list', { limit: 0 }), 400, 'LIMIT_OUT_OF_RANGE', ['limit OUT_OF_RANGE']);
    await expectRefusal(await query('shipments.list', { limit: '5' }), 400, 'INVALID_QUERY_PARAMETER', [
      'limit TYPE_MISMATCH',
    ]);
    await expectRefusal(await query('shipments.list', { cursor: 'x' }), 400, 'INVALID_CURSOR');
    await expectRefusal(
      await mutate('shipments.cancel', { shipmentId: UNKNOWN, reasonCode: 'OTHER' }),
      428,
      'PRECONDITION_REQUIRED',
      [expect.stringContaining('REQUIRED')],
    );
    const shipmentId = (await answerOf(await mutate('shipments.create', creation()))).result?.data['shipmentId'];
    const stale = await mutate('shipments.cancel', { shipmentId, ifMatch: '"7"', reasonCode: 'OTHER' });
    await expectRefusal(stale, 412, 'PRECONDITION_FAILED');
    const early = await mutate('shipments.retryDispatch', { shipmentId, ifMatch: '*' });
    await expectRefusal(early, 409, 'INVALID_STATE_TRANSITION');
  });

  it('answer problems in Arabic', async () => {
    const response = await query('shipments.get', { shipmentId: 'x' }, { authorization, 'accept-language': 'ar' });
    expect((await answerOf(response)).error?.data.problem?.['title']).toMatch(/\p{Script=Arabic}/u);
  });
});

describe('a request to tRPC', () => {
  it('of an unknown procedure is 404, and with the wrong method 405', async () => {
    await expectRefusal(await query('shipments.explode'), 404, 'ROUTE_NOT_FOUND');
    await expectRefusal(await query('shipments.create'), 405, 'METHOD_NOT_ALLOWED');
  });

  it.each(['{', '', 'undefined'])(
    'with input that is not JSON is refused without an internal error: %j',
    async (text) => {
      const response = await mutate('shipments.create', text);
      expect([400, 422]).toContain(response.status);
      expect((await answerOf(response)).error?.data).not.toHaveProperty('stack');
    },
  );

  it('may have ten calls, each with its own answer', async () => {
    const names = Array.from({ length: 10 }, (_, index) => (index === 3 ? 'shipments.get' : 'branches.list')).join(',');
    const input = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [index, index === 3 ? { shipmentId: 'x' } : {}]),
    );
    const response = await query(`${names}?batch=1`, input);
    expect(response.status).toBe(207);
    const answers = (await response.json()) as Answer[];
    expect(answers).toHaveLength(10);
    expect(answers.map(({ error }) => error?.data.problem?.['code'])).toEqual(
      Array.from({ length: 10 }, (_, index) => (index === 3 ? 'INVALID_PATH_PARAMETER' : undefined)),
    );
  });

  it('is refused with eleven calls, none of which runs', async () => {
    const fresh = await addCompany(environment);
    const headers = { authorization: `Bearer ${await environment.token(fresh)}` };
    const names = Array.from({ length: 11 }, () => 'shipments.create').join(',');
    const input = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [index, creation()]));
    const response = await mutate(`${names}?batch=1`, input, headers);
    expect(response.status).toBe(400);
    expect(await storedOf(environment, fresh)).toEqual(NOTHING);
    expect((await answerOf(response)).error?.data.problem).toMatchObject({ status: 400 });
  });

  it.each(['text/plain', 'application/json; charset=windows-1256'])('has to be JSON, not %s', async (type) => {
    const response = await mutate('shipments.create', creation(), { authorization, 'content-type': type });
    await expectRefusal(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('may have parameters that JSON does not have', async () => {
    const type = 'application/json; charset=utf8; version=1';
    expect((await mutate('shipments.create', creation(), { authorization, 'content-type': type })).status).toBe(200);
  });

  it('has no content coding, and the refusal says so', async () => {
    const response = await mutate('shipments.create', creation(), { authorization, 'content-encoding': 'gzip' });
    expect(response.headers.get('accept-encoding')).toBe('identity');
    expect((await response.clone().json()) as unknown).toMatchObject({
      error: {
        data: { problem: { detail: 'The body has the content coding gzip. Send it without Content-Encoding.' } },
      },
    });
    await expectRefusal(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('may be empty for a procedure that needs no input', async () => {
    expect((await mutate('sandbox.bootstrap', '')).status).toBe(200);
  });

  it('is limited in size', async () => {
    const response = await mutate('shipments.create', ' '.repeat(1024 * 1024));
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('PAYLOAD_TOO_LARGE');
  });
});
