import { randomUUID } from 'node:crypto';
import { createClient, type InStatement } from '@libsql/client/http';
import * as z from 'zod';
import { PROGRAM_NAME } from '../../src/contract/operator-credential.ts';
import { email as emailAddress } from '../../src/contract/session.ts';
import type { Deployment } from '../../src/core/deployment.ts';
import { emailOf } from '../../src/core/email.ts';
import { maskPhone, SAUDI_MOBILE, toE164 } from '../../src/core/phone.ts';
import { NIL_UUID } from '../../src/core/uuid.ts';
import { newSecret, programClientId } from '../../src/domain/credentials/credential.ts';
import { systemRandom } from '../../src/providers/system.ts';
import { nowMicros } from './companies.ts';
import type { DatabaseOfService } from './database-addresses.ts';
import { SetupError } from './setup-error.ts';

/*
 * Operators and their programs, written into the directory with its own token: on a new deployment nobody can use the
 * service for this yet. Each change has its audit entry in the same transaction.
 */

/** The database of the directory. */
export type Directory = Pick<DatabaseOfService, 'url' | 'authToken'>;

export interface Invitee {
  readonly email: string;
  /** A Saudi mobile number in any of its spellings. */
  readonly mobile: string;
  readonly fullName: string;
}

/** Invites an operator and answers the invitation's id. An invitation that nobody has accepted yet is answered again. */
export async function inviteOperator(directory: Directory, invitee: Invitee): Promise<string> {
  const email = emailOf(invitee.email);
  if (!emailAddress().safeParse(email).success) throw new SetupError(`${invitee.email} is not an e-mail address.`);
  if (!SAUDI_MOBILE.test(invitee.mobile)) throw new SetupError(`${invitee.mobile} is not a Saudi mobile number.`);
  const mobile = toE164(invitee.mobile);
  const database = open(directory);
  const [taken] = z
    .array(z.object({ identifier: z.string() }))
    .parse(await database.read(SELECT_TAKEN, [email, mobile]));
  if (taken !== undefined) throw new SetupError(`${taken.identifier} signs in somebody already.`);
  const invited = await database.read(SELECT_INVITED, [email, mobile]);
  const [earlier] = personIds.parse(invited);
  if (earlier !== undefined) return earlier.personId;
  const id = systemRandom.uuid();
  const at = nowMicros();
  await database.write([
    {
      sql: 'insert into people (id, full_name, email, mobile, created_at) values (?, ?, ?, ?, ?)',
      args: [id, invitee.fullName, email, mobile, at],
    },
    { sql: 'insert into operators (person_id, created_at) values (?, ?)', args: [id, at] },
    auditEntry('operator.invited', id),
  ]);
  return id;
}

const SELECT_TAKEN = 'select identifier from sign_in_identifiers where identifier in (?, ?) and proved_at is not null';
const SELECT_INVITED = `select p.id as personId from people p join operators o on o.person_id = p.id
  where p.email = ? and p.mobile = ?`;
const personIds = z.array(z.object({ personId: z.string() }));

const operatorRows = z.array(
  z.object({
    personId: z.string(),
    fullName: z.string(),
    email: z.string(),
    mobile: z.string().transform(maskPhone),
    hasAccepted: z.number().transform((count) => count > 0),
  }),
);
export type OperatorRow = z.output<typeof operatorRows>[number];

/** The operators, oldest first. */
export async function listOperators(directory: Directory): Promise<OperatorRow[]> {
  return operatorRows.parse(
    await open(directory).read(
      `select p.id as personId, p.full_name as fullName, p.email as email, p.mobile as mobile,
         (select count(*) from sign_in_identifiers i where i.person_id = p.id and i.proved_at is not null) as hasAccepted
       from operators o join people p on p.id = o.person_id order by o.created_at, p.id`,
    ),
  );
}

/** Removes an operator with all sessions and data. The entries of what the operator did stay in the audit. */
export async function removeOperator(directory: Directory, email: string): Promise<void> {
  const database = open(directory);
  const found = await database.read(
    'select p.id as personId from people p join operators o on o.person_id = p.id where p.email = ?',
    [emailOf(email)],
  );
  const [operator] = personIds.parse(found);
  if (operator === undefined) throw new SetupError(`There is no operator ${email}.`);
  const { personId } = operator;
  const tables = ['sessions', 'challenges', 'sign_in_identifiers', 'operators'];
  await database.write([
    ...tables.map((table) => ({ sql: `delete from ${table} where person_id = ?`, args: [personId] })),
    { sql: 'delete from people where id = ?', args: [personId] },
    auditEntry('operator.removed', personId),
  ]);
}

export interface ProgramOptions {
  readonly name: string;
  readonly deployment: Deployment;
  /** The first of CREDENTIAL_KEYS. */
  readonly credentialKey: string;
}

/** Creates the client of an operator's program. Only this answer holds its secret. */
export async function createProgram(directory: Directory, { name, deployment, credentialKey }: ProgramOptions) {
  if (!PROGRAM_NAME.test(name))
    throw new SetupError(`--name ${name} must be at most 32 lower-case letters, digits and hyphens.`);
  const database = open(directory);
  const clientId = programClientId(name);
  const known = await database.read('select id from credentials where client_id = ?', [clientId]);
  if (known.length > 0) throw new SetupError(`The client ${clientId} exists or existed before. Choose another name.`);
  const credentialId = systemRandom.uuid();
  const { clientSecret, kept } = await newSecret({ random: systemRandom, config: { credentialKey, deployment } });
  const at = nowMicros();
  await database.write([
    {
      sql: 'insert into credentials (id, company_id, client_id, scopes, created_at) values (?, null, ?, ?, ?)',
      args: [credentialId, clientId, 'operations', at],
    },
    {
      sql: `insert into credential_secrets (id, credential_id, secret_hmac, secret_hint, created_at)
        values (?, ?, ?, ?, ?)`,
      args: [kept.id, credentialId, kept.secretHmac, kept.secretHint, at],
    },
    auditEntry('credential.created', credentialId, { clientId }),
  ]);
  return { clientId, clientSecret };
}

/** An entry of a change that was made with the directory's token: its client is `command`. */
function auditEntry(action: string, subject: string, detail: Readonly<Record<string, string>> = {}): InStatement {
  return {
    sql: `insert into audit_entries (id, company_id, client_id, action, subject, at, request_id, detail)
      values (?, ?, 'command', ?, ?, ?, ?, ?)`,
    args: [systemRandom.uuid(), NIL_UUID, action, subject, nowMicros(), randomUUID(), JSON.stringify(detail)],
  };
}

function open({ url, authToken }: Directory) {
  const client = createClient({ url, ...(authToken === undefined ? {} : { authToken }) });
  return {
    read: async (sql: string, args: string[] = []): Promise<unknown[]> => (await client.execute({ sql, args })).rows,
    write: (statements: InStatement[]) => client.batch(statements, 'write'),
  };
}
