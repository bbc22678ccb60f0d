import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { SetupError } from '../../shared/setup-error.ts';
import { pdfFile, pngFile } from './documents.ts';
import type { SendCall } from './http.ts';

/* The steps of a merchant's registration, one request each. */

/** The person who registers, with a unique mobile and e-mail address. */
export interface Newcomer {
  readonly email: string;
  /** Nine digits. */
  readonly mobile: string;
  readonly deviceReference: string;
  readonly readCode: ReadCode;
}

/** The newest code that was sent to the recipient for this purpose. */
export type ReadCode = (recipient: string, purpose: string) => Promise<string>;

export function createNewcomer(readCode: ReadCode): Newcomer {
  const mobile = `5${String(randomInt(1e8)).padStart(8, '0')}`;
  return { email: `owner-${randomUUID()}@merchant.example`, mobile, deviceReference: randomUUID(), readCode };
}

const registration = z.object({
  registrationId: z.string(),
  uploadCapability: z.string(),
  requiredDocuments: z.array(z.object({ documentType: z.string(), state: z.string() })),
});
export type Registration = z.output<typeof registration>;

export function register(ask: SendCall, { email, mobile, deviceReference }: Newcomer): Promise<Registration> {
  const body = {
    email,
    storeName: 'Najd Dates',
    legalBasis: 'COMMERCIAL_ENTITY',
    commercialRegistrationNumber: String(randomInt(1e9, 1e10)),
    fullName: 'Sara Al-Harbi',
    mobileNumber: mobile,
    deviceReference,
  };
  return ask({ method: 'POST', path: '/v2/merchant-registrations', body, expected: [201], answer: registration });
}

/** Uploads all required documents: a PDF first, then pictures. */
export async function uploadDocuments(ask: SendCall, { registrationId, ...draft }: Registration): Promise<void> {
  for (const [index, { documentType }] of draft.requiredDocuments.entries()) {
    const name = documentType.toLowerCase().replaceAll('_', '-');
    const file = index === 0 ? pdfFile(`${name}.pdf`) : pngFile(`${name}.png`);
    await ask({
      method: 'PUT',
      path: `/v2/account-registrations/${registrationId}/documents/${documentType}`,
      headers: {
        'registration-upload-capability': draft.uploadCapability,
        'x-document-filename': file.name,
        'content-type': file.contentType,
      },
      body: file.bytes,
      expected: [200],
      answer: z.object({ sha256: z.string(), state: z.literal('UPLOADED') }),
    });
  }
}

const codes = z.object({ data: z.array(z.object({ code: z.string(), purpose: z.string() })) });

/** Reads codes from a local deployment, which keeps sent messages. */
export function codesOfService(ask: SendCall): ReadCode {
  return async (recipient, purpose) => {
    const path = `/local/one-time-codes?recipient=${encodeURIComponent(recipient)}`;
    const { data } = await ask({ method: 'GET', path, expected: [200], answer: codes });
    const found = data.find((one) => one.purpose === purpose);
    if (found === undefined) throw new SetupError(`No code was sent to ${recipient} for ${purpose}.`);
    return found.code;
  };
}

/** Reads codes from the folder to which a deployment writes its messages. It may write after it has answered. */
export function codesInFolder(folder: string): ReadCode {
  return async (recipient, purpose) => {
    for (let attempt = 1; attempt <= READY_TRIES; attempt += 1) {
      const newestFirst = readdirSync(folder).toSorted().reverse();
      for (const name of newestFirst) {
        const text = readFileSync(join(folder, name), 'utf8');
        const code = /: ([0-9]{6})$/m.exec(text)?.[1];
        if (text.startsWith(`To: ${recipient}\nPurpose: ${purpose}\n`) && code !== undefined) return code;
      }
      await delay(READY_POLL_MS);
    }
    throw new SetupError(`No code for ${recipient} and ${purpose} is in ${folder}.`);
  };
}

export async function completeRegistration(ask: SendCall, registrationId: string, otp: string): Promise<string> {
  const { companyId } = await ask({
    method: 'POST',
    path: `/v2/account-registrations/${registrationId}/verifications`,
    body: { otp },
    expected: [200],
    answer: z.object({ companyId: z.string() }),
  });
  return companyId;
}

const AUTHENTICATION = '/v2/company-authentication';
const session = z.object({ sessionToken: z.string() });

/** Signs in by the mobile, which the registration proved. */
export async function signIn(ask: SendCall, { mobile, deviceReference, readCode }: Newcomer): Promise<string> {
  const { challengeId } = await ask({
    method: 'POST',
    path: `${AUTHENTICATION}/sign-ins`,
    body: { identifier: `+966${mobile}`, deviceReference },
    expected: [202],
    answer: z.object({ challengeId: z.string() }),
  });
  const path = `${AUTHENTICATION}/sign-ins/${challengeId}/verifications`;
  const body = { otp: await readCode(`+966${mobile}`, 'SIGN_IN') };
  return (await ask({ method: 'POST', path, body, expected: [200], answer: session })).sessionToken;
}

/** Proves the second factor by e-mail. The session gets a new token. */
export async function elevate(ask: SendCall, token: string, { email, readCode }: Newcomer): Promise<string> {
  const headers = bearer(token);
  const { elevationId } = await ask({
    method: 'POST',
    path: `${AUTHENTICATION}/assurance-elevations`,
    headers,
    body: {},
    expected: [202],
    answer: z.object({ elevationId: z.string() }),
  });
  const path = `${AUTHENTICATION}/assurance-elevations/${elevationId}/verifications`;
  const body = { otp: await readCode(email, 'ELEVATION') };
  return (await ask({ method: 'POST', path, headers, body, expected: [200], answer: session })).sessionToken;
}

const credential = z.object({ clientId: z.string(), clientSecret: z.string() });
export type NewCredential = z.output<typeof credential>;

export function issueCredential(ask: SendCall, token: string): Promise<NewCredential> {
  const path = '/v2/merchant-api-credential';
  return ask({ method: 'POST', path, headers: bearer(token), expected: [201], answer: credential });
}

const place = z.object({ latitude: z.number(), longitude: z.number() });
const readiness = z.object({
  canCreateShipment: z.boolean(),
  branchCode: z.string(),
  pickupLocationCode: z.string(),
  delivery: place,
  destinationCityCode: z.string(),
  prerequisites: z.array(z.object({ prerequisite: z.string(), ready: z.boolean() })),
});
export type Readiness = z.output<typeof readiness>;

const READY_TRIES = 50;
const READY_POLL_MS = 200;

/** Creates the sandbox and waits until it accepts shipments. */
export async function bootstrap(ask: SendCall, token: string): Promise<Readiness> {
  const headers = bearer(token);
  const path = '/v2/external/sandbox';
  let body = await ask({
    method: 'POST',
    path: `${path}/bootstrap`,
    headers,
    expected: [200, 201],
    answer: readiness,
  });
  for (let attempt = 1; !body.canCreateShipment && attempt <= READY_TRIES; attempt += 1) {
    await delay(READY_POLL_MS);
    body = await ask({ method: 'GET', path: `${path}/readiness`, headers, expected: [200], answer: readiness });
  }
  const missing = body.prerequisites.filter(({ ready }) => !ready).map(({ prerequisite }) => prerequisite);
  if (!body.canCreateShipment) throw new SetupError(`The sandbox is not ready: ${missing.join(', ')}.`);
  return body;
}

export async function obtainToken(ask: SendCall, { clientId, clientSecret }: NewCredential): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = z.object({ access_token: z.string() });
  const body = new URLSearchParams(form);
  return (await ask({ method: 'POST', path: '/oauth/token', body, expected: [200], answer })).access_token;
}

const shipment = z.object({ shipmentId: z.string(), shipmentNumber: z.string(), state: z.string() });
export type Shipment = z.output<typeof shipment>;

const HOUR_MS = 3_600_000;

export function createShipment(ask: SendCall, token: string, ready: Readiness): Promise<Shipment> {
  const tomorrow = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  const { branchCode, pickupLocationCode, delivery, destinationCityCode: cityCode } = ready;
  const body = {
    externalReference: `first-${randomUUID()}`,
    branchCode,
    pickupLocationCode,
    recipient: { name: 'Noura Al-Qahtani', phone: '0512345678' },
    destination: { addressLine: '2929 King Fahd Road, Riyadh 12333', cityCode, ...delivery },
    declaredValue: 180,
    codAmount: 94.5,
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: new Date(tomorrow).toISOString(),
    pickupWindowEnd: new Date(tomorrow + 2 * HOUR_MS).toISOString(),
    items: [{ description: 'Dates, 1 kg', quantity: 2, weightKilograms: 1.05 }],
    requirements: [],
  };
  const headers = { ...bearer(token), 'idempotency-key': randomUUID() };
  return ask({ method: 'POST', path: '/v2/external/shipments', headers, body, expected: [201], answer: shipment });
}

/** Waits until the shipment is approved: half a second on a local deployment. */
export async function awaitApproval(ask: SendCall, token: string, { shipmentId }: Shipment): Promise<Shipment> {
  const path = `/v2/external/shipments/${shipmentId}`;
  for (let attempt = 1; attempt <= READY_TRIES; attempt += 1) {
    const found = await ask({ method: 'GET', path, headers: bearer(token), expected: [200], answer: shipment });
    if (found.state !== 'PENDING_APPROVAL') return found;
    await delay(READY_POLL_MS);
  }
  throw new SetupError(`The shipment ${shipmentId} was not approved.`);
}

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
