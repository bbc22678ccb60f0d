import { randomInt, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import * as z from 'zod';
import { tokenHashOf } from '../../src/access/authenticate.ts';
import { newSessionToken } from '../../src/access/session-token.ts';
import { systemRandom } from '../../src/providers/system.ts';
import { nowMicros } from './companies.ts';
import type { Environment } from './connection.ts';
import { sendJson } from './sandbox.ts';
import type { JsonObject } from './shipments.ts';

export interface TestPerson {
  readonly personId: string;
  readonly email: string;
  /** E.164. */
  readonly mobile: string;
}

/** A mobile and an e-mail address that no other test uses. */
export function newContacts(): { readonly email: string; readonly mobile: string } {
  return { email: `${randomUUID()}@people.example`, mobile: `+9665${String(randomInt(1e8)).padStart(8, '0')}` };
}

/** A person of the company who can sign in by e-mail address and by mobile. */
export async function addPerson(
  environment: Environment,
  { companyId }: { readonly companyId: string },
  role: 'OWNER' | 'MEMBER' = 'OWNER',
): Promise<TestPerson> {
  const person = await addSignIn(environment);
  const insert = 'insert into company_members (company_id, person_id, role, created_at) values (?, ?, ?, ?)';
  await environment.sql('directory', insert, [companyId, person.personId, role, nowMicros()]);
  return person;
}

/** An operator who can sign in by e-mail address and by mobile. `addSession` gives a session. */
export async function addOperator(environment: Environment): Promise<TestPerson> {
  const person = await addSignIn(environment);
  const insert = 'insert into operators (person_id, created_at) values (?, ?)';
  await environment.sql('directory', insert, [person.personId, nowMicros()]);
  return person;
}

/** Somebody of no company whose e-mail address and mobile are proved. */
async function addSignIn(environment: Environment): Promise<TestPerson> {
  const person = { personId: v7(), ...newContacts() };
  const { personId, email, mobile } = person;
  const at = nowMicros();
  const run = (statement: string, values: (string | number)[]) => environment.sql('directory', statement, values);
  await run("insert into people (id, full_name, email, mobile, created_at) values (?, 'Noura Al-Qahtani', ?, ?, ?)", [
    personId,
    email,
    mobile,
    at,
  ]);
  const insert = 'insert into sign_in_identifiers (identifier, person_id, proved_at) values (?, ?, ?), (?, ?, ?)';
  await run(insert, [email, personId, at, mobile, personId, at]);
  return person;
}

export interface SessionOptions {
  readonly assurance?: 'AAL1' | 'AAL2';
  /** The age of the second factor. */
  readonly provedSecondsAgo?: number;
}

/** A session of the person after signing in by e-mail. Answers its token. */
export async function addSession(
  environment: Environment,
  { personId }: Pick<TestPerson, 'personId'>,
  { assurance = 'AAL1', provedSecondsAgo = 0 }: SessionOptions = {},
): Promise<string> {
  const token = newSessionToken(systemRandom);
  const at = nowMicros();
  const freshUntil = assurance === 'AAL2' ? at + (600 - provedSecondsAgo) * 1e6 : null;
  await environment.sql(
    'directory',
    `insert into sessions (id, token_hash, person_id, channel, assurance, fresh_until, device_reference, created_at,
       last_seen_at, expires_at)
     values (?, ?, ?, 'EMAIL', ?, ?, ?, ?, ?, ?)`,
    [v7(), await tokenHashOf(token), personId, assurance, freshUntil, randomUUID(), at, at, at + 12 * 3600 * 1e6],
  );
  return token;
}

export const AUTHENTICATION = '/v2/company-authentication';

/** The codes that were sent to a mobile or an e-mail address, newest first. */
export async function codesTo(environment: Environment, recipient: string): Promise<string[]> {
  const response = await environment.fetch(`/local/one-time-codes?recipient=${encodeURIComponent(recipient)}`);
  const { data } = z.object({ data: z.array(z.object({ code: z.string() })) }).parse(await response.json());
  return data.map(({ code }) => code);
}

/** A different code. */
export function otherThan(code: string): string {
  return code === '000000' ? '111111' : '000000';
}

export function askSignIn(environment: Environment, identifier: string): Promise<Response> {
  return sendJson(environment, 'POST', `${AUTHENTICATION}/sign-ins`, { identifier, deviceReference: randomUUID() });
}

export function answerSignIn(environment: Environment, challengeId: string, otp: string): Promise<Response> {
  return sendJson(environment, 'POST', `${AUTHENTICATION}/sign-ins/${challengeId}/verifications`, { otp });
}

/** Signs in with the code that was sent. Answers the token. */
export async function signIn(environment: Environment, identifier: string): Promise<string> {
  const { challengeId } = z
    .object({ challengeId: z.uuid() })
    .parse(await (await askSignIn(environment, identifier)).json());
  const [code = ''] = await codesTo(environment, identifier);
  const answered = await answerSignIn(environment, challengeId, code);
  return z.object({ sessionToken: z.string() }).parse(await answered.json()).sessionToken;
}

/** Proves the session's other channel with the code that was sent to `recipient`. Answers the new token. */
export async function elevate(environment: Environment, token: string, recipient: string): Promise<string> {
  const path = `${AUTHENTICATION}/assurance-elevations`;
  const authorization = { authorization: `Bearer ${token}` };
  const asked = await sendJson(environment, 'POST', path, {}, authorization);
  const { elevationId } = z.object({ elevationId: z.uuid() }).parse(await asked.json());
  const [otp = ''] = await codesTo(environment, recipient);
  const answered = await sendJson(environment, 'POST', `${path}/${elevationId}/verifications`, { otp }, authorization);
  return z.object({ sessionToken: z.string() }).parse(await answered.json()).sessionToken;
}

/** Accepts an invitation with the code that was sent to `email`. Answers the token of the session. */
export async function acceptInvitation(environment: Environment, invitationId: string, email: string): Promise<string> {
  const call = async (name: string, body: JsonObject) => {
    const response = await sendJson(environment, 'POST', `/trpc/sessions.${name}`, body);
    return z.object({ result: z.object({ data: z.looseObject({}) }) }).parse(await response.json()).result.data;
  };
  const { challengeId } = await call('startAcceptance', { invitationId, deviceReference: randomUUID() });
  const [otp = ''] = await codesTo(environment, email);
  const { sessionToken } = await call('verifyAcceptance', { challengeId, otp });
  return z.string().parse(sessionToken);
}
