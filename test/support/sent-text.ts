import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { PNG } from './files.ts';
import { mediaForm } from './media.ts';
import { basic, expectOAuthError } from './oauth.ts';
import { expectProblem } from './problem.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { NOTHING, storedOf } from './rows.ts';

/* Text as programs really send it, on both runtimes, because each decodes in its own way. */

/** "قهوة" in windows-1256, and "é" in Latin-1: what programs send that do not encode. */
const WINDOWS_1256 = [0xde, 0xe5, 0xe6, 0xc9];
const LATIN_1 = [0xe9];
/** What Excel and Windows editors write before a text. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Texts and bytes, one after the other. */
function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
}

interface Call {
  readonly name: string;
  readonly path: string;
  /** The body around the input of a call. */
  readonly around: readonly [string, string];
}

/** A creation over each interface. */
const CALLS: readonly Call[] = [
  { name: 'REST', path: SHIPMENTS, around: ['', ''] },
  { name: 'tRPC', path: '/trpc/shipments.create', around: ['', ''] },
  {
    name: 'a tRPC batch',
    path: '/trpc/shipments.create,shipments.create?batch=1',
    around: ['{"0":{},"1":', '}'],
  },
];

/** The problem of a response over REST, or of the last call over tRPC. */
async function problemOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  const last = (Array.isArray(body) ? body.at(-1) : body) as Record<string, unknown> & {
    error?: { data: { problem: Record<string, unknown> } };
  };
  return last.error?.data.problem ?? last;
}

export function describeSentText(started: () => Environment): void {
  const newCaller = async () => {
    const environment = started();
    const company = await addCompany(environment);
    const authorization = `Bearer ${await environment.token(company)}`;
    const post = (path: string, body: BodyInit, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
      environment.fetch(path, { method: 'POST', body, headers: { authorization, ...headers } });
    return { environment, company, authorization, post };
  };

  describe.each(CALLS)('a body over $name', ({ path, around: [before, after] }) => {
    /** Sends a creation whose `items` is left out, so that the test writes its end. */
    const create = async (
      end: readonly (string | readonly number[])[],
      first: readonly number[] = [],
      locale = 'en',
    ) => {
      const caller = await newCaller();
      const { items: _items, ...members } = shipmentBody(caller.company);
      const begin = `${before}${JSON.stringify(members).slice(0, -1)},`;
      const headers = { ...JSON_TYPE, 'idempotency-key': newKey(), 'accept-language': locale };
      const response = await caller.post(path, bytesOf(first, begin, ...end, after), headers);
      const problem = await problemOf(response);
      expect(await storedOf(caller.environment, caller.company)).toEqual(NOTHING);
      return { status: response.status, code: problem['code'], detail: problem['detail'], begin };
    };
    const description = (bytes: readonly number[]) => ['"items":[{"description":"', bytes, '"}]}'] as const;

    it.each([
      ['windows-1256', WINDOWS_1256],
      ['Latin-1', LATIN_1],
      ['a character that is cut off', [0xd9]],
      ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
      ['a longer form than needed', [0xc0, 0xaf]],
    ])('in %s is 400, and names the byte', async (_name, bytes) => {
      const { begin, ...refused } = await create(description(bytes));
      const byte = Buffer.byteLength(begin) + '"items":[{"description":"'.length + 1;
      expect(refused).toEqual({
        status: 400,
        code: 'MALFORMED_JSON',
        detail: `Byte ${byte} is not UTF-8. Send the text in UTF-8.`,
      });
    });

    it('with a byte order mark is 400, and says so in the language of the client', async () => {
      const ends = description([0x41]);
      expect((await create(ends, BYTE_ORDER_MARK)).detail).toBe(
        'A byte order mark stands before the text. Send the text without it.',
      );
      expect(await create(ends, BYTE_ORDER_MARK, 'ar')).toMatchObject({
        status: 400,
        detail: 'تسبق النص علامة ترتيب البايتات (BOM). أرسل النص بدونها.',
      });
    });

    it.each([
      ['codAmount', '"items":[],"codAmount":500}'],
      ['recipient', '"items":[],"recipient":{"name":"A"}}'],
      ['quantity', String.raw`"items":[{"quantity":1},{"quantity":1,"\u0071uantity":2}]}`],
    ])('in which %s stands twice is 400, and names the member', async (name, end) => {
      const { begin: _begin, ...refused } = await create([end]);
      expect(refused).toEqual({ status: 400, code: 'MALFORMED_JSON', detail: `\`${name}\` stands twice.` });
      expect((await create([end], [], 'ar')).detail).toBe(`يرد \u2068${name}\u2069 مرتين.`);
    });
  });

  describe('the input of a GET over tRPC', () => {
    const ask = async (query: string) => {
      const { environment, authorization } = await newCaller();
      const response = await environment.fetch(`/trpc/shipments.list?${query}`, { headers: { authorization } });
      const { code, detail } = await problemOf(response);
      return { status: response.status, code, detail };
    };

    it.each([
      [
        'input=%7B%22externalReference%22%3A%22%C7%E1%DA%22%7D',
        'INVALID_QUERY_PARAMETER',
        '%C7%E1%DA in `input` is not UTF-8. Percent-encode the bytes of UTF-8.',
      ],
      [
        'input=%EF%BB%BF%7B%7D',
        'MALFORMED_JSON',
        'A byte order mark stands before the text. Send the text without it.',
      ],
      ['input=%7B%22limit%22%3A1%2C%22limit%22%3A2%7D', 'MALFORMED_JSON', '`limit` stands twice.'],
      ['input=%7B%7D&input=%7B%22limit%22%3A1%7D', 'INVALID_QUERY_PARAMETER', '`input` stands twice.'],
      [
        'batch=1&input=%7B%220%22%3A%7B%22limit%22%3A1%2C%22limit%22%3A2%7D%7D',
        'MALFORMED_JSON',
        '`limit` stands twice.',
      ],
    ])('%s is 400 %s', async (query, code, detail) => {
      expect(await ask(query)).toEqual({ status: 400, code, detail });
    });

    it('is read after the checks of access', async () => {
      const response = await started().fetch('/trpc/shipments.list?input=%C7');
      expect([response.status, (await problemOf(response))['code']]).toEqual([401, 'AUTHENTICATION_REQUIRED']);
    });
  });

  describe('an upload over tRPC', () => {
    const upload = async (input: string | readonly number[]) => {
      const { environment, company, post } = await newCaller();
      const part = (head: string) => `--x\r\nContent-Disposition: form-data; name=${head}\r\n\r\n`;
      const body = bytesOf(
        ...[part('"input"'), '{"externalReference":"', input, '"}\r\n'],
        ...[part('"content"; filename="a.png"\r\nContent-Type: image/png'), [...PNG], '\r\n--x--\r\n'],
      );
      const response = await post('/trpc/mediaAssets.create', body, {
        'content-type': 'multipart/form-data; boundary=x',
      });
      const rows = await environment.sql(company.shard, 'select 1 from media_assets where company_id = ?', [
        company.companyId,
      ]);
      return { status: response.status, detail: (await problemOf(response))['detail'], stored: rows.length };
    };

    it('is 400 if its input is not UTF-8 or has a member twice', async () => {
      expect(await upload(WINDOWS_1256)).toEqual({
        status: 400,
        detail: '`input` is not UTF-8. Send the text in UTF-8.',
        stored: 0,
      });
      const twice = await upload('a","externalReference":"b');
      expect(twice).toEqual({ status: 400, detail: '`externalReference` stands twice.', stored: 0 });
    });

    it('keeps a replacement character that was sent as such', async () => {
      expect(await upload('a\ufffdb')).toMatchObject({ status: 200, stored: 1 });
    });

    it('is 400 with two inputs', async () => {
      const { post } = await newCaller();
      const form = mediaForm({ externalReference: 'a' });
      form.append('input', '{}');
      const problem = await problemOf(await post('/trpc/mediaAssets.create', form, {}));
      expect(problem).toMatchObject({ status: 400, code: 'MALFORMED_JSON', detail: '`input` stands twice.' });
    });
  });

  describe('a query over REST', () => {
    it.each([
      [
        'externalReference=%C7%E1%DA',
        'externalReference PATTERN_MISMATCH',
        '%C7%E1%DA in `externalReference` is not UTF-8. Percent-encode the bytes of UTF-8.',
      ],
      [
        'metadata[caf%E9]=1',
        'metadata[caf\ufffd] PATTERN_MISMATCH',
        '%E9 in `metadata[caf\ufffd]` is not UTF-8. Percent-encode the bytes of UTF-8.',
      ],
      ['state=OFFERED&limit=5&limit=6', 'limit DUPLICATE_ITEM', '`limit` stands twice.'],
    ])('%s is 400', async (query, violation, detail) => {
      const { environment, authorization } = await newCaller();
      const response = await environment.fetch(`${SHIPMENTS}?${query}`, { headers: { authorization } });
      const problem = await expectProblem(response, {
        ...{ status: 400, code: 'INVALID_QUERY_PARAMETER' },
        violations: [violation],
      });
      expect(problem.detail).toBe(detail);
    });

    it('with a bare plus in an instant is 400, and says how to write it', async () => {
      const { environment, authorization } = await newCaller();
      const instant = '2026-01-01T00:00:00+00:00';
      const headers = { authorization };
      const hint = 'a + in a query arrives as a space: write +00:00 as %2B00:00, or Z';
      const response = await environment.fetch(`${SHIPMENTS}?createdFrom=${instant}`, { headers });
      const violations = ['createdFrom INVALID_INSTANT'];
      const problem = await expectProblem(response, { status: 400, code: 'INVALID_QUERY_PARAMETER', violations });
      expect(problem.violations?.[0]?.message).toBe(hint);
      // Also over tRPC, where the query is JSON that was not encoded.
      const call = await environment.fetch(`/trpc/shipments.list?input={"createdFrom":"${instant}"}`, { headers });
      expect(await problemOf(call)).toMatchObject({ status: 400, violations: [{ message: hint }] });
      const encoded = `${SHIPMENTS}?createdFrom=${encodeURIComponent(instant)}`;
      expect((await environment.fetch(encoded, { headers })).status).toBe(200);
    });

    it('finds an Arabic reference that is UTF-8', async () => {
      const { environment, company, authorization } = await newCaller();
      const { shipmentId } = await (await merchantOf(environment, company)).create({ externalReference: 'طلب 7' });
      const path = `${SHIPMENTS}?externalReference=%D8%B7%D9%84%D8%A8+7`;
      const response = await environment.fetch(path, { headers: { authorization } });
      expect(await response.json()).toMatchObject({ data: [{ shipmentId }] });
    });
  });

  describe('a form', () => {
    const ask = async (path: string, body: Uint8Array<ArrayBuffer>) => {
      const { environment, company } = await newCaller();
      return environment.fetch(path, { method: 'POST', body, headers: { ...basic(company), ...FORM_TYPE } });
    };
    const GRANT = 'grant_type=client_credentials';

    it.each([
      ['a byte in Latin-1', [`${GRANT}&note=caf`, LATIN_1], 'Byte 39 is not UTF-8. Send the text in UTF-8.'],
      [
        'an encoded byte in Latin-1',
        [`${GRANT}&note=caf%E9`],
        '%E9 in `note` is not UTF-8. Percent-encode the bytes of UTF-8.',
      ],
      [
        'a byte order mark',
        [BYTE_ORDER_MARK, GRANT],
        'A byte order mark stands before the text. Send the text without it.',
      ],
      ['a parameter twice', [`${GRANT}&scope=a&scope=b`], '`scope` stands twice.'],
    ])('with %s is 400 at both OAuth endpoints', async (_name, parts, description) => {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const error = { status: 400, error: 'invalid_request' };
        const body = await expectOAuthError(await ask(path, bytesOf(...parts)), error);
        expect(body['error_description']).toBe(description);
      }
    });
  });

  it('raw bytes in an address are read if they are UTF-8, and 400 otherwise', async () => {
    const { environment, company, authorization } = await newCaller();
    await (await merchantOf(environment, company)).create({ externalReference: 'قهوة' });
    const find = (reference: Uint8Array) => {
      const line = `GET ${SHIPMENTS}?externalReference=${Buffer.from(reference).toString('latin1')} HTTP/1.1`;
      const head = [
        `Host: ${new URL(environment.address).host}`,
        'Connection: close',
        `Authorization: ${authorization}`,
      ];
      return sendRaw(environment.address, rawRequest(line, head), 5000);
    };
    const found = await find(bytesOf('قهوة'));
    expect([found.statuses, found.text.match(/"shipmentId"/g)?.length]).toEqual([[200], 1]);
    expect((await find(bytesOf(WINDOWS_1256))).statuses).toEqual([400]);
  });

  describe('two lines of a header that has one value', () => {
    /** Sends these header lines. The client of the other tests would join them. */
    const send = async (line: string, lines: readonly string[], body: string) => {
      const { address } = started();
      const length = `Content-Length: ${Buffer.byteLength(body)}`;
      const head = [`Host: ${new URL(address).host}`, 'Connection: close', 'Content-Type: application/json', length];
      const { text, statuses } = await sendRaw(
        address,
        rawRequest(`${line} HTTP/1.1`, [...head, ...lines], body),
        5000,
      );
      return { text, statuses };
    };

    it('of an idempotency key are 400, and the retry with one line creates one shipment', async () => {
      const { environment, company, authorization } = await newCaller();
      const body = JSON.stringify(shipmentBody(company));
      const key = newKey();
      const [bearer, one] = [`Authorization: ${authorization}`, `Idempotency-Key: ${key}`];
      const twice = await send(`POST ${SHIPMENTS}`, [bearer, one, one], body);
      expect(twice.statuses).toEqual([400]);
      expect(twice.text).toContain('"code":"INVALID_HEADER"');
      expect(twice.text).toContain('Idempotency-Key has one value in one line. Two lines arrive joined by a comma.');
      expect((await send(`POST ${SHIPMENTS}`, [bearer, one], body)).statuses).toEqual([201]);
      expect((await send(`POST ${SHIPMENTS}`, [bearer, one], body)).statuses).toEqual([200]);
      expect((await storedOf(environment, company)).shipments).toBe(1);
    });

    it('of a tracking link are 400, and its body may be empty with the media type of JSON', async () => {
      const { environment, company, authorization } = await newCaller();
      const { shipmentId } = await (await merchantOf(environment, company)).create();
      const path = `${SHIPMENTS}/${shipmentId}/tracking-links`;
      const [bearer, one] = [`Authorization: ${authorization}`, `Idempotency-Key: ${newKey()}`];
      expect((await send(`POST ${path}`, [bearer, one, one], '')).statuses).toEqual([400]);
      expect((await send(`POST ${path}`, [bearer, one], '')).statuses).toEqual([201]);
      expect((await send(`POST ${path}`, [bearer, one], '')).statuses).toEqual([200]);
      const links = await environment.fetch(path, { headers: { authorization } });
      expect(((await links.json()) as { data: unknown[] }).data).toHaveLength(1);
    });

    it('of an upload capability are 400', async () => {
      const id = '0190d0c8-7a6b-4c3d-8e4f-0123456789ab';
      const one = 'Registration-Upload-Capability: upl_abc';
      const sent = await send(`PUT /v2/account-registrations/${id}/documents/NATIONAL_ADDRESS`, [one, one], '');
      expect(sent.statuses).toEqual([400]);
      expect(sent.text).toContain('"field":"Registration-Upload-Capability","code":"DUPLICATE_ITEM"');
    });
  });
}
