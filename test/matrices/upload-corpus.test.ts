import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { JPEG, PDF, PNG } from '../support/files.ts';
import { sendMedia } from '../support/media.ts';
import { expectProblem } from '../support/problem.ts';
import { draftOf, upload } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Files that claim one type but may be read as another, by this service or by a program that opens them later. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const { body: draft } = await draftOf(environment);

const bytes = (...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))));
const SCRIPT = '<html><script>alert(document.domain)</script>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
const ZIP = bytes('PK\x03\x04', new Uint8Array(26), 'PK\x05\x06', new Uint8Array(18));

/** Files that are not of their declared type from the first byte to the last. */
const REFUSED: readonly (readonly [string, string, Uint8Array<ArrayBuffer>])[] = [
  ['a page', 'application/pdf', bytes(SCRIPT)],
  ['a page before a PDF, which readers look for in the first kilobyte', 'application/pdf', bytes(SCRIPT, PDF)],
  ['a PDF before a page', 'application/pdf', bytes(PDF, SCRIPT)],
  ['a PDF before an archive', 'application/pdf', bytes(PDF, ZIP)],
  ['an archive', 'application/pdf', ZIP],
  ['a PDF after a byte order mark', 'application/pdf', bytes('\xef\xbb\xbf', PDF)],
  ['a PDF after a line break', 'application/pdf', bytes('\n', PDF)],
  ['a PDF in lower case', 'application/pdf', bytes('%pdf-1.4\n%%eof')],
  ['a PDF in UTF-16', 'application/pdf', new Uint8Array(Buffer.from('\ufeff%PDF-1.4\n%%EOF', 'utf16le'))],
  ['a compressed PDF', 'application/pdf', bytes(gzipSync(PDF))],
  ['the overlapping marks of a PDF', 'application/pdf', bytes('%PDF-%EOF')],
  ['PostScript', 'application/pdf', bytes('%!PS-Adobe-3.0\n%%EOF')],
  ['an SVG sent as PNG', 'image/png', bytes(SVG)],
  ['an SVG sent as JPEG', 'image/jpeg', bytes(SVG)],
  ['a GIF with a script', 'image/png', bytes('GIF89a/*', new Uint8Array(8), `*/=1;alert(1)`)],
  ['a PNG’s first eight bytes', 'image/png', PNG.slice(0, 8)],
  ['a PNG before a page', 'image/png', bytes(PNG, SCRIPT)],
  ['a PNG without its header', 'image/png', bytes(PNG.slice(0, 8), PNG.slice(-12))],
  ['a JPEG’s first three bytes', 'image/jpeg', JPEG.slice(0, 3)],
  ['only the start and end markers of a JPEG', 'image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xd9])],
  ['a PNG sent as JPEG', 'image/jpeg', PNG],
  ['a program', 'application/pdf', bytes('MZ', new Uint8Array(60), '%PDF-1.4 %%EOF')],
  ['zeros', 'image/png', new Uint8Array(4096)],
];

/** JPEGs with something after their end, which phones append too. It is not stored. */
const TRAILERS: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ['a page', bytes(SCRIPT)],
  ['an archive', ZIP],
  ['a PDF', PDF],
  ['padding', new Uint8Array(4096)],
];

/** Files of their declared type, with other content in parts that readers skip. */
const HARMLESS: readonly (readonly [string, string, Uint8Array<ArrayBuffer>])[] = [
  ['a page in a PDF comment', 'application/pdf', bytes('%PDF-1.4\n%', SCRIPT, '\n%%EOF')],
  [
    'a PDF that runs a script',
    'application/pdf',
    bytes('%PDF-1.4\n<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>\n%%EOF'),
  ],
  [
    'a script in a comment of a JPEG',
    'image/jpeg',
    bytes(JPEG.slice(0, 4), '\xff\xfe\x00\x30', SCRIPT, JPEG.slice(-2)),
  ],
  [
    'a PDF that decompresses to a thousand times its size',
    'application/pdf',
    bytes('%PDF-1.4\n', gzipSync(new Uint8Array(2e7)), '\n%%EOF'),
  ],
];

describe('a document', () => {
  it.each(REFUSED)('is refused if it is %s', async (_kind, contentType, content) => {
    const response = await upload(environment, draft, { type: 'NATIONAL_ADDRESS', contentType, bytes: content });
    await expectProblem(response, { status: 422, code: 'DOCUMENT_CONTENT_MISMATCH' });
  });

  it.each([
    ...[
      'image/svg+xml',
      'text/html',
      'application/xhtml+xml',
      'image/jpg',
      'application/x-pdf',
      'application/*',
      '*/*',
    ],
    ...[
      'application/pdf, text/html',
      'text/html, application/pdf',
      'application/pdf;boundary=x',
      'application/pdf text',
    ],
    ...['multipart/form-data; boundary=x', 'application/pdf; charset=utf-7', 'application/pdf;text/html', 'pdf', ';'],
  ])('is refused with the type %j', async (contentType) => {
    const response = await upload(environment, draft, { type: 'NATIONAL_ADDRESS', contentType, bytes: PDF });
    await expectProblem(response, { status: 415, code: 'UNSUPPORTED_DOCUMENT_TYPE' });
  });

  it.each(['APPLICATION/PDF', 'Application/Pdf;', 'application/pdf ; charset="UTF-8"'])(
    'is accepted with the type spelled %j',
    async (contentType) => {
      const own = await draftOf(environment);
      expect((await upload(environment, own.body, { type: 'NATIONAL_ADDRESS', contentType, bytes: PDF })).status).toBe(
        200,
      );
      const select = 'select content_type from registration_documents where registration_id = ?';
      expect(await environment.sql('directory', select, [own.body.registrationId])).toEqual([
        { content_type: 'application/pdf' },
      ]);
    },
  );

  it.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'x'])('is refused with the encoding %s', async (encoding) => {
    const path = `/v2/account-registrations/${draft.registrationId}/documents/NATIONAL_ADDRESS`;
    const headers = {
      'content-type': 'application/pdf',
      'content-encoding': encoding,
      'registration-upload-capability': draft.uploadCapability,
      'x-document-filename': 'a.pdf',
    };
    const response = await environment.fetch(path, { method: 'PUT', headers, body: new Uint8Array(gzipSync(PDF)) });
    await expectProblem(response, { status: 415, code: 'UNSUPPORTED_DOCUMENT_TYPE' });
  });

  it.each(HARMLESS)('may contain what the service never opens: %s', async (_kind, contentType, content) => {
    const own = await draftOf(environment);
    const before = performance.now();
    const response = await upload(environment, own.body, { type: 'NATIONAL_ADDRESS', contentType, bytes: content });
    expect([response.status, performance.now() - before < 5000]).toEqual([200, true]);
    const select = 'select object_key, content_type from registration_documents where registration_id = ?';
    const [row] = await environment.sql('directory', select, [own.body.registrationId]);
    // Stored under a random name with the verified type.
    expect(row).toEqual({ object_key: expect.stringMatching(/^[0-9a-f]{40}$/), content_type: contentType });
  });

  it.each(TRAILERS)('is stored without what follows the end of a JPEG: %s', async (_kind, trailer) => {
    const own = await draftOf(environment);
    const sent = { type: 'NATIONAL_ADDRESS', contentType: 'image/jpeg', bytes: bytes(JPEG, trailer) };
    const answer = await (await upload(environment, own.body, sent)).json();
    const sha256 = createHash('sha256').update(JPEG).digest('hex');
    expect(answer).toMatchObject({ state: 'UPLOADED', sizeBytes: JPEG.length, sha256 });
  });

  it('cannot be downloaded by any operation or path', async () => {
    const files = OPERATIONS.filter(({ mediaTypes }) => mediaTypes[0] !== 'application/json');
    // Labels and proofs have no documents, and the pictures of merchants and drivers are none.
    expect(files.map(({ name }) => name)).toEqual([
      'shipments.waybill',
      'waybills.print',
      'proofs.readMedia',
      'proofs.print',
      'mediaAssets.read',
    ]);
    for (const type of ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION']) {
      const path = `/v2/account-registrations/${draft.registrationId}/documents/${type}`;
      const headers = { 'registration-upload-capability': draft.uploadCapability };
      for (const method of ['GET', 'HEAD', 'POST'])
        expect((await environment.fetch(path, { method, headers })).status).toBe(405);
    }
    const [row] = await environment.sql('directory', 'select object_key from registration_documents limit 1');
    for (const path of [
      `/${row?.['object_key']}`,
      `/assets/${row?.['object_key']}`,
      `/documents/${row?.['object_key']}`,
    ])
      expect((await environment.fetch(path)).status).toBe(404);
  });
});

describe('a picture', () => {
  const pictures = REFUSED.filter(([, contentType]) => contentType !== 'application/pdf');
  it.each(pictures)('is refused if it is %s', async (_kind, contentType, content) => {
    const query = `?externalReference=${newReference()}&sortOrder=1`;
    const response = await sendMedia(environment, company, query, {
      body: content,
      contentType,
    });
    await expectProblem(response, { status: 422, code: 'DOCUMENT_CONTENT_MISMATCH' });
  });

  it.each(['image/svg+xml', 'application/pdf', 'image/gif', 'image/webp', 'image/png, image/svg+xml', ''])(
    'is refused with the type %j',
    async (type) => {
      const query = `?externalReference=${newReference()}&sortOrder=1`;
      const response = await sendMedia(environment, company, query, { body: PNG, contentType: type });
      await expectProblem(response, { status: 415, code: 'UNSUPPORTED_DOCUMENT_TYPE' });
    },
  );
});
