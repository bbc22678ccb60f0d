import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem, type ProblemBody } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';
const ARABIC = { 'accept-language': 'ar' };

describe('a problem', () => {
  it('tells what is wrong in its first 120 characters, which is what exceptions of Guzzle show', async () => {
    const response = await merchant.postShipment(shipmentBody(company, { recipient: { name: 'A', phone: '5' } }));
    const text = await response.text();
    expect(Object.keys(JSON.parse(text) as object).slice(0, 3)).toEqual(['code', 'detail', 'violations']);
    expect(text.slice(0, 120)).toMatch(/^\{"code":"VALIDATION_FAILED".*"field":"recipient\.phone"/);
  });

  it('has the documented members', async () => {
    const response = await merchant.get(`${SHIPMENTS}/${UNKNOWN}?x=1`, {
      'x-correlation-id': UNKNOWN,
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    expect(await response.json()).toEqual({
      type: 'https://api.mirsal.test/problems/unknown-query-parameter',
      title: 'Unknown query parameter',
      status: 400,
      detail: expect.any(String),
      instance: `/v2/external/shipments/${UNKNOWN}`,
      code: 'UNKNOWN_QUERY_PARAMETER',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      correlationId: UNKNOWN,
      requestId: response.headers.get('x-request-id'),
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      violations: [{ field: 'x', code: 'UNKNOWN_PROPERTY', message: expect.any(String) }],
    });
  });

  it.each([
    ['%zz', '%25zz'],
    ['%', '%25'],
    ['[x]|^', '%5Bx%5D%7C%5E'],
    ['%C3%A9', '%C3%A9'],
  ])('names the path as a valid URI: %s', async (segment, told) => {
    const { instance } = Object(await (await merchant.get(`${SHIPMENTS}/${segment}`)).json());
    expect(instance).toBe(`${SHIPMENTS}/${told}`);
  });

  it.each([
    ['\ud800', '\ufffd'],
    [`${'x'.repeat(31)}🚚`, `${'x'.repeat(31)}\ufffd`],
  ])('names a member without lone surrogates: %j', async (name, told) => {
    const text = await (await merchant.postShipment(shipmentBody(company, { [name]: 1 }))).text();
    expect(text).not.toMatch(/\\ud/);
    expect(JSON.parse(text)).toMatchObject({ violations: [{ field: told, code: 'UNKNOWN_PROPERTY' }] });
  });

  it('never contains values from the request', async () => {
    const secret = 'a-value-that-is-nobodys-business';
    const answers = await Promise.all([
      merchant.postShipment({ currency: secret, recipient: { phone: secret } }),
      merchant.get(`${SHIPMENTS}?state=${secret}`),
      merchant.get(`${SHIPMENTS}?cursor=${secret}`),
      environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${secret}` } }),
      merchant.postShipment(shipmentBody(company), { 'idempotency-key': secret.repeat(9) }),
    ]);
    for (const answer of answers) expect(await answer.text()).not.toContain(secret);
  });
});

/** One request for each of the codes that merchants meet most. */
const REFUSALS: readonly (readonly [number, string, (headers: Record<string, string>) => Promise<Response>])[] = [
  [400, 'MALFORMED_JSON', (headers) => merchant.postShipment('{', headers)],
  [400, 'INVALID_PATH_PARAMETER', (headers) => merchant.get(`${SHIPMENTS}/x`, headers)],
  [400, 'LIMIT_OUT_OF_RANGE', (headers) => merchant.get(`${SHIPMENTS}?limit=0`, headers)],
  [400, 'INVALID_CURSOR', (headers) => merchant.get(`${SHIPMENTS}?cursor=x`, headers)],
  [400, 'IDEMPOTENCY_KEY_REQUIRED', (headers) => merchant.post(SHIPMENTS, {}, headers)],
  [401, 'AUTHENTICATION_REQUIRED', (headers) => environment.fetch(SHIPMENTS, { headers })],
  [403, 'ACCESS_DENIED', (headers) => merchant.get(`${SHIPMENTS}/${UNKNOWN}`, headers)],
  [404, 'ROUTE_NOT_FOUND', (headers) => environment.fetch('/nothing', { headers })],
  [405, 'METHOD_NOT_ALLOWED', (headers) => environment.fetch(SHIPMENTS, { method: 'PUT', headers })],
  [406, 'NOT_ACCEPTABLE', (headers) => merchant.get(SHIPMENTS, { ...headers, accept: 'application/xml' })],
  [413, 'PAYLOAD_TOO_LARGE', (headers) => merchant.postShipment(' '.repeat(300_000), headers)],
  [415, 'UNSUPPORTED_MEDIA_TYPE', (headers) => merchant.postShipment('', { ...headers, 'content-type': 'text/csv' })],
  [422, 'VALIDATION_FAILED', (headers) => merchant.postShipment({}, headers)],
  [428, 'PRECONDITION_REQUIRED', (headers) => merchant.post(`${SHIPMENTS}/${UNKNOWN}/cancellations`, {}, headers)],
];

describe.each(REFUSALS)('%i %s', (status, code, send) => {
  it('is in Arabic for Accept-Language: ar, with the same code', async () => {
    const english = await send({});
    const arabic = await send(ARABIC);
    expect(arabic.headers.get('content-language')).toBe('ar');
    const [inEnglish, inArabic] = [await problemIn(english, status, code), await problemIn(arabic, status, code)];
    expect([inEnglish.type, inEnglish.status]).toEqual([inArabic.type, inArabic.status]);
    for (const text of textsOf(inEnglish)) expect(text).not.toMatch(/\p{Script=Arabic}/u);
    for (const text of textsOf(inArabic)) expect(text).toMatch(/\p{Script=Arabic}/u);
    const codesOf = (problem: ProblemBody) =>
      problem.violations?.map(({ field, code: violation }) => `${field} ${violation}`);
    expect(codesOf(inArabic)).toEqual(codesOf(inEnglish));
  });
});

describe('a violation in Arabic', () => {
  it('names the rule and its limit', async () => {
    const body = shipmentBody(company, { externalReference: 'x'.repeat(129), items: [], paymentMethod: 'CASH' });
    const problem = await problemIn(await merchant.postShipment(body, ARABIC), 422, 'VALIDATION_FAILED');
    const messages = Object.fromEntries((problem.violations ?? []).map(({ field, message }) => [field, message]));
    expect(messages).toEqual({
      externalReference: expect.stringMatching(/^\P{Script=Latin}*128\P{Script=Latin}*$/u),
      items: expect.stringMatching(/^\P{Script=Latin}*1\P{Script=Latin}*$/u),
      paymentMethod: expect.stringContaining('PREPAID, COD'),
    });
  });
});

async function problemIn(response: Response, status: number, code: string): Promise<ProblemBody> {
  const copy = response.clone();
  const { violations } = (await copy.json()) as { violations?: { field: string; code: string }[] };
  const expected = violations?.map(({ field, code: violation }) => `${field} ${violation}`);
  return expectProblem(response, { status, code, ...(expected === undefined ? {} : { violations: expected }) });
}

function textsOf(problem: ProblemBody): string[] {
  return [problem.title, problem.detail ?? '', ...(problem.violations ?? []).map(({ message }) => message)];
}
