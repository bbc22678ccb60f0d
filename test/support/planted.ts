import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Environment } from '../../scripts/shared/connection.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { AUTHENTICATION, answerSignIn, askSignIn, codesTo, otherThan } from '../../scripts/shared/people.ts';
import { answerRecipientSignIn, recipientPath, startRecipientSignIn } from '../../scripts/shared/recipients.ts';
import { readReadiness, SANDBOX, sendJson } from '../../scripts/shared/sandbox.ts';
import { type JsonObject, newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { follow, readLink } from '../../scripts/shared/tracking.ts';
import { DELIVERIES, ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { toE164 } from '../../src/core/phone.ts';
import { readIssued } from './credentials.ts';
import { askForCode } from './driver-sign-in.ts';
import { PDF } from './files.ts';
import { BRANCH, STORE } from './places.ts';
import { registrationBody, upload, verify } from './registrations.ts';
import { trpcClientWith } from './trpc.ts';

/** Unique data that a company leaves in the service from registration to delivery. */
export interface Planted {
  /** Personal and business data, which only the company may see. */
  readonly personal: readonly string[];
  /** Tokens and secrets, which the service never stores in plain text. */
  readonly secrets: readonly string[];
  /** Six-digit codes, which may occur in longer numbers by chance. */
  readonly codes: readonly string[];
  /** Responses to wrong requests that contained all of this data. */
  readonly refusals: readonly string[];
  readonly companyId: string;
  readonly trackingToken: string;
}

const MARK = 'planted-zafaran';
const MOBILE = '577112233';
const RECIPIENT = {
  name: `${MARK}-recipient`,
  phone: '0577445566',
  alternateContactName: `${MARK}-alternate`,
  alternateContactPhone: '0577778899',
};
const DESTINATION = { addressLine: `${MARK}-street 7`, cityCode: 'RUH', latitude: 24.781357, longitude: 46.651357 };
/** Marks, and the digits of phones and numbers in any notation. */
const PERSONAL = [MARK, MOBILE, '577445566', '577778899', '119988776', '7077112233', '24.781357', '46.651357'];

const made = z.looseObject({ registrationId: z.string(), uploadCapability: z.string() });
const signedIn = z.looseObject({ sessionToken: z.string() });

/** Sends every request once correctly and once wrongly, with marks in every member that may hold them. */
export async function plant(environment: Environment, receiverUrl: string): Promise<Planted> {
  const walk = { environment, secrets: [] as string[], codes: [] as string[], refusals: [] as string[] };
  const { companyId, session } = await comeIn(walk);
  const token = await getToken(walk, session);
  const branchCode = await openPlaces(walk, session);
  const trackingToken = await ship(walk, { token, receiverUrl, branchCode });
  return { ...walk, personal: PERSONAL, companyId, trackingToken };
}

interface Walk {
  readonly environment: Environment;
  readonly secrets: string[];
  readonly codes: string[];
  readonly refusals: string[];
}

async function refused({ refusals }: Walk, asked: Promise<Response>): Promise<void> {
  const response = await asked;
  if (response.status < 400) throw new Error(`Not refused: ${response.status} ${response.url}`);
  refusals.push(`${JSON.stringify([...response.headers])} ${await response.text()}`);
}

async function comeIn(walk: Walk) {
  const { environment, secrets, codes } = walk;
  const email = `${MARK}-${randomUUID()}@people.example`;
  const numbers = { commercialRegistrationNumber: '7077112233', mobileNumber: MOBILE };
  const body = registrationBody({ email, storeName: 'Zafaran', fullName: `${MARK}-owner`, ...numbers });
  const path = '/v2/merchant-registrations';
  const spoilt = { ...body, legalBasis: MARK, deviceReference: MARK, mobileNumber: `+${MARK}`, email: `${MARK}@` };
  await refused(walk, sendJson(environment, 'POST', path, spoilt));
  const draft = made.parse(await (await sendJson(environment, 'POST', path, body)).json());
  secrets.push(draft.uploadCapability);
  const document = { bytes: PDF, fileName: `${MARK}-scan.pdf` };
  await refused(walk, upload(environment, draft, { ...document, type: 'NATIONAL_ADDRESS', contentType: 'image/png' }));
  for (const type of ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION'])
    await upload(environment, draft, { ...document, type });
  const [code = ''] = await codesTo(environment, `+966${MOBILE}`);
  await refused(walk, verify(environment, draft.registrationId, otherThan(code)));
  const completed = await verify(environment, draft.registrationId, code);
  const { companyId } = z.object({ companyId: z.string() }).parse(await completed.json());
  codes.push(code);
  const session = await elevate(walk, email, await enter(walk, `+966${MOBILE}`));
  await askSignIn(environment, email);
  return { companyId, session };
}

async function enter(walk: Walk, mobile: string): Promise<string> {
  const { environment, secrets, codes } = walk;
  await refused(
    walk,
    sendJson(environment, 'POST', `${AUTHENTICATION}/sign-ins`, { identifier: `${MARK}@@`, deviceReference: MARK }),
  );
  const asked = await askSignIn(environment, mobile);
  const { challengeId } = z.object({ challengeId: z.string() }).parse(await asked.json());
  const [code = ''] = await codesTo(environment, mobile);
  codes.push(code, otherThan(code));
  await refused(walk, answerSignIn(environment, challengeId, otherThan(code)));
  const { sessionToken } = signedIn.parse(await (await answerSignIn(environment, challengeId, code)).json());
  secrets.push(sessionToken);
  return sessionToken;
}

async function elevate({ environment, secrets, codes }: Walk, email: string, session: string): Promise<string> {
  const headers = { authorization: `Bearer ${session}` };
  const path = `${AUTHENTICATION}/assurance-elevations`;
  const asked = await sendJson(environment, 'POST', path, {}, headers);
  const { elevationId } = z.looseObject({ elevationId: z.string() }).parse(await asked.json());
  const [code = ''] = await codesTo(environment, email);
  codes.push(code);
  const proved = await sendJson(environment, 'POST', `${path}/${elevationId}/verifications`, { otp: code }, headers);
  const { sessionToken } = signedIn.parse(await proved.json());
  secrets.push(sessionToken);
  return sessionToken;
}

async function getToken(walk: Walk, session: string): Promise<string> {
  const { environment, secrets } = walk;
  const headers = { authorization: `Bearer ${session}` };
  const path = '/v2/merchant-api-credential';
  const issued = await readIssued(await environment.fetch(path, { method: 'POST', headers }));
  const rotated = await readIssued(await sendJson(environment, 'POST', `${path}/rotations`, {}, headers));
  const token = await environment.token({ clientId: issued.clientId, clientSecret: rotated.clientSecret });
  secrets.push(issued.clientSecret, rotated.clientSecret, token, token.split('.')[2] ?? '');
  const wrong = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: MARK,
    client_secret: rotated.clientSecret,
  });
  await refused(walk, environment.fetch('/oauth/token', { method: 'POST', body: wrong }));
  await refused(walk, environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${token}x` } }));
  await refused(walk, environment.fetch(SHIPMENTS, { headers: { cookie: `__Host-session=${session}x` } }));
  const other = { cookie: `__Host-session=${session}`, origin: `https://${MARK}.example` };
  await refused(walk, environment.fetch(path, { method: 'DELETE', headers: other }));
  return token;
}

async function openPlaces({ environment }: Walk, session: string): Promise<string> {
  const { branches, pickupLocations } = trpcClientWith(environment, { authorization: `Bearer ${session}` });
  const branchCode = BRANCH.branchCode;
  await branches.create.mutate({ ...BRANCH, name: `${MARK}-branch` });
  const names = { name: `${MARK}-store`, contactName: `${MARK}-contact`, instructions: `${MARK}-ring twice` };
  const place = { ...STORE, ...names, contactPhone: '+966119988776' };
  const location = { ...STORE.location, addressLine: `${MARK}-pickup street` };
  await pickupLocations.create.mutate({ ...place, location });
  // Taken, and too long.
  await pickupLocations.create.mutate({ ...place, location }).catch(() => undefined);
  await pickupLocations.create.mutate({ ...place, instructions: MARK.repeat(99), location }).catch(() => undefined);
  return branchCode;
}

/** What the recipient says and changes with a link. */
async function answerAsRecipient(walk: Walk, link: string): Promise<void> {
  const { environment, secrets, codes } = walk;
  const { challengeId } = await startRecipientSignIn(environment, link);
  const [code = ''] = await codesTo(environment, toE164(RECIPIENT.phone));
  codes.push(code, otherThan(code));
  await refused(walk, answerRecipientSignIn(environment, link, challengeId, otherThan(code)));
  const answered = await answerRecipientSignIn(environment, link, challengeId, code);
  const { recipientToken } = z.looseObject({ recipientToken: z.string() }).parse(await answered.json());
  secrets.push(recipientToken, recipientToken.split('_').at(-1) ?? '');
  const send = (method: string, path: string, body: JsonObject, token = recipientToken) =>
    sendJson(environment, method, recipientPath(link, path), body, {
      authorization: `Bearer ${token}`,
      'if-match': '*',
    });
  const refusal = { reasonCode: 'OTHER', comment: `${MARK}-refusal` };
  await refused(walk, send('PATCH', 'delivery', { instructions: MARK.repeat(30), place: MARK, addressLine: MARK }));
  await refused(walk, send('POST', 'refusals', refusal, `${recipientToken}x`));
  for (const response of [
    await send('PATCH', 'delivery', { instructions: `${MARK}-gate`, place: { kind: 'DOOR', note: `${MARK}-door` } }),
    await send('POST', 'refusals', refusal),
  ])
    if (!response.ok) throw new Error(`The recipient was refused: ${response.status} ${await response.text()}`);
}

interface Shipping {
  readonly token: string;
  readonly receiverUrl: string;
  readonly branchCode: string;
}

async function ship(walk: Walk, { token, receiverUrl, branchCode }: Shipping): Promise<string> {
  const { environment, secrets, codes } = walk;
  const authorization = { authorization: `Bearer ${token}` };
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    sendJson(environment, method, path, body, { ...authorization, ...headers });
  const url = `${receiverUrl}?key=${MARK}-query`;
  const endpoint = await send('POST', ENDPOINTS, { url, eventTypes: ['*'], description: `${MARK}-hook` });
  secrets.push(z.looseObject({ signingSecret: z.string() }).parse(await endpoint.json()).signingSecret);
  await refused(
    walk,
    send('POST', ENDPOINTS, { url: `https://${MARK}:${MARK}@10.0.0.1/?k=${MARK}`, eventTypes: [MARK] }),
  );
  const { sandboxDriverPhone } = await readReadiness(await send('POST', `${SANDBOX}/bootstrap`));
  const [company] = environment.companies;
  const body = {
    ...shipmentBody(company, {
      recipient: RECIPIENT,
      destination: DESTINATION,
      branchCode,
      codAmount: 41,
      paymentMethod: 'COD',
    }),
    pickupLocationCode: STORE.pickupLocationCode,
    items: [{ description: `${MARK}-item`, quantity: 1, weightKilograms: 1 }],
    externalReference: `${MARK}-${randomUUID()}`,
  };
  const idempotency = { 'idempotency-key': `${MARK}-${newKey()}` };
  const spoilt = { ...body, currency: MARK, recipient: { ...RECIPIENT, phone: MARK, name: MARK.repeat(20) } };
  await refused(walk, send('POST', SHIPMENTS, spoilt, { 'idempotency-key': newKey() }));
  await refused(walk, send('POST', SHIPMENTS, `${MARK}`, { 'idempotency-key': newKey() }));
  const created = await send('POST', SHIPMENTS, body, idempotency);
  const { shipmentId } = z.looseObject({ shipmentId: z.string() }).parse(await created.json());
  await send('POST', SHIPMENTS, body, idempotency);
  await refused(walk, send('POST', SHIPMENTS, { ...body, codAmount: 42 }, idempotency));
  const link = await readLink(
    await send('POST', `${SHIPMENTS}/${shipmentId}/tracking-links`, {
      label: `${MARK}-label`,
      permissions: ['INSTRUCTIONS', 'REFUSE'],
    }),
  );
  const trackingToken = link.url?.split('/t/')[1] ?? '';
  secrets.push(trackingToken, trackingToken.split('_')[1] ?? '');
  await follow(environment, trackingToken);
  await environment.fetch(`/t/${trackingToken}`);
  await refused(walk, follow(environment, `${trackingToken}x`));
  await answerAsRecipient(walk, trackingToken);
  for (const path of [SHIPMENTS, `${SHIPMENTS}/${shipmentId}`, `${SHIPMENTS}/${shipmentId}/timeline`, DELIVERIES])
    await send('GET', path);
  const asked = await askForCode(environment, sandboxDriverPhone);
  codes.push(asked.otp);
  const driven = await sendJson(environment, 'POST', `/v2/driver/sessions/${asked.challengeId}/verifications`, {
    otp: asked.otp,
  });
  secrets.push(z.looseObject({ driverToken: z.string() }).parse(await driven.json()).driverToken);
  const cancellation = { reasonCode: 'OTHER', comment: `${MARK}-comment` };
  await refused(
    walk,
    send(
      'POST',
      `${SHIPMENTS}/${shipmentId}/cancellations`,
      { reasonCode: MARK, comment: MARK.repeat(30) },
      { 'if-match': '*' },
    ),
  );
  await send('POST', `${SHIPMENTS}/${shipmentId}/cancellations`, cancellation, { 'if-match': '*' });
  return trackingToken;
}
