import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import * as z from 'zod';
import { nowMicros } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { codesTo, newContacts } from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { identityHmacOf } from '../../src/domain/challenges/code.ts';

const draft = z.looseObject({
  registrationId: z.uuid(),
  uploadCapability: z.string(),
  uploadCapabilityExpiresAt: z.string(),
  requiredDocuments: z.array(z.looseObject({ documentType: z.string(), state: z.string() })),
  verification: z.looseObject({ expiresAt: z.string(), resendAvailableAt: z.string() }),
  expiresAt: z.string(),
});

export function registrationBody(changes: JsonObject = {}): JsonObject {
  const { email, mobile } = newContacts();
  return {
    email,
    storeName: 'Taif Roses',
    legalBasis: 'COMMERCIAL_ENTITY',
    commercialRegistrationNumber: '4030123456',
    fullName: 'Noura Al-Qahtani',
    mobileNumber: mobile.slice(4),
    deviceReference: randomUUID(),
    ...changes,
  };
}

export function register(environment: Environment, changes: JsonObject = {}): Promise<Response> {
  return sendJson(environment, 'POST', '/v2/merchant-registrations', registrationBody(changes));
}

export function resend(environment: Environment, registrationId: string): Promise<Response> {
  const path = `/v2/account-registrations/${registrationId}/verification-requests`;
  return environment.fetch(path, { method: 'POST' });
}

export function verify(environment: Environment, registrationId: string, otp: string): Promise<Response> {
  return sendJson(environment, 'POST', `/v2/account-registrations/${registrationId}/verifications`, { otp });
}

/** Records uploads of documents of these types. */
export async function addDocuments(environment: Environment, registrationId: string, ...types: string[]) {
  for (const type of types) {
    await environment.sql(
      'directory',
      `insert into registration_documents (registration_id, document_type, object_key, sha256, size_bytes, content_type,
         display_name, uploaded_at)
       values (?, ?, ?, ?, 12, 'application/pdf', 'scan.pdf', ?)`,
      [
        registrationId,
        type,
        `registrations/${registrationId}/${randomUUID()}`,
        randomBytes(32).toString('hex'),
        nowMicros(),
      ],
    );
  }
}

/** A draft with its own contacts, and the code that was sent. */
export async function draftOf(environment: Environment, changes: JsonObject = {}) {
  const { email, mobile } = newContacts();
  const response = await register(environment, { email, mobileNumber: mobile.slice(4), ...changes });
  const body = draft.parse(await response.json());
  const { registrationId } = body;
  const [code = ''] = await codesTo(environment, mobile);
  return {
    body,
    email,
    mobile,
    code,
    verify: (otp: string) => verify(environment, registrationId, otp),
    addDocuments: () =>
      addDocuments(environment, registrationId, ...body.requiredDocuments.map(({ documentType }) => documentType)),
    /** Makes the counted requests of the mobile a minute older. */
    async passMinute() {
      const bucket = await identityHmacOf(environment.credentialKey, `limit: codes of ${mobile}`);
      await environment.sql('directory', 'update security_uses set used_at = used_at - 60000000 where bucket = ?', [
        bucket,
      ]);
    },
  };
}

/** A completed registration. */
export async function complete(environment: Environment, changes: JsonObject = {}) {
  const made = await draftOf(environment, changes);
  await made.addDocuments();
  const { companyId } = z.object({ companyId: z.uuid() }).parse(await (await made.verify(made.code)).json());
  return { ...made, companyId, registrationId: made.body.registrationId };
}

export interface Upload {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly contentType?: string;
  readonly fileName?: string | null;
}

/** Uploads a document with the draft's capability. */
export function upload(
  environment: Pick<Environment, 'fetch'>,
  { registrationId, uploadCapability }: { registrationId: string; uploadCapability: string | null },
  { type, bytes, contentType = 'application/pdf', fileName = 'scan.pdf' }: Upload,
): Promise<Response> {
  const headers = {
    'content-type': contentType,
    ...(uploadCapability === null ? {} : { 'registration-upload-capability': uploadCapability }),
    ...(fileName === null ? {} : { 'x-document-filename': fileName }),
  };
  const init = { method: 'PUT', headers, body: bytes, duplex: 'half' };
  return environment.fetch(`/v2/account-registrations/${registrationId}/documents/${type}`, init);
}

/** Sends half of the declared body and closes the connection. */
export async function cutUpload(
  address: string,
  { registrationId, uploadCapability }: { registrationId: string; uploadCapability: string },
  bytes: Uint8Array,
): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const lines = [
    `PUT /v2/account-registrations/${registrationId}/documents/NATIONAL_ADDRESS HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/pdf',
    'X-Document-Filename: scan.pdf',
    `Registration-Upload-Capability: ${uploadCapability}`,
    `Content-Length: ${bytes.length * 2}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.end(bytes, resolve));
  socket.destroy();
}
