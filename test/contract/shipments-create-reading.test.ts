import { afterAll, describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { expectProblem } from '../support/problem.ts';
import { NOTHING, storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);
const LIMIT = 256 * 1024;

afterAll(async () => {
  expect(await storedOf(environment, company)).toEqual(NOTHING);
});

describe('a media type other than application/json is 415', () => {
  it.each([
    'text/plain',
    'application/problem+json',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=ISO-8859-1',
    'application/json; version=1; charset=windows-1256',
  ])('%s', async (type) => {
    const response = await merchant.postShipment(shipmentBody(company), { 'content-type': type });
    await expectProblem(response, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('no media type', async () => {
    const response = await environment.fetch(SHIPMENTS, {
      method: 'POST',
      headers: { authorization: `Bearer ${await environment.token(company)}`, 'idempotency-key': newKey() },
      // Bytes, because fetch adds a media type to text.
      body: new TextEncoder().encode(JSON.stringify(shipmentBody(company))),
    });
    await expectProblem(response, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it.each(['gzip', 'br', 'gzip, br'])(
    'a body that is compressed with %s, and says what is accepted',
    async (coding) => {
      const response = await merchant.postShipment(shipmentBody(company), { 'content-encoding': coding });
      expect(response.headers.get('accept-encoding')).toBe('identity');
      const problem = await expectProblem(response, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      expect(problem.detail).toBe(`The body has the content coding ${coding}. Send it without Content-Encoding.`);
    },
  );
});

it.each([
  'application/json; charset=UTF-8',
  'application/json;charset=utf8',
  'application/json; charset="us-ascii"',
  'Application/JSON; odata.metadata=minimal; ieee754compatible=true',
  'application/json;',
])('JSON is read as %s', async (type) => {
  const response = await merchant.postShipment('{}', { 'content-type': type });
  expect(response.status).toBe(422);
});

it('a body without a content coding may say so', async () => {
  expect((await merchant.postShipment('{}', { 'content-encoding': 'identity' })).status).toBe(422);
});

describe('a body of more than 256 KiB is 413', () => {
  it('with one byte too many', async () => {
    const response = await merchant.postShipment(padded(LIMIT + 1));
    await expectProblem(response, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it('with chunked transfer, whatever the content', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 8) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = {
      authorization: `Bearer ${await environment.token(company)}`,
      'content-type': 'application/json',
      'idempotency-key': newKey(),
    };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: stream, duplex: 'half' };
    await expectProblem(await environment.fetch(SHIPMENTS, init), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it('but not with exactly 256 KiB', async () => {
    const fresh = await addCompany(environment);
    const response = await (await merchantOf(environment, fresh)).postShipment(padded(LIMIT));
    expect(response.status).toBe(201);
  });

  it('counted in bytes, not characters', async () => {
    const text = JSON.stringify({ note: 'ش'.repeat(LIMIT / 2) });
    await expectProblem(await merchant.postShipment(text), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('a body that is not JSON is 400', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a brace', '{'],
    ['a comma too many', '{"externalReference":"a",}'],
    ['single quotes', "{'externalReference':'a'}"],
    ['a comment', '{"externalReference":"a"/* b */}'],
    ['two values', '{} {}'],
    ['NaN', '{"declaredValue":NaN}'],
    ['a number with a plus', '{"declaredValue":+1}'],
    ['a number with a leading zero', '{"declaredValue":01}'],
    ['a number without whole part', '{"declaredValue":.5}'],
    ['a control character in a string', '{"externalReference":"a\u0001"}'],
    ['a byte order mark', '\ufeff{}'],
    ['a member that is named twice', '{"codAmount":0,"codAmount":500}'],
    ['a member of a member that is named twice', '{"recipient":{"name":"A","name":"B"}}'],
  ])('%s', async (_case, text) => {
    await expectProblem(await merchant.postShipment(text), { status: 400, code: 'MALFORMED_JSON' });
  });

  it('bytes that are not UTF-8', async () => {
    const text = JSON.stringify(shipmentBody(company, { externalReference: 'caf?' }));
    const bytes = new TextEncoder().encode(text);
    bytes[text.indexOf('?')] = 0xe9;
    const response = await environment.fetch(SHIPMENTS, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await environment.token(company)}`,
        'content-type': 'application/json',
        'idempotency-key': newKey(),
      },
      body: bytes,
    });
    await expectProblem(response, { status: 400, code: 'MALFORMED_JSON' });
  });

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
  ])('a body of deeply nested %s is refused without an internal error', async (_case, text) => {
    const response = await merchant.postShipment(text);
    expect([400, 422]).toContain(response.status);
  });
});

/** A valid body, padded with white space to this many bytes. */
function padded(bytes: number): string {
  const text = JSON.stringify(shipmentBody(company));
  return text + ' '.repeat(bytes - new TextEncoder().encode(text).byteLength);
}
