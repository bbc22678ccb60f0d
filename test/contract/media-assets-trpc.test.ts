import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { JPEG, PDF, pngOf } from '../support/files.ts';
import { mediaForm as formOf, statesOf } from '../support/media.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Pictures over tRPC, sent as multipart forms. */

const environment = sharedEnvironment();
const PATH = '/trpc/mediaAssets.create';
const MEBIBYTE = 1024 * 1024;

async function send(body: BodyInit, headers: Readonly<Record<string, string>> = {}) {
  const company = await addCompany(environment);
  const authorization = `Bearer ${await environment.token(company)}`;
  const response = await environment.fetch(PATH, { method: 'POST', body, headers: { authorization, ...headers } });
  const answer = (await response.json()) as {
    result?: { data: Record<string, unknown> };
    error?: { message: string; data: { problem: { status: number; violations?: { field: string; code: string }[] } } };
  };
  return { status: response.status, ...answer, states: await statesOf(environment, company) };
}

async function expectRefusal(sent: ReturnType<typeof send>, status: number, code: string, violations?: string[]) {
  const { error, ...others } = await sent;
  expect(others).toEqual({ status, states: [] });
  expect(error?.message).toBe(code);
  expect(error?.data.problem).toMatchObject({ status, code });
  expect(error?.data.problem.violations?.map((one) => `${one.field} ${one.code}`)).toEqual(violations);
}

describe('a picture over tRPC', () => {
  it('is stored as over REST', async () => {
    const { status, result, states } = await send(formOf({ externalReference: 'a', sortOrder: 4 }));
    expect({ status, states }).toEqual({ status: 200, states: ['READY'] });
    expect(result?.data).toEqual({
      mediaAssetId: expect.any(String),
      state: 'READY',
      purpose: 'SHIPMENT_CREATION_EVIDENCE',
      sortOrder: 4,
    });
  });

  it('is refused with the same problems as over REST', async () => {
    const input = { externalReference: 'a' };
    await expectRefusal(send(formOf({})), 400, 'INVALID_QUERY_PARAMETER', ['externalReference REQUIRED']);
    await expectRefusal(send(formOf({ ...input, sortOrder: '1' })), 400, 'INVALID_QUERY_PARAMETER', [
      'sortOrder TYPE_MISMATCH',
    ]);
    await expectRefusal(send(formOf(input, PDF, 'application/pdf')), 415, 'UNSUPPORTED_DOCUMENT_TYPE');
    await expectRefusal(send(formOf(input, pngOf(MEBIBYTE + 1))), 413, 'DOCUMENT_TOO_LARGE');
    await expectRefusal(send(formOf(input, pngOf(2 * MEBIBYTE))), 413, 'DOCUMENT_TOO_LARGE');
    await expectRefusal(send(formOf(input, JPEG)), 422, 'DOCUMENT_CONTENT_MISMATCH');
  });

  it('is refused when the form is malformed, without an internal error', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const body of ['', 'nothing', '--x\r\nContent-Disposition: form-data; name="input"\r\n\r\n{'])
      await expectRefusal(send(body, type), 422, 'DOCUMENT_CONTENT_MISMATCH');
    const form = formOf({ externalReference: 'a' });
    form.set('content', 'text');
    await expectRefusal(send(form), 422, 'DOCUMENT_CONTENT_MISMATCH');
  });

  it('is 415 as JSON, whatever the member with the bytes holds', async () => {
    const type = { 'content-type': 'application/json' };
    for (const content of [undefined, null, 'x', { contentType: 'image/jpeg', bytes: [...JPEG] }]) {
      const body = JSON.stringify({ externalReference: 'a', content });
      await expectRefusal(send(body, type), 415, 'UNSUPPORTED_DOCUMENT_TYPE');
    }
  });

  it('is 401 without a token and 403 without the scope, before the form is parsed', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    await expectRefusal(send('nothing', { ...type, authorization: '' }), 401, 'AUTHENTICATION_REQUIRED');
    const reader = await environment.token(environment.companies[0], 'shipments:read');
    await expectRefusal(send('nothing', { ...type, authorization: `Bearer ${reader}` }), 403, 'ACCESS_DENIED');
  });

  it('is accepted by its own procedure only, and registration documents by none', async () => {
    const form = () => formOf({ externalReference: 'a' });
    const elsewhere = async (procedure: string) =>
      (await environment.fetch(`/trpc/${procedure}`, { method: 'POST', body: form() })).status;
    expect(await elsewhere('shipments.create')).toBe(415);
    expect(await elsewhere('registrations.uploadDocument')).toBe(404);
    expect(await elsewhere('mediaAssets.create,mediaAssets.create')).toBe(415);
  });

  it('is always answered, even if it is refused before its bytes are read', async () => {
    // When the service closed such connections at once, one client in five got a reset instead of the response.
    const refused = async (bytes: Uint8Array<ArrayBuffer>) => {
      const body = formOf({ externalReference: 'a' }, bytes);
      const response = await environment.fetch('/trpc/mediaAssets.create', { method: 'POST', body });
      await response.text();
      return response.status;
    };
    for (let sent = 0; sent < 50; sent += 1) {
      expect(await refused(pngOf(sent % 10 === 0 ? 2 * MEBIBYTE : 200))).toBe(401);
    }
  });
});
