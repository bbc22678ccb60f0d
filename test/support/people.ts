import { randomInt, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { newSessionToken, tokenHashOf } from '../../src/access/session-token.ts';
import { systemRandom } from '../../src/runtime/adapters/system.ts';
import { nowMicros } from './companies.ts';
import type { Environment } from './connection.ts';

export interface TestPerson {
  readonly personId: string;
  readonly email: string;
  /** E.164. */
  readonly mobile: string;
}

/** A mobile and an address that no other test has. */
export function newContacts(): { readonly email: string; readonly mobile: string } {
  return { email: `${randomUUID()}@people.example`, mobile: `+9665${String(randomInt(1e8)).padStart(8, '0')}` };
}

/** A person of the company who can sign in by e-mail address and by mobile. */
export async function addPerson(
  environment: Environment,
  { companyId }: { readonly companyId: string },
  role: 'OWNER' | 'MEMBER' = 'OWNER',
): Promise<TestPerson> {
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
  await run('insert into sign_in_identifiers (identifier, person_id) values (?, ?), (?, ?)', [
    email,
    personId,
    mobile,
    personId,
  ]);
  await run('insert into company_members (company_id, person_id, role, created_at) values (?, ?, ?, ?)', [
    companyId,
    personId,
    role,
    at,
  ]);
  return person;
}

export interface SessionOptions {
  readonly assurance?: 'AAL1' | 'AAL2';
  /** How long ago the second factor was proved. */
  readonly provedSecondsAgo?: number;
}

/** A session of the person as it stands after signing in by e-mail: the token. */
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
