import { v7 } from 'uuid';
import * as z from 'zod';
import { nowMicros } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { driverOf, sendJson, type TestDriver } from '../../scripts/shared/sandbox.ts';
import { codeHmacOf, identityHmacOf } from '../../src/domain/challenges/code.ts';

/* Drivers' sign-in outside the sandbox: the code goes to the phone. */

const challenge = z.looseObject({ challengeId: z.uuid() });
const session = z.looseObject({ driverToken: z.string() });
const inbox = z.object({ data: z.array(z.object({ code: z.string() })) });

export interface AskedCode {
  readonly challengeId: string;
  readonly otp: string;
}

/** Requests a code and reads it from the inbox of the local deployment. */
export async function askForCode(environment: Environment, phone: string): Promise<AskedCode> {
  await forgetCodes(environment, phone);
  const asked = await sendJson(environment, 'POST', '/v2/driver/sessions', { phone });
  const { challengeId } = challenge.parse(await asked.json());
  const sent = await environment.fetch(`/local/one-time-codes?recipient=${encodeURIComponent(e164Of(phone))}`);
  const [newest] = inbox.parse(await sent.json()).data;
  if (newest === undefined) throw new Error(`Nothing was sent to ${phone}`);
  return { challengeId, otp: newest.code };
}

export async function signInBySms(environment: Environment, phone: string): Promise<TestDriver> {
  const { challengeId, otp } = await askForCode(environment, phone);
  const verified = await sendJson(environment, 'POST', `/v2/driver/sessions/${challengeId}/verifications`, { otp });
  return driverOf(environment, session.parse(await verified.json()).driverToken);
}

/** Resets the limit of five codes in a quarter of an hour. */
export async function forgetCodes(environment: Environment, phone: string): Promise<void> {
  const bucket = await identityHmacOf(environment.credentialKey, `limit: codes of ${e164Of(phone)}`);
  await environment.sql('directory', 'delete from security_uses where bucket = ?', [bucket]);
}

/** A phone that no other test uses. */
export function newPhone(): string {
  return `05${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
}

/** The code of a driver in `shard`, requested in a company's sandbox, or with null outside of any. */
export async function addChallenge(
  environment: Environment,
  { shard, companyId }: { readonly shard: string; readonly companyId: string | null },
): Promise<AskedCode> {
  const [challengeId, otp] = [v7(), '493017'];
  const purpose = companyId === null ? 'DRIVER_SIGN_IN' : 'SANDBOX_DRIVER_SIGN_IN';
  const codeHmac = await codeHmacOf(environment.credentialKey, challengeId, otp);
  await environment.sql(
    'directory',
    `insert into challenges (id, purpose, subject, driver_id, shard, channel, code_hmac, attempts, expires_at, created_at)
     values (?, ?, ?, ?, ?, 'SMS', ?, 0, ?, ?)`,
    [
      ...[challengeId, purpose, companyId ?? newPhone(), v7(), shard],
      ...[codeHmac, nowMicros() + 60_000_000, nowMicros()],
    ],
  );
  return { challengeId, otp };
}

function e164Of(phone: string): string {
  return `+966${phone.slice(1)}`;
}
