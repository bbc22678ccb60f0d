import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { EndpointSecrets, newSigningSecret } from '../../../../src/domain/webhooks/secret.ts';
import { signedHeaders } from '../../../../src/domain/webhooks/signature.ts';
import { systemRandom } from '../../../../src/providers/system.ts';

describe('a signature', () => {
  it('matches the test vector of Standard Webhooks', async () => {
    const at = instantFromMillis(1_614_265_330_999);
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', at };
    expect(await signedHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by the reference implementation with each of its secrets, and with no other', async () => {
    const [first, second, other] = [
      newSigningSecret(systemRandom),
      newSigningSecret(systemRandom),
      newSigningSecret(systemRandom),
    ];
    const body = '{"name":"متجر ☕ 𐎠"}';
    const headers = await signedHeaders({ id: newId(), body, at: instantFromMillis(Date.now()) }, [first, second]);
    for (const secret of [first, second]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(first).verify(`${body} `, headers)).toThrow('No matching signature');
  });
});

describe('an encrypted secret', () => {
  const key = (kid: string, byte: number) => ({ kid, key: Buffer.alloc(32, byte).toString('base64url') });
  const endpointId = newId();

  it('decrypts with every configured key, and only for its endpoint', async () => {
    const [old, next] = [
      new EndpointSecrets([key('a', 1)], systemRandom),
      new EndpointSecrets([key('b', 2), key('a', 1)], systemRandom),
    ];
    const secret = newSigningSecret(systemRandom);
    const sealed = await old.seal(endpointId, secret);
    expect(sealed).not.toContain(secret.slice(6, 20));
    expect(await next.open(endpointId, sealed)).toBe(secret);
    expect(await next.seal(endpointId, secret)).toMatch(/^b\./);
    await expect(next.open(newId(), sealed)).rejects.toThrow(/./);
    await expect(new EndpointSecrets([key('b', 2)], systemRandom).open(endpointId, sealed)).rejects.toThrow('No key');
    // A different key with the same name.
    await expect(new EndpointSecrets([key('a', 2)], systemRandom).open(endpointId, sealed)).rejects.toThrow(/./);
  });
});
