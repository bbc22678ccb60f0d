import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { JPEG, JPEG_THEN_PDF, PDF, PNG, PNG_THEN_PDF, pdfOf } from '../support/files.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { draftOf, upload } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const MEBIBYTE = 1024 * 1024;
const answer = z.strictObject({
  documentType: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  state: z.string(),
  requiredDocuments: z.array(z.looseObject({ documentType: z.string(), state: z.string() })),
});
const statesOf = ({ requiredDocuments }: z.output<typeof answer>) => requiredDocuments.map(({ state }) => state);
const listed = async (registrationId: string) =>
  environment.sql('directory', 'select * from registration_documents where registration_id = ?', [registrationId]);

describe('PUT a document', () => {
  it('stores the document, and answers its properties and the documents still missing', async () => {
    const { body } = await draftOf(environment);
    const first = await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF });
    expect(first.status).toBe(200);
    const address = answer.parse(await first.json());
    expect(address).toMatchObject({
      documentType: 'NATIONAL_ADDRESS',
      sha256: createHash('sha256').update(PDF).digest('hex'),
      sizeBytes: PDF.length,
      state: 'UPLOADED',
    });
    expect(statesOf(address)).toEqual(['UPLOADED', 'MISSING']);
    const order = { type: 'COMMERCIAL_REGISTRATION', contentType: 'image/png', bytes: PNG };
    const second = answer.parse(await (await upload(environment, body, order)).json());
    expect(statesOf(second)).toEqual(['UPLOADED', 'UPLOADED']);
  });

  it('replaces an earlier upload, and leaves the old object to the sweep', async () => {
    const { body } = await draftOf(environment);
    await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF });
    const [before] = await listed(body.registrationId);
    const again = await upload(environment, body, { type: 'NATIONAL_ADDRESS', contentType: 'image/jpeg', bytes: JPEG });
    expect(again.status).toBe(200);
    const [after, ...others] = await listed(body.registrationId);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ content_type: 'image/jpeg', size_bytes: JPEG.length });
    const unlisted = await environment.sql('directory', 'select since from unlisted_objects where object_key = ?', [
      String(before?.['object_key']),
    ]);
    expect(unlisted).toEqual([{ since: 0 }]);
  });

  it('allows the registration to be completed with the code', async () => {
    const draft = await draftOf(environment, { legalBasis: 'FREELANCER', commercialRegistrationNumber: undefined });
    await expectProblem(await draft.verify(draft.code), { status: 409, code: 'REGISTRATION_INCOMPLETE' });
    for (const type of ['NATIONAL_ADDRESS', 'FREELANCE_CERTIFICATE']) {
      expect((await upload(environment, draft.body, { type, bytes: PDF })).status).toBe(200);
    }
    expect((await draft.verify(draft.code)).status).toBe(200);
    await expectProblem(await upload(environment, draft.body, { type: 'NATIONAL_ADDRESS', bytes: PDF }), {
      status: 401,
      code: 'AUTHENTICATION_REQUIRED',
    });
  });

  it.each([
    ['percent-encoded', '%D8%B9%D9%86%D9%88%D8%A7%D9%86.pdf', 'عنوان.pdf'],
    ['with folders', '../../etc/passwd', '_.._etc_passwd'],
    ['with a direction override', 'scan%E2%80%AEfdp.exe', 'scanfdp.exe'],
    ['without visible characters', '%20..%20', 'document'],
    ['of 400 characters', 'x'.repeat(400), 'x'.repeat(120)],
    ['with a bad escape', '100%.pdf', '100%.pdf'],
  ])('sanitises a file name %s for display', async (_kind, fileName, shown) => {
    const { body } = await draftOf(environment);
    expect((await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF, fileName })).status).toBe(200);
    expect(await listed(body.registrationId)).toMatchObject([{ display_name: shown }]);
  });

  it('accepts exactly 1 MiB, and not a byte more', async () => {
    const { body } = await draftOf(environment);
    expect((await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: pdfOf(MEBIBYTE) })).status).toBe(200);
    const more = await upload(environment, body, { type: 'COMMERCIAL_REGISTRATION', bytes: pdfOf(MEBIBYTE + 1) });
    await expectProblem(more, { status: 413, code: 'DOCUMENT_TOO_LARGE' });
    expect(await listed(body.registrationId)).toHaveLength(1);
  });
});

describe('a document', () => {
  it.each([
    ['a PNG sent as PDF', 'application/pdf', PNG],
    ['a PDF sent as PNG', 'image/png', PDF],
    ['a JPEG followed by a PDF, sent as PDF', 'application/pdf', JPEG_THEN_PDF],
    ['a PNG followed by a PDF', 'image/png', PNG_THEN_PDF],
    ['half a PDF', 'application/pdf', PDF.slice(0, 30)],
    ['half a PNG', 'image/png', PNG.slice(0, 20)],
    ['an empty file', 'application/pdf', new Uint8Array()],
  ])('%s is 422', async (_kind, contentType, bytes) => {
    const { body } = await draftOf(environment);
    const response = await upload(environment, body, { type: 'NATIONAL_ADDRESS', contentType, bytes });
    await expectProblem(response, { status: 422, code: 'DOCUMENT_CONTENT_MISMATCH' });
    expect(await listed(body.registrationId)).toEqual([]);
  });

  it('of another type is told which types are taken', async () => {
    const { body } = await draftOf(environment);
    const sent = { type: 'NATIONAL_ADDRESS', contentType: 'image/jpg', bytes: PDF };
    const problem = await expectProblem(await upload(environment, body, sent), {
      status: 415,
      code: 'UNSUPPORTED_DOCUMENT_TYPE',
    });
    expect(problem).toMatchObject({ contentTypes: ['application/pdf', 'image/jpeg', 'image/png'] });
  });

  it.each(['text/plain', 'application/json', 'image/gif', 'application/pdf; charset=latin1', ''])(
    '%s is 415',
    async (contentType) => {
      const { body } = await draftOf(environment);
      const response = await upload(environment, body, { type: 'NATIONAL_ADDRESS', contentType, bytes: PDF });
      await expectProblem(response, { status: 415, code: 'UNSUPPORTED_DOCUMENT_TYPE' });
    },
  );

  it('for another legal basis is 422', async () => {
    const { body } = await draftOf(environment);
    const response = await upload(environment, body, { type: 'FREELANCE_CERTIFICATE', bytes: PDF });
    const violations = ['documentType FORBIDDEN_FIELD'];
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  });

  it('of an unknown type, or without a file name, is 400', async () => {
    const { body } = await draftOf(environment);
    const unknown = await upload(environment, body, { type: 'PASSPORT', bytes: PDF });
    await expectProblem(unknown, {
      status: 400,
      code: 'INVALID_PATH_PARAMETER',
      violations: ['documentType NOT_IN_ENUM'],
    });
    const nameless = await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF, fileName: null });
    await expectProblem(nameless, {
      status: 400,
      code: 'INVALID_HEADER',
      violations: ['X-Document-Filename REQUIRED'],
    });
  });

  it('sent in chunks without a length is cut off at the limit', async () => {
    const { body } = await draftOf(environment);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        if (sent > MEBIBYTE + 65_536) controller.close();
        else controller.enqueue(new Uint8Array(65_536).fill(0x25));
      },
    });
    const response = await upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: endless });
    await expectProblem(response, { status: 413, code: 'DOCUMENT_TOO_LARGE' });
    expect(await listed(body.registrationId)).toEqual([]);
  });
});

it('a registration allows thirty uploads an hour', async () => {
  const { body } = await draftOf(environment);
  const again = () => upload(environment, body, { type: 'NATIONAL_ADDRESS', bytes: PDF });
  for (let time = 0; time < 30; time += 1) expect((await again()).status).toBe(200);
  const problem = await again();
  expect(Number(problem.headers.get('retry-after'))).toBeGreaterThan(3000);
  await expectProblem(problem, { status: 429, code: 'RATE_LIMITED' });
});

describe('the upload capability', () => {
  it('is checked first: a foreign, wrong, expired or missing one is refused alike', async () => {
    const { body } = await draftOf(environment);
    const other = await draftOf(environment);
    const late = await draftOf(environment);
    await environment.sql('directory', 'update registrations set upload_capability_expires_at = 1 where id = ?', [
      late.body.registrationId,
    ]);
    const { registrationId } = body;
    const bad = { contentType: 'text/plain', bytes: pdfOf(2 * MEBIBYTE), type: 'PASSPORT' };
    const responses = [
      await upload(environment, { registrationId, uploadCapability: other.body.uploadCapability }, bad),
      await upload(environment, { registrationId, uploadCapability: 'upl_x' }, bad),
      await upload(environment, { registrationId, uploadCapability: null }, bad),
      await upload(environment, { registrationId: 'x', uploadCapability: other.body.uploadCapability }, bad),
      await upload(environment, late.body, bad),
    ];
    const texts = new Set<string>();
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="mirsal"');
      texts.add(timelessText(await response.text()).replace(/\/v2\/account-registrations\/[^/]+/, ''));
    }
    expect(texts.size).toBe(1);
  });

  it('is accepted for uploads only', async () => {
    const { body } = await draftOf(environment);
    const headers = { authorization: `Bearer ${body.uploadCapability}` };
    expect((await environment.fetch('/v2/external/shipments', { headers })).status).toBe(401);
    expect((await environment.fetch('/v2/company-authentication/sessions/current', { headers })).status).toBe(401);
  });
});

it('documents cannot be uploaded over tRPC', async () => {
  const response = await environment.fetch('/trpc/registrations.uploadDocument', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(404);
});
