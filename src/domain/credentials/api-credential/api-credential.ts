import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import type { CompanyScope } from '../../../access/require.ts';
import {
  type ApiCredential,
  type CredentialStanding,
  type IssuedApiCredential,
  type RotatedApiCredential,
} from '../../../contract/merchant-api-credential.ts';
import { COMPANY_SCOPES, GRANTED_ON_REQUEST } from '../../../contract/scope.ts';
import type { Deployment } from '../../../core/deployment.ts';
import { addSeconds, formatInstant, type Instant } from '../../../core/instant.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';
import { auditOf, commitChange, type EntryDetails } from '../../audit/change.ts';
import { type Limit, refusalOf, type SecretLimitSettings, secretsOf, useStatements } from '../../challenges/limit.ts';
import { newClientId, newSecret } from '../credential.ts';
import {
  type CredentialRow,
  credentialDelete,
  credentialInsert,
  credentialOf,
  scopesUpdate,
  secretEnd,
  secretInsert,
} from './store.ts';

export interface ApiCredentialDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
  readonly config: SecretLimitSettings & { readonly deployment: Deployment };
}

/** The scopes of a new credential. A client may request a token with fewer. */
const MERCHANT_SCOPES = COMPANY_SCOPES.filter((scope) => !GRANTED_ON_REQUEST.some((other) => other === scope));

/** Creates the company's credential. Only one of several concurrent requests succeeds. */
export async function createApiCredential(
  dependencies: ApiCredentialDependencies,
  scope: CompanyScope,
): Promise<Result<IssuedApiCredential>> {
  const { directory, clock, random, config } = dependencies;
  const now = clock.now();
  const limit = await secretsOf(config, scope.companyId);
  const row = { id: random.uuid(), clientId: newClientId(random), scopes: MERCHANT_SCOPES.join(' '), createdAt: now };
  const { clientSecret, kept } = await newSecret(dependencies);
  const secret = { ...kept, credentialId: row.id, createdAt: now };
  const statements = [...useStatements([limit], now), credentialInsert(scope, row), secretInsert(scope, secret)];
  const made = await commitChange(directory, {
    unit: { statements },
    audit: auditOf(dependencies, scope, entryOf('credential.created', row, now)),
  });
  if (!made.ok) return made;
  if (!made.value) {
    const there = await findCredential(directory.database, scope, now);
    if (there.ok) return refuse('CREDENTIAL_ALREADY_EXISTS');
    return there.code === 'RESOURCE_NOT_FOUND' ? refusalOf(directory.database, [limit], now) : there;
  }
  return ok({ ...presentFacts({ ...row, ...secret }, config), clientSecret });
}

/** The company's credential without its secret. */
export async function readApiCredential(
  { directory, clock, config }: ApiCredentialDependencies,
  scope: CompanyScope,
): Promise<Result<ApiCredential>> {
  const found = await findCredential(directory.database, scope, clock.now());
  if (!found.ok) return found;
  const { current, previousEnd } = found.value;
  const { lastUsedAt } = current;
  return ok({
    ...presentFacts(current, config),
    lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
    previousSecretExpiresAt: previousEnd === null ? null : formatInstant(previousEnd),
  });
}

/** Whether there is one, without what only owners see. */
export async function readCredentialStanding(
  { directory, clock }: ApiCredentialDependencies,
  scope: CompanyScope,
): Promise<Result<CredentialStanding>> {
  const found = await findCredential(directory.database, scope, clock.now());
  if (found.ok) return ok({ clientId: found.value.current.clientId, isUsed: found.value.current.lastUsedAt !== null });
  return found.code === 'RESOURCE_NOT_FOUND' ? ok({ clientId: null, isUsed: false }) : found;
}

/** Gives the credential a new secret. The previous secret and its tokens stay valid for `overlapSeconds`. */
export async function rotateApiCredential(
  dependencies: ApiCredentialDependencies,
  scope: CompanyScope,
  { overlapSeconds }: { readonly overlapSeconds: number },
): Promise<Result<RotatedApiCredential>> {
  const { directory, clock, config } = dependencies;
  const now = clock.now();
  const found = await findCredential(directory.database, scope, now);
  if (!found.ok) return found;
  const { current } = found.value;
  const { credentialId } = current;
  const expiresAt = addSeconds(now, overlapSeconds);
  const limit = await secretsOf(config, scope.companyId);
  const { clientSecret, kept } = await newSecret(dependencies);
  const secret = { ...kept, credentialId, createdAt: now };
  const entry = entryOf('credential.rotated', { id: credentialId, clientId: current.clientId }, now);
  const statements = [
    ...useStatements([limit], now),
    secretEnd(scope, { credentialId, now, expiresAt }),
    secretInsert(scope, secret),
  ];
  const rotated = await commitChange(directory, {
    unit: { statements },
    audit: auditOf(dependencies, scope, { ...entry, detail: { ...entry.detail, overlapSeconds } }),
  });
  if (!rotated.ok) return rotated;
  if (!rotated.value) return rotationRefusal(dependencies, scope, { limit, now });
  const facts = presentFacts({ ...current, secretHint: secret.secretHint }, config);
  const previousSecretExpiresAt = overlapSeconds === 0 ? null : formatInstant(expiresAt);
  return ok({ ...facts, clientSecret, previousSecretExpiresAt });
}

/** Replaces the scopes of the credential. Tokens with a scope that it no longer has end within a minute. */
export async function setApiCredentialScopes(
  dependencies: ApiCredentialDependencies,
  scope: CompanyScope,
  { scopes }: { readonly scopes: readonly (typeof COMPANY_SCOPES)[number][] },
): Promise<Result<ApiCredential>> {
  const { directory, clock } = dependencies;
  const now = clock.now();
  const found = await findCredential(directory.database, scope, now);
  if (!found.ok) return found;
  const { credentialId, clientId } = found.value.current;
  // In one order, so that the same scopes are the same text.
  const text = COMPANY_SCOPES.filter((one) => scopes.includes(one)).join(' ');
  const entry = entryOf('credential.scopes_changed', { id: credentialId, clientId }, now);
  const changed = await commitChange(directory, {
    unit: { statements: [scopesUpdate(scope, credentialId, text)] },
    audit: auditOf(dependencies, scope, { ...entry, detail: { ...entry.detail, scopes: text } }),
  });
  if (!changed.ok) return changed;
  return changed.value ? readApiCredential(dependencies, scope) : refuse('RESOURCE_NOT_FOUND');
}

/** Why the SQL refused a rotation: the credential is deleted, another rotation overlaps, or there are too many secrets. */
async function rotationRefusal(
  { directory: { database } }: ApiCredentialDependencies,
  scope: CompanyScope,
  { limit, now }: { readonly limit: Limit; readonly now: Instant },
): Promise<Refusal> {
  const after = await findCredential(database, scope, now);
  if (!after.ok) return after;
  return after.value.previousEnd === null ? refusalOf(database, [limit], now) : refuse('SECRET_ROTATION_IN_PROGRESS');
}

/** Deletes the credential and its secrets; its tokens end within a minute. Returns the deleted credential's client id. */
export async function deleteApiCredential(
  dependencies: ApiCredentialDependencies,
  scope: CompanyScope,
): Promise<Result<{ readonly clientId: string }>> {
  const { directory, clock } = dependencies;
  const now = clock.now();
  const found = await findCredential(directory.database, scope, now);
  if (!found.ok) return found;
  const { credentialId, clientId } = found.value.current;
  const deleted = await commitChange(directory, {
    unit: { statements: [credentialDelete(scope, credentialId, now)] },
    audit: auditOf(dependencies, scope, entryOf('credential.deleted', { id: credentialId, clientId }, now)),
  });
  if (!deleted.ok) return deleted;
  return deleted.value ? ok({ clientId }) : refuse('RESOURCE_NOT_FOUND');
}

function entryOf(action: string, { id, clientId }: { id: Uuid; clientId: string }, at: Instant): EntryDetails {
  return { action, subject: id, at, detail: { clientId } };
}

/** The credential with its current secret, and the expiry of the previous one. */
async function findCredential(
  database: Database,
  scope: CompanyScope,
  now: Instant,
): Promise<Result<{ readonly current: CredentialRow; readonly previousEnd: Instant | null }>> {
  const answer = await database.read(credentialOf(scope, now));
  if (!answer.ok) return unavailable();
  const current = answer.rows.find(({ secretExpiresAt }) => secretExpiresAt === null);
  if (current === undefined) return refuse('RESOURCE_NOT_FOUND');
  const previous = answer.rows.find((row) => row.credentialId === current.credentialId && row.secretExpiresAt !== null);
  return ok({ current, previousEnd: previous?.secretExpiresAt ?? null });
}

function presentFacts(
  row: Pick<CredentialRow, 'credentialId' | 'clientId' | 'secretHint' | 'scopes' | 'createdAt'>,
  { deployment }: { readonly deployment: Deployment },
) {
  const { credentialId, clientId, secretHint, scopes, createdAt } = row;
  return {
    credentialId,
    clientId,
    secretHint,
    scopes: scopes.split(' '),
    deployment,
    createdAt: formatInstant(createdAt),
  };
}
