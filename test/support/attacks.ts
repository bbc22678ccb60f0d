import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { basic, postForm } from './oauth.ts';
import { expectProblem } from './problem.ts';
import { rawRequest, sendRaw } from './raw-http.ts';

/** Attacks that are tested on both runtimes, because each parses requests in its own way. */
export function describeAttacks(started: () => Environment): void {
  describe('a page whose host name resolves to this machine (DNS rebinding)', () => {
    const ask = async (host: string, method = 'GET') => {
      const line = `${method} /local/one-time-codes?recipient=nobody@example.com HTTP/1.1`;
      return sendRaw(started().address, rawRequest(line, [`Host: ${host}`, 'Connection: close']), 5000);
    };

    it.each([
      'attacker.example',
      'localhost.attacker.example',
      '127.0.0.1.attacker.example',
      '192.0.2.1',
      'notlocalhost',
    ])('cannot read one-time codes as %s', async (host) => {
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        const { statuses, text } = await ask(`${host}:8787`, method);
        expect([method, statuses]).toEqual([method, [404]]);
        expect(text).toContain('ROUTE_NOT_FOUND');
      }
    });

    it.each(['localhost', 'Console.LocalHost', '127.0.0.1', '127.1.2.3', '[::1]'])(
      'is not served by %s, which may read them',
      async (host) => {
        expect((await ask(host)).statuses).toEqual([200]);
        expect((await ask(`${host}:8787`)).statuses).toEqual([200]);
      },
    );
  });

  describe('a company that operators have suspended', () => {
    it('is refused with a token from before, with a session and for a new token', async () => {
      const environment = started();
      const company = await addCompany(environment);
      const session = await addSession(environment, await addPerson(environment, company));
      const token = await environment.token(company);
      await environment.sql(
        'directory',
        "insert into company_suspensions (company_id, version, since, suspended_by, reason) values (?, 1, 0, 'operator', 'test')",
        [company.companyId],
      );
      // No process has used the token, so none has cached that it is valid.
      const asked = (path: string, bearer: string) =>
        environment.fetch(path, { headers: { authorization: `Bearer ${bearer}` } });
      const refusal = { status: 403, code: 'ACCESS_DENIED' };
      const problem = await expectProblem(await asked(SHIPMENTS, token), refusal);
      expect(problem).toMatchObject({ companyState: 'SUSPENDED' });
      await expectProblem(await asked('/v2/company-authentication/sessions/current', session), refusal);
      const form = { grant_type: 'client_credentials' };
      expect((await postForm(environment, '/oauth/token', form, basic(company))).status).toBe(403);
    });
  });

  describe('conditional GET', () => {
    it('is 304 if If-None-Match contains the entity tag, strong or weak, or *', async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment));
      const { shipmentId } = await merchant.createApproved();
      const link = await createLink(merchant, shipmentId);
      const endpoint = await merchant.post(ENDPOINTS, { url: 'http://127.0.0.1:9/', eventTypes: ['webhook.test'] });
      // The link does not change any more.
      expect((await merchant.cancel(shipmentId)).status).toBe(200);
      const paths = [
        `${SHIPMENTS}/${shipmentId}`,
        `${SHIPMENTS}/${shipmentId}/tracking`,
        `${SHIPMENTS}/${shipmentId}/tracking-links/${link.linkId}`,
        endpoint.headers.get('location') ?? '',
        `/v2/public/tracking/${link.token}`,
        '/openapi.json',
        '/docs',
      ];
      for (const path of paths) {
        const first = await merchant.get(path);
        const etag = first.headers.get('etag') ?? 'none';
        expect([path, first.status, etag]).toEqual([path, 200, expect.stringMatching(/^(?:W\/)?"[\w-]+"$/)]);
        for (const tags of [etag, `W/${etag.replace('W/', '')}`, `"x", ${etag},"y"`, '*']) {
          const again = await merchant.get(path, { 'if-none-match': tags });
          expect([path, tags, again.status, await again.text()]).toEqual([path, tags, 304, '']);
          expect([path, again.headers.get('etag')?.replace('W/', '')]).toEqual([path, etag.replace('W/', '')]);
        }
        const changed = await merchant.get(path, { 'if-none-match': '"x", W/"y"' });
        expect([path, changed.status]).toEqual([path, 200]);
      }
    });

    it('never has one strong entity tag for two encodings of a body', async () => {
      for (const path of ['/', '/docs', '/openapi.json', '/llms.txt', '/problems']) {
        const get = (encoding: string, more: Record<string, string> = {}) =>
          started().fetch(path, { headers: { 'accept-encoding': encoding, ...more } });
        const plain = await get('identity');
        expect([path, plain.headers.get('content-encoding')]).toEqual([path, null]);
        const tags = new Map([[plain.headers.get('content-encoding'), plain.headers.get('etag')]]);
        expect([path, plain.headers.get('vary')]).toEqual([path, expect.stringMatching(/accept-encoding/i)]);
        for (const encoding of ['gzip', 'br', 'deflate']) {
          const packed = await get(encoding);
          expect([path, packed.headers.get('vary')]).toEqual([path, expect.stringMatching(/accept-encoding/i)]);
          expect(await packed.text()).toBe(await (await get('identity')).text());
          // Deno compresses. workerd itself does not, and Cloudflare does it in front.
          const coding = started().runtime === 'deno' && encoding !== 'deflate' ? encoding : null;
          expect([path, encoding, packed.headers.get('content-encoding')]).toEqual([path, encoding, coding]);
          const tag = packed.headers.get('etag') ?? '';
          const other = [...tags].filter(([coding]) => coding !== packed.headers.get('content-encoding'));
          expect([path, encoding, other.filter(([, one]) => one === tag && !tag.startsWith('W/'))]).toEqual([
            path,
            encoding,
            [],
          ]);
          tags.set(packed.headers.get('content-encoding'), tag);
          expect((await get(encoding, { 'if-none-match': tag })).status).toBe(304);
        }
      }
    });
  });

  it('never compresses a shipment, whose strong tag is its version', async () => {
    const merchant = await merchantOf(started(), await addCompany(started()));
    const { shipmentId } = await merchant.create();
    const read = await merchant.get(`${SHIPMENTS}/${shipmentId}`, { 'accept-encoding': 'br, gzip' });
    const { headers } = read;
    expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, expect.stringMatching(/^"\d+"$/)]);
    expect(headers.get('cache-control')).toContain('no-transform');
  });

  it('finds the session in either of two lines of cookies', async () => {
    const environment = started();
    const person = await addPerson(environment, await addCompany(environment));
    const [session, other] = [
      `Cookie: __Host-session=${await addSession(environment, person)}`,
      'Cookie: lang=ar; a=b',
    ];
    const line = 'GET /v2/company-authentication/sessions/current HTTP/1.1';
    for (const lines of [
      [session, other],
      [other, session],
      [other, session, 'Cookie: c=d'],
    ]) {
      const asked = rawRequest(line, ['Host: x', ...lines, 'Connection: close']);
      expect((await sendRaw(environment.address, asked, 5000)).statuses).toEqual([200]);
    }
    const twice = rawRequest(line, ['Host: x', session, session, 'Connection: close']);
    expect((await sendRaw(environment.address, twice, 5000)).statuses).toEqual([401]);
  });

  describe('a JSON body of an operation without authentication', () => {
    const send = async (path: string, bytes: number, headers = {}) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}'.padEnd(bytes),
      };
      return (await started().fetch(path, init)).status;
    };

    it('may have 16 KiB and no byte more, also over tRPC', async () => {
      const paths = ['/v2/merchant-registrations', '/v2/company-authentication/sign-ins', '/v2/driver/sessions'];
      for (const path of [...paths, '/trpc/registrations.create', '/trpc/sessions.startAcceptance']) {
        expect([path, await send(path, 16 * 1024)]).toEqual([path, 422]);
        expect([path, await send(path, 16 * 1024 + 1)]).toEqual([path, 413]);
      }
    });

    it('does not lend its limit to operations with authentication', async () => {
      const environment = started();
      const authorization = `Bearer ${await environment.token(await addCompany(environment))}`;
      const path = '/v2/external/shipment-price-estimates';
      expect(await send(path, 256 * 1024, { authorization })).toBe(422);
      expect(await send(path, 256 * 1024 + 1, { authorization })).toBe(413);
    });
  });

  describe('the token of a tracking link', () => {
    const token = `shard-1_${'a1'.repeat(16)}`;
    it.each([
      ...[`/t/${token}`, `/v2/public/tracking/${token}`].flatMap((path) => [
        path,
        `${path}/`,
        `${path}/x`,
        `${path}%2Fx`,
      ]),
      ...[`/t//${token}`, `//t/${token}`, `/T/${token}`, `/%74/${token}`, `/t%2F${token}`, `/t%252F${token}`],
      ...[`/t/.%2e/t/${token}`, `/v2/public/Tracking/x/${token}`, `/v2%2fpublic/tracking/${token}`],
    ])('does not appear in any response to %s', async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const response = await started().fetch(path, { method });
        const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
        expect([method, told.includes('a1a1a1')]).toEqual([method, false]);
      }
    });
  });

  describe('a long', () => {
    it.each([
      ['address of encoded percent signs', `/x/%${'25'.repeat(20_000)}`, 404],
      ['address of percent signs', `/x/${'%'.repeat(40_000)}`, 404],
      ['address of slashes', '/'.repeat(40_000), 404],
      ['address of procedures', `/trpc/${'shipments.get,'.repeat(3000)}`, 400],
      ['query of REST', `${SHIPMENTS}?${'a&'.repeat(20_000)}`, 400],
      ['query of tRPC', `/trpc/shipments.get?input=${'['.repeat(40_000)}`, 400],
    ])('%s is refused with a short answer', async (_kind, path, status) => {
      const response = await started().fetch(path);
      expect(response.status).toBe(status);
      expect((await response.text()).length).toBeLessThan(8000);
    });

    it('header of elements is read at its beginning', async () => {
      const environment = started();
      const authorization = `Bearer ${await environment.token(await addCompany(environment))}`;
      const send = async (headers: Readonly<Record<string, string>>) =>
        (await environment.fetch(SHIPMENTS, { headers: { authorization, ...headers } })).status;
      expect(await send({ accept: `application/json, ${'a/b;q=0.1, '.repeat(4000)}` })).toBe(200);
      expect(await send({ accept: `${'a/b;q=0.1, '.repeat(4000)}application/json` })).toBe(406);
      expect(await send({ 'if-none-match': '"a",'.repeat(10_000) })).toBe(200);
      expect(await send({ authorization: `Bearer ${'a.'.repeat(20_000)}a` })).toBe(401);
    });
  });

  describe('a body of', () => {
    const newCaller = async () => {
      const environment = started();
      const merchant = await merchantOf(environment, await addCompany(environment));
      const authorization = `Bearer ${await environment.token(merchant.company)}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const overTrpc = (path: string, text: string) =>
        environment.fetch(`/trpc/${path}`, { method: 'POST', headers, body: text });
      return { merchant, overTrpc };
    };

    it.each(BOMBS)('%s is refused quickly, over REST and tRPC', async (_kind, body) => {
      const { merchant, overTrpc } = await newCaller();
      await expectRefusedSoon(() => merchant.postShipment(body));
      await expectRefusedSoon(() => overTrpc('shipments.create', body));
      await expectRefusedSoon(() => overTrpc('shipments.create,shipments.create?batch=1', `{"0":${body},"1":${body}}`));
    });

    it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'idempotencyKey'])(
      'an extra member %s is an unknown property',
      async (name) => {
        const { merchant } = await newCaller();
        const { company } = merchant;
        const body = JSON.stringify(shipmentBody(company)).replace(
          /^\{/,
          `{"${name}":{"isAdmin":true,"scope":"operations"},`,
        );
        const problem = await expectProblem(await merchant.postShipment(body), {
          status: 422,
          code: 'VALIDATION_FAILED',
          violations: [`${name} UNKNOWN_PROPERTY`],
        });
        expect(problem.violations).toHaveLength(1);
        const within = JSON.stringify(shipmentBody(company)).replace(
          '"recipient":{',
          `"recipient":{"${name}":{"x":1},`,
        );
        await expectProblem(await merchant.postShipment(within), {
          status: 422,
          code: 'VALIDATION_FAILED',
          violations: [`recipient.${name} UNKNOWN_PROPERTY`],
        });
      },
    );

    it('a duplicate member is refused, and the idempotency key stays free', async () => {
      const { merchant } = await newCaller();
      const key = newKey();
      const body = JSON.stringify(shipmentBody(merchant.company));
      const twice = body.replace('"codAmount":0', '"codAmount":77,"codAmount":0');
      const refused = await merchant.postShipment(twice, { 'idempotency-key': key });
      await expectProblem(refused, { status: 400, code: 'MALFORMED_JSON' });
      expect((await merchant.postShipment(body, { 'idempotency-key': key })).status).toBe(201);
    });
  });

  describe('a page of another site', () => {
    it.each([
      { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ])('changes nothing with the cookie of a session: %j', async (told) => {
      const environment = started();
      const person = await addPerson(environment, await addCompany(environment));
      const cookie = `__Host-session=${await addSession(environment, person, { assurance: 'AAL2' })}`;
      const send = (path: string, headers: Readonly<Record<string, string>>) => {
        const init = {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json', ...headers },
          body: '{}',
        };
        return environment.fetch(path, init);
      };
      for (const path of ['/trpc/branches.create', '/v2/merchant-api-credential']) {
        expect([path, (await send(path, told)).status]).toEqual([path, 403]);
        expect((await send(path, { origin: environment.baseUrl })).status).not.toBe(403);
      }
    });
  });

  describe('a token', () => {
    it('that is unsigned, changed or of another kind is refused with the same challenge', async () => {
      const environment = started();
      const good = await environment.token(await addCompany(environment));
      const [, claims = '', signature = ''] = good.split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
      const last = good.endsWith('A') ? 'B' : 'A';
      const bad = [
        `${header}.${claims}.`,
        `${header}.${claims}.${signature}`,
        `${good.slice(0, -1)}${last}`,
        `${good}=`,
      ];
      for (const token of bad) {
        const response = await environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${token}` } });
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="mirsal", error="invalid_token"');
        await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
      }
    });
  });
}

async function expectRefusedSoon(asked: () => Promise<Response>): Promise<void> {
  const before = performance.now();
  const response = await asked();
  expect(performance.now() - before).toBeLessThan(5000);
  expect([400, 404, 413, 415, 422]).toContain(response.status);
  expect(await response.text()).not.toMatch(/INTERNAL_ERROR|node_modules|\bat \w+ \(/);
}

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const BOMBS: readonly (readonly [string, string])[] = [
  ['lists in lists', deep('[', ']', 100_000)],
  ['unclosed lists', '['.repeat(200_000)],
  ['objects in objects', deep('{"a":', '}', 25_000).replace('}', '1}')],
  ['objects in a member', `{"recipient":${deep('{"a":', '}', 20_000).replace('}', '1}')}}`],
  ['lists in a member', `{"items":${deep('[', ']', 100_000)}}`],
  ['many members', `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ['many items', `{"items":[${'{},'.repeat(60_000)}{}]}`],
  ['one long name', `{"${'a'.repeat(250_000)}":1}`],
  ['a number of many digits', `{"declaredValue":${'9'.repeat(250_000)}}`],
  ['a number of many places', `{"declaredValue":0.${'1'.repeat(250_000)}}`],
  ['a number with a huge exponent', '{"declaredValue":1e999999999}'],
  ['a number with a tiny exponent', '{"declaredValue":1e-999999999}'],
  ['many numbers', `{"items":[${'1e400,'.repeat(40_000)}1]}`],
  ['escapes', `{"externalReference":"${'\\u0000'.repeat(40_000)}"}`],
  ['lone surrogates', `{"externalReference":"${'\\ud800'.repeat(40_000)}"}`],
  ['trailing white space', `{"externalReference":"a"${' '.repeat(250_000)}x`],
];
