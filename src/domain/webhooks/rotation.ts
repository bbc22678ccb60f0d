import type { CompanyScope } from '../../access/require.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { type EndpointDependencies, readEndpoint } from './endpoint.ts';
import { newSigningSecret } from './secret.ts';
import { secretUpdate } from './store.ts';

export interface SecretRotation {
  readonly signingSecret: string;
  readonly previousSecretExpiresAt: string | null;
}

/**
 * Creates a new signing secret, which only this response contains. The previous secret also signs for `overlapSeconds`.
 * The next rotation has to wait for that, otherwise a receiver could be left with a secret that no longer signs.
 */
export async function rotateSecret(
  dependencies: EndpointDependencies,
  scope: CompanyScope,
  { endpointId, overlapSeconds }: { readonly endpointId: Uuid; readonly overlapSeconds: number },
  bind: Bind<SecretRotation> = unbound,
): Promise<Result<SecretRotation>> {
  const { database, clock, random, endpointSecrets } = dependencies;
  const found = await readEndpoint(database, scope, endpointId);
  if (!found.ok) return found;
  const now = clock.now();
  const signingSecret = newSigningSecret(random);
  const secret = await endpointSecrets.seal(endpointId, signingSecret);
  const expiresAt = overlapSeconds === 0 ? null : addSeconds(now, overlapSeconds);
  const update = secretUpdate(scope, { id: endpointId, secret, secretHint: signingSecret.slice(-4), expiresAt, now });
  const previousSecretExpiresAt = expiresAt === null ? null : formatInstant(expiresAt);
  const rotated = ok({ signingSecret, previousSecretExpiresAt });
  const detail = { overlapSeconds };
  const made = await commitChange(dependencies, {
    unit: await bind({ statements: [update] }, rotated.value),
    audit: auditOf(dependencies, scope, {
      action: 'webhook_endpoint.rotated',
      subject: endpointId,
      at: now,
      detail,
    }),
  });
  if (made.ok && made.value) return rotated;
  const current = await readEndpoint(database, scope, endpointId);
  // If the outcome is unknown, a 503 could lose a secret that is already in use.
  if (!made.ok) return current.ok && current.value.secret === secret ? rotated : made;
  return current.ok ? refuse('SECRET_ROTATION_IN_PROGRESS') : current;
}
