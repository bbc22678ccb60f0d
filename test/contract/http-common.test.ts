import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { expectPlainDocument } from '../support/expect-plain-document.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const { shipmentId } = await merchant.createApproved();
const SHIPMENT = `${SHIPMENTS}/${shipmentId}`;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CORRELATION = '0190d0c8-7a6b-4c3d-8e4f-0123456789ab';

/** Responses of every kind: all of them must keep the rules below. */
const KINDS: readonly (readonly [string, (headers: Record<string, string>) => Promise<Response>])[] = [
  ['200', (headers) => merchant.get(SHIPMENT, headers)],
  ['204 of OPTIONS', (headers) => environment.fetch(SHIPMENTS, { method: 'OPTIONS', headers })],
  ['400', (headers) => merchant.get(`${SHIPMENTS}/x`, headers)],
  ['401', (headers) => environment.fetch(SHIPMENTS, { headers })],
  ['403', (headers) => merchant.get(`${SHIPMENTS}/${CORRELATION}`, headers)],
  ['404', (headers) => environment.fetch('/v2/external/nothing', { headers })],
  ['405', (headers) => environment.fetch(SHIPMENTS, { method: 'DELETE', headers })],
  ['406', (headers) => merchant.get(SHIPMENT, { ...headers, accept: 'text/html' })],
  ['415', (headers) => merchant.postShipment('x', { ...headers, 'content-type': 'text/plain' })],
  ['422', (headers) => merchant.postShipment({}, headers)],
  ['a token refused', (headers) => environment.fetch('/oauth/token', { method: 'POST', headers })],
  ['/health', (headers) => environment.fetch('/health', { headers })],
  ['/ready', (headers) => environment.fetch('/ready', { headers })],
  ['the metadata', (headers) => environment.fetch('/.well-known/oauth-authorization-server', { headers })],
  ['tRPC', (headers) => environment.fetch('/trpc/shipments.list', { headers })],
];

describe.each(KINDS)('a response: %s', (_kind, send) => {
  it('has a request id, a correlation id and its language', async () => {
    const [first, second] = [await send({}), await send({})];
    expect(first.headers.get('x-request-id')).toMatch(UUID);
    expect(first.headers.get('x-correlation-id')).toMatch(UUID);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('x-correlation-id')).not.toBe(first.headers.get('x-correlation-id'));
    expect(first.headers.get('content-language')).toBe('en');
    expect(first.headers.get('vary')).toMatch(/accept-language/i);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('adopts a correlation id that is a UUID, and replaces any other value', async () => {
    expect((await send({ 'x-correlation-id': CORRELATION })).headers.get('x-correlation-id')).toBe(CORRELATION);
    for (const wrong of ['order-1', `{${CORRELATION}}`, CORRELATION.slice(1), `${CORRELATION}, ${CORRELATION}`]) {
      const adopted = (await send({ 'x-correlation-id': wrong })).headers.get('x-correlation-id');
      expect(adopted).toMatch(UUID);
      expect(adopted).not.toBe(wrong);
    }
  });
});

describe('traceparent', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  it.each([
    ['00', `00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
    ['a later version', `01-${TRACE}-00f067aa0ba902b7-00`, TRACE],
    ['the forbidden version', `ff-${TRACE}-00f067aa0ba902b7-01`, undefined],
    ['a trace of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    ['capital letters', `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
    ['a short trace', `00-${TRACE.slice(1)}-00f067aa0ba902b7-01`, undefined],
    ['a malformed value', 'trace me', undefined],
  ])('with %s yields its trace id or none', async (_case, traceparent, traceId) => {
    const response = await merchant.get(`${SHIPMENTS}/${CORRELATION}`, { traceparent });
    const problem = await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    expect(problem.traceId).toBe(traceId);
  });
});

describe('Accept-Language', () => {
  it.each([
    ['ar', 'ar'],
    ['ar-SA', 'ar'],
    ['AR', 'ar'],
    ['en', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['ar;q=0.4, en;q=0.9', 'en'],
    ['en;q=0.4, ar;q=0.9', 'ar'],
    ['fr, ar;q=0.2', 'ar'],
    ['ar;q=0, en;q=0.1', 'en'],
    ['nonsense;;q=,', 'en'],
  ])('%j is answered in %s', async (accept, language) => {
    const response = await merchant.get(SHIPMENT, { 'accept-language': accept });
    expect([response.status, response.headers.get('content-language')]).toEqual([200, language]);
  });

  it('may have 64 characters at most', async () => {
    const accept = `ar${' '.repeat(30)},${' '.repeat(29)}en`;
    expect(accept).toHaveLength(64);
    expect((await merchant.get(SHIPMENT, { 'accept-language': accept })).status).toBe(200);
    const refused = await merchant.get(SHIPMENT, { 'accept-language': accept.replace(',', ',,') });
    await expectProblem(refused, { status: 400, code: 'INVALID_HEADER', violations: ['Accept-Language TOO_LONG'] });
  });

  /** 78 characters, such as browsers of people with many languages send. */
  const LONG = 'ar-SA,ar;q=0.9,en-US;q=0.8,en;q=0.7,fr-FR;q=0.6,fr;q=0.5,de-DE;q=0.4,de;q=0.3';
  const REFUSED = { status: 400, code: 'INVALID_HEADER', violations: ['Accept-Language TOO_LONG'] };

  it.each([
    SHIPMENTS,
    SHIPMENT,
    '/v2/external/branches',
    '/v2/external/pickup-locations',
    '/v2/external/sandbox/readiness',
  ])('is refused above that where the published contract has the limit: GET %s', async (path) => {
    await expectProblem(await merchant.get(path, { 'accept-language': LONG }), REFUSED);
  });

  it.each([
    [SHIPMENTS, { 'idempotency-key': 'a-key-of-16-characters' }],
    ['/v2/external/shipment-price-estimates', {}],
    ['/v2/external/sandbox/bootstrap', {}],
    ['/v2/merchant-registrations', {}],
    [`/v2/account-registrations/${CORRELATION}/verifications`, {}],
  ])('is refused there for POST %s too', async (path, headers) => {
    await expectProblem(await merchant.post(path, {}, { ...headers, 'accept-language': LONG }), REFUSED);
  });

  it.each([
    `${SHIPMENT}/timeline`,
    '/v2/external/events',
    '/v2/external/webhook-endpoints',
    '/trpc/shipments.list?input=%7B%7D',
    '/docs',
  ])('is read as far as that everywhere else: %s', async (path) => {
    const response = await merchant.get(path, { 'accept-language': LONG });
    expect([response.status, response.headers.get('content-language')]).toEqual([200, 'ar']);
    const later = `${'fr;q=0.1,'.repeat(8)}ar`;
    expect((await merchant.get(path, { 'accept-language': later })).headers.get('content-language')).toBe('en');
  });

  it('is read as far as that on public tracking', async () => {
    const response = await environment.fetch('/v2/public/tracking/x', { headers: { 'accept-language': LONG } });
    await expectProblem(response, { status: 404, code: 'TRACKING_LINK_UNAVAILABLE' });
    expect(response.headers.get('content-language')).toBe('ar');
  });
});

describe('Accept', () => {
  it.each([
    'application/json',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
  ])('%s is served', async (accept) => {
    const response = await merchant.get(SHIPMENT, { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  it.each([
    'text/html',
    'application/xml',
    'application/jsonl',
    'application/json;q=0',
    'application/json;q=0, */*',
    'image/*',
    'text/html, application/xhtml+xml',
  ])('%s is 406 as a problem document', async (accept) => {
    await expectProblem(await merchant.get(SHIPMENT, { accept }), { status: 406, code: 'NOT_ACCEPTABLE' });
    // A stream of JSON Lines is asked for by another header.
    const call = await merchant.get('/trpc/shipments.list?batch=1&input=%7B%7D', {
      accept,
      'trpc-accept': 'application/jsonl',
    });
    expect(call.status).toBe(406);
  });
});

describe('a path', () => {
  it.each([
    ...['/v2', '/v2/external', '/v2/external/shipment', '/v1/external/shipments', '/V2/external/shipments'],
    ...[
      `${SHIPMENTS}/`,
      `${SHIPMENTS}//timeline`,
      `${SHIPMENT}/`,
      `${SHIPMENT}/cancel`,
      `${SHIPMENT}/timeline/1`,
      '//health',
    ],
    ...['/oauth', '/oauth/authorize', '/.well-known', '/.env', '/__proto__', '/constructor'],
  ])('that is unknown is 404 for every caller: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      await expectProblem(await environment.fetch(path, { method }), { status: 404, code: 'ROUTE_NOT_FOUND' });
    }
    await expectProblem(await merchant.get(path), { status: 404, code: 'ROUTE_NOT_FOUND' });
  });

  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
  const TOKEN = `shard-1_${'7'.repeat(32)}`;

  it.each([
    ['en', '/nothing'],
    ['ar', '/nothing'],
    ['en', `/t/${TOKEN}/`],
    ['ar', `/t/${TOKEN}/more`],
    ['en', `/v2/public/tracking/${TOKEN}/`],
    ['en', '/problems/nothing'],
    ['ar', '/docs/nothing'],
    ['en', '/v2/external/shipment?q=1'],
  ] as const)('that is unknown is a page in %s for a browser: %s', async (locale, path) => {
    const headers = { accept: BROWSER, 'accept-language': locale };
    const [response, problem] = [await environment.fetch(path, { headers }), await environment.fetch(path)];
    expect([response.status, problem.status]).toEqual([404, 404]);
    const text = await response.text();
    expectPlainDocument(text, locale);
    for (const secret of [TOKEN, path.split('?')[0] ?? path]) expect(text).not.toContain(secret);
    for (const way of ['/', '/docs', '/console']) expect(text).toContain(`href="${way}?lang=${locale}"`);
    expect(text).toContain(locale === 'en' ? 'To track a parcel' : 'لتتبع شحنة');
    const told = Object.fromEntries(response.headers);
    expect(told).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': locale,
      'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'self'"),
      vary: expect.stringMatching(/Accept, Cookie.*Accept-Language/),
    });
    expect(problem.headers.get('vary')).toMatch(/^Accept,/);
    const same = [...problem.headers.keys()].filter(
      (name) =>
        !['content-type', 'content-language', 'content-length', 'content-security-policy', 'vary', 'date'].includes(
          name,
        ),
    );
    for (const name of same.filter((name) => !/^x-(request|correlation)-id$/.test(name)))
      expect([name, response.headers.get(name)]).toEqual([name, problem.headers.get(name)]);
    expect(response.headers.has('x-request-id')).toBe(true);
  });

  it.each(['', '*/*', 'application/json', 'text/html;q=0', 'application/json, text/html;q=0.9', 'text/plain'])(
    'that is unknown is a problem for a program that accepts %j',
    async (accept) => {
      const response = await environment.fetch('/nothing', { headers: { accept } });
      await expectProblem(response, { status: 404, code: 'ROUTE_NOT_FOUND' });
    },
  );

  it('that is unknown has no body for HEAD, even for a browser', async () => {
    const response = await environment.fetch('/nothing', { method: 'HEAD', headers: { accept: BROWSER } });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it.each([
    ['/health', ['GET', 'HEAD', 'OPTIONS']],
    ['/ready', ['GET', 'HEAD', 'OPTIONS']],
    ['/oauth/token', ['OPTIONS', 'POST']],
    ['/oauth/revoke', ['OPTIONS', 'POST']],
    ['/.well-known/jwks.json', ['GET', 'HEAD', 'OPTIONS']],
    ['/.well-known/oauth-authorization-server', ['GET', 'HEAD', 'OPTIONS']],
    [SHIPMENTS, ['GET', 'HEAD', 'OPTIONS', 'POST']],
    [`${SHIPMENT}/cancellations`, ['OPTIONS', 'POST']],
    ['/trpc/shipments.list', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ])('answers OPTIONS and unsupported methods with the allowed methods: %s', async (path, methods) => {
    const options = await environment.fetch(path, { method: 'OPTIONS' });
    expect([options.status, await options.text()]).toEqual([204, '']);
    expect(allowOf(options)).toEqual(methods);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const refused = await environment.fetch(path, { method });
      await expectProblem(refused, { status: 405, code: 'METHOD_NOT_ALLOWED' });
      expect(allowOf(refused)).toEqual(methods);
    }
  });
});

describe('HEAD', () => {
  it.each([
    ['/health'],
    ['/ready'],
    ['/.well-known/jwks.json'],
    [SHIPMENT],
    [SHIPMENTS],
    [`${SHIPMENT}/timeline`],
    ['/v2/external/branches'],
  ])('answers like GET without the body: %s', async (path) => {
    const authorization = `Bearer ${await environment.token(company)}`;
    const head = await environment.fetch(path, { method: 'HEAD', headers: { authorization } });
    const get = await environment.fetch(path, { headers: { authorization } });
    expect([head.status, await head.text()]).toEqual([get.status, '']);
    for (const name of ['content-type', 'etag', 'cache-control', 'content-language']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('is refused like GET', async () => {
    const response = await environment.fetch(SHIPMENTS, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([401, '']);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="/);
    const missing = await environment.fetch(`${SHIPMENT}/cancellations`, { method: 'HEAD' });
    expect(missing.status).toBe(405);
  });
});

function allowOf(response: Response): string[] {
  return (response.headers.get('allow') ?? '')
    .split(',')
    .map((method) => method.trim())
    .toSorted();
}
