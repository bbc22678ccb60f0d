import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import type { AuditActor, OperatorPerson } from '../../../access/principal.ts';
import type { Sealer } from '../../../access/sealer.ts';
import type { IssuedOperatorCredential, OperatorCredential } from '../../../contract/operator-credential.ts';
import type { Deployment } from '../../../core/deployment.ts';
import { formatInstant, type Instant } from '../../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';
import { type Audit, commitChange } from '../../audit/change.ts';
import { refusalOf, type SecretLimitSettings, secretsOf, useStatements } from '../../challenges/limit.ts';
import { type Page, type PageRequest, positionOf, readPage } from '../../page.ts';
import { readRow } from '../../rows.ts';
import { credentialDelete, secretInsert } from '../api-credential/store.ts';
import { newSecret, programClientId } from '../credential.ts';
import { type ProgramRow, programByClientId, programById, programInsert, programPage } from './store.ts';

/* Credentials of operators' programs. They belong to no company, and have the scope `operations`. */

export interface ProgramDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
  readonly config: SecretLimitSettings & { readonly deployment: Deployment };
}

/** The operator who acts, as the guard and the audit name them. */
export interface ProgramOwner {
  readonly operator: OperatorPerson;
  readonly actor: AuditActor;
}

/** Credentials of programs, newest first. */
export function listPrograms(
  { directory, clock, cursors }: Pick<ProgramDependencies, 'directory' | 'clock'> & { readonly cursors: Sealer },
  request: PageRequest,
): Promise<Result<Page<OperatorCredential>>> {
  const now = clock.now();
  return readPage({ database: directory.database, cursors }, request, {
    binding: ['programs of operators', 'createdAt desc'],
    select: (after, rows) => programPage(now, positionOf(after), rows),
    positionOf: (row) => [String(row.createdAt), row.credentialId],
    present: presentProgram,
  });
}

/** Creates the credential of a program. 422 if a program has or had this name. */
export async function createProgram(
  dependencies: ProgramDependencies,
  { operator, actor }: ProgramOwner,
  { name }: { readonly name: string },
): Promise<Result<IssuedOperatorCredential>> {
  const { directory, clock, random, config } = dependencies;
  const now = clock.now();
  const limit = await secretsOf(config, operator.personId);
  const row = { id: random.uuid(), clientId: programClientId(name), createdAt: now };
  const { clientSecret, kept } = await newSecret(dependencies);
  const secret = { ...kept, credentialId: row.id, createdAt: now };
  const made = await commitChange(directory, {
    unit: { statements: [...useStatements([limit], now), programInsert(row), secretInsert(undefined, secret)] },
    audit: entryOf(dependencies, actor, { ...row, action: 'credential.created', at: now }),
  });
  if (!made.ok) return made;
  if (!made.value) {
    const known = await directory.database.read(programByClientId(row.clientId));
    if (!known.ok) return unavailable();
    if (known.rows.length === 0) return refusalOf(directory.database, [limit], now);
    return refuse('VALIDATION_FAILED', { violations: [{ field: 'name', code: 'DUPLICATE_ITEM' }] });
  }
  const facts = { credentialId: row.id, clientId: row.clientId, secretHint: secret.secretHint };
  return ok({ ...facts, createdAt: formatInstant(now), clientSecret, deployment: config.deployment });
}

/** Ends the credential of a program with its secrets. Its tokens end within a minute. Answers its client id. */
export async function revokeProgram(
  dependencies: ProgramDependencies,
  { actor }: ProgramOwner,
  credentialId: Uuid,
): Promise<Result<{ readonly clientId: string }>> {
  const { directory, clock } = dependencies;
  const found = await readRow(directory.database, programById(credentialId), 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const { clientId } = found.value;
  const now = clock.now();
  const revoked = await commitChange(directory, {
    unit: { statements: [credentialDelete(undefined, credentialId, now)] },
    audit: entryOf(dependencies, actor, { id: credentialId, clientId, action: 'credential.deleted', at: now }),
  });
  if (!revoked.ok) return revoked;
  return revoked.value ? ok({ clientId }) : refuse('RESOURCE_NOT_FOUND');
}

interface ProgramEntry {
  readonly id: Uuid;
  readonly clientId: string;
  readonly action: string;
  readonly at: Instant;
}

function entryOf(
  { random }: Pick<ProgramDependencies, 'random'>,
  actor: AuditActor,
  { id: subject, clientId, action, at }: ProgramEntry,
): Audit {
  return { id: random.uuid(), scope: undefined, actor, action, subject, at, detail: { clientId } };
}

function presentProgram({ createdAt, lastUsedAt, ...row }: ProgramRow): OperatorCredential {
  return {
    ...row,
    createdAt: formatInstant(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  };
}
