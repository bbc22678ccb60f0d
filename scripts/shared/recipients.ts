import * as z from 'zod';
import type { Environment } from './connection.ts';
import type { Headers, Merchant } from './merchant.ts';
import { codesTo } from './people.ts';
import type { JsonObject } from './shipments.ts';
import { createLink } from './tracking.ts';

/** Recipients, as their phones send requests. */

export const PERMISSIONS = ['ADDRESS', 'WINDOW', 'INSTRUCTIONS', 'REFUSE'];

const challenge = z.looseObject({ challengeId: z.uuid(), maskedDestination: z.string(), attemptsRemaining: z.int() });
const session = z.strictObject({ recipientToken: z.string(), expiresAt: z.string() });

/** The path of what a recipient does with a link. */
export function recipientPath(token: string, path: string): string {
  return `/v2/public/tracking/${token}/${path}`;
}

export async function startRecipientSignIn(environment: Environment, token: string) {
  const response = await sendAs(environment, { method: 'POST', path: recipientPath(token, 'sign-ins'), body: {} });
  if (response.status !== 202) throw new Error(`No code: ${response.status} ${await response.text()}`);
  return challenge.parse(await response.json());
}

export function answerRecipientSignIn(environment: Environment, token: string, challengeId: string, otp: string) {
  const path = recipientPath(token, `sign-ins/${challengeId}/verifications`);
  return sendAs(environment, { method: 'POST', path, body: { otp } });
}

/** A recipient who has answered the code that was sent to the phone. */
export async function signInRecipient(environment: Environment, token: string, phone: string) {
  const { challengeId } = await startRecipientSignIn(environment, token);
  const [otp = ''] = await codesTo(environment, phone);
  const verified = await answerRecipientSignIn(environment, token, challengeId, otp);
  if (verified.status !== 200) throw new Error(`No session: ${verified.status} ${await verified.text()}`);
  const { recipientToken } = session.parse(await verified.json());
  const authorization = `Bearer ${recipientToken}`;
  const send = (method: string, path: string, body?: JsonObject, headers: Headers = {}) =>
    sendAs(environment, { method, path: recipientPath(token, path), body, headers: { authorization, ...headers } });
  return {
    token,
    recipientToken,
    read: (headers: Headers = {}) => send('GET', 'delivery', undefined, headers),
    change: (body: JsonObject, ifMatch = '*') => send('PATCH', 'delivery', body, { 'if-match': ifMatch }),
    complain: (body: JsonObject) => send('POST', 'cases', body),
    withdraw: (caseId: string) => send('POST', `cases/${caseId}/withdrawals`, {}),
    complaints: () => send('GET', 'cases'),
    refuse: (body: JsonObject = { reasonCode: 'NOT_ORDERED' }) => send('POST', 'refusals', body),
    askReturn: (body: JsonObject) => send('POST', 'return-requests', body),
  };
}

/** The recipient of a shipment with this phone, by a new link with permissions. */
export async function recipientOf(
  environment: Environment,
  merchant: Merchant,
  {
    shipmentId,
    phone,
    permissions = PERMISSIONS,
  }: { readonly shipmentId: string; readonly phone: string; readonly permissions?: string[] },
) {
  const { token } = await createLink(merchant, shipmentId, { permissions });
  return signInRecipient(environment, token, phone);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject | undefined;
  readonly headers?: Headers;
}

function sendAs(environment: Environment, { method, path, body, headers = {} }: Sent): Promise<Response> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return environment.fetch(path, { method, ...sent, headers: { ...sent.headers, ...headers } });
}
