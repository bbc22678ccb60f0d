import type { CompanyScope } from '../../access/require.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { settle } from '../settle.ts';
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
  const { database, writer, clock, random, endpointSecrets } = dependencies;
  const found = await readEndpoint(database, scope, endpointId);
  if (!found.ok) return found;
  const now = clock.now();
  const signingSecret = newSigningSecret(random);
  const secret = await endpointSecrets.seal(endpointId, signingSecret);
  const expiresAt = overlapSeconds === 0 ? null : addSeconds(now, overlapSeconds);
  const update = secretUpdate(scope, { id: endpointId, secret, secretHint: signingSecret.slice(-4), expiresAt, now });
  const previousSecretExpiresAt = expiresAt === null ? null : formatInstant(expiresAt);
  const rotated = ok({ signingSecret, previousSecretExpiresAt });
  const outcome = await writer.commit(await bind({ statements: [update] }, rotated.value));
  if (outcome.status === 'unknown') {
    // A 503 here could lose a secret that is already in use.
    const current = await readEndpoint(database, scope, endpointId);
    if (current.ok && current.value.secret === secret) return rotated;
  }
  const settled = settle(outcome);
  if (!settled.ok) return settled;
  if (settled.value) return rotated;
  const current = await readEndpoint(database, scope, endpointId);
  return current.ok ? refuse('SECRET_ROTATION_IN_PROGRESS') : current;
}
