import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { addSeconds, formatInstant } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { createEndpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { rotateSecret } from '../../../../src/domain/webhooks/rotation.ts';
import { EndpointSecrets } from '../../../../src/domain/webhooks/secret.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* Rotation of a signing secret: the new secret is returned once, is never lost, and signs from then on. */

const keys = [{ kid: 'test', key: Buffer.alloc(32, 3).toString('base64url') }];
const endpointSecrets = new EndpointSecrets(keys, systemRandom);
const DAY = 24 * 3600;
const AWAY = { ok: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
const IN_PROGRESS = { ok: false, code: 'SECRET_ROTATION_IN_PROGRESS' };

let shard: MemoryShard;
let dependencies: Parameters<typeof rotateSecret>[0];
let endpointId: Uuid;
let first: string;
beforeEach(async () => {
  shard = openMemoryShard();
  const config = { deployment: 'sandbox', baseUrl: 'https://api.mirsal.example' } as const;
  dependencies = { ...shard.process(), endpointSecrets, config };
  const made = await createEndpoint(dependencies, shard.scope, { url: 'https://hooks.example/', eventTypes: ['*'] });
  if (!made.ok) throw new Error(`No endpoint: ${made.code}`);
  endpointId = made.value.row.id;
  first = made.value.signingSecret;
});
afterEach(() => shard.close());

const rotate = (overlapSeconds: number, scope = shard.scope) =>
  rotateSecret(dependencies, scope, { endpointId, overlapSeconds });
async function rotated(overlapSeconds: number) {
  const result = await rotate(overlapSeconds);
  if (!result.ok) throw new Error(`Not rotated: ${result.code}`);
  return result.value;
}

/** Both stored secrets, decrypted; the hint, and when the previous one expires. */
async function kept() {
  const [row] = await shard.rows(
    'SELECT secret, previous_secret, secret_hint, previous_secret_expires_at, version FROM webhook_endpoints',
  );
  const [secret, previous, hint, until, version] = row as [string, string | null, ...unknown[]];
  const open = (sealed: string | null) => (sealed === null ? null : endpointSecrets.open(endpointId, sealed));
  return { secret: await open(secret), previous: await open(previous), hint, until, version };
}

describe('a rotation', () => {
  it('stores a new secret and keeps the previous one until the overlap ends', async () => {
    const { signingSecret, previousSecretExpiresAt } = await rotated(DAY);
    expect(signingSecret).not.toBe(first);
    const { until, ...rest } = await kept();
    expect(rest).toEqual({ secret: signingSecret, previous: first, hint: signingSecret.slice(-4), version: 1 });
    expect(formatInstant(BigInt(Number(until)) as ReturnType<typeof addSeconds>)).toBe(previousSecretExpiresAt);
    const now = shard.clock.now();
    expect(Number(until)).toBeGreaterThan(Number(addSeconds(now, DAY - 1)));
    expect(Number(until)).toBeLessThanOrEqual(Number(addSeconds(now, DAY)));
  });

  it('without an overlap ends the previous secret at once, and may be repeated', async () => {
    const { signingSecret, previousSecretExpiresAt } = await rotated(0);
    expect(previousSecretExpiresAt).toBeNull();
    expect(await kept()).toMatchObject({ secret: signingSecret, previous: null, until: null });
    const second = await rotated(0);
    expect(await kept()).toMatchObject({ secret: second.signingSecret, version: 2 });
  });

  it('is refused during the overlap of the last one, whatever overlap it asks for', async () => {
    const { signingSecret } = await rotated(DAY);
    const before = await kept();
    expect(await rotate(DAY)).toEqual(IN_PROGRESS);
    expect(await rotate(0)).toEqual(IN_PROGRESS);
    expect(await kept()).toEqual(before);
    shard.clock.advance(DAY);
    const next = await rotated(DAY);
    expect(await kept()).toMatchObject({ secret: next.signingSecret, previous: signingSecret });
  });

  it('is refused alike for an endpoint that is unknown, deleted or of another company', async () => {
    const missing = { ok: false, code: 'RESOURCE_NOT_FOUND' };
    const before = await kept();
    expect(await rotate(DAY, scopeOf(newId()))).toEqual(missing);
    expect(await kept()).toEqual(before);
    await shard.rows("UPDATE webhook_endpoints SET state = 'DELETED'");
    expect(await rotate(DAY)).toEqual(missing);
    // The endpoint is deleted in between: the answer is not that a rotation is in progress.
    await shard.rows("UPDATE webhook_endpoints SET state = 'ENABLED'");
    shard.wire.carry = async ({ isWrite }, run) => {
      if (isWrite) await shard.rows("UPDATE webhook_endpoints SET state = 'DELETED'");
      return run();
    };
    expect(await rotate(DAY)).toEqual(missing);
  });
});

describe('a rotation with a lost answer', () => {
  const broken = (): never => {
    throw new TypeError('The connection was reset');
  };

  it('returns the new secret if it was committed', async () => {
    shard.wire.carry = ({ isWrite }, run) => {
      const response = run();
      return isWrite ? broken() : response;
    };
    const { signingSecret } = await rotated(DAY);
    expect(await kept()).toMatchObject({ secret: signingSecret, previous: first });
  });

  it('is 503 if it was not committed, and the first secret stays valid', async () => {
    shard.wire.carry = ({ isWrite }, run) => (isWrite ? broken() : run());
    expect(await rotate(DAY)).toEqual(AWAY);
    expect(await kept()).toMatchObject({ secret: first, previous: null });
  });

  it('is 503 if its outcome cannot be read', async () => {
    let hasWritten = false;
    shard.wire.carry = ({ isWrite }, run) => {
      if (hasWritten) broken();
      const response = run();
      hasWritten = isWrite;
      return isWrite ? broken() : response;
    };
    expect(await rotate(DAY)).toEqual(AWAY);
  });

  it('is 503 if the database never answers', async () => {
    shard.wire.carry = broken;
    expect(await rotate(DAY)).toEqual(AWAY);
  });
});
