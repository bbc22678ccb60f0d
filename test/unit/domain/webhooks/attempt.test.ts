import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { addMicros, addMillis, type Instant, instantFromMillis } from '../../../../src/core/instant.ts';
import { deliveryTerms } from '../../../../src/core/webhook-terms.ts';
import { realClock } from '../../../../src/domain/clocks/company-clock.ts';
import { type AttemptDependencies, type AttemptTarget, attemptOnce } from '../../../../src/domain/webhooks/attempt.ts';
import { EndpointSecrets, newSigningSecret } from '../../../../src/domain/webhooks/secret.ts';
import type { OutgoingWebhook, WebhookAnswer } from '../../../../src/ports/webhook.ts';
import { systemRandom } from '../../../../src/providers/system.ts';

/*
 * One attempt: signed with the secrets that are valid at that time, and sent to the current address. Resolver and
 * receiver are simulated.
 */

const keys = [{ kid: 'test', key: Buffer.alloc(32, 3).toString('base64url') }];
const endpointSecrets = new EndpointSecrets(keys, systemRandom);
const [CURRENT, PREVIOUS] = [newSigningSecret(systemRandom), newSigningSecret(systemRandom)];
const NOW = instantFromMillis(Date.now());
const BODY = '{"type":"shipment.created"}';
const PUBLIC = '93.184.216.34';
const id = newId();
const eventId = newId();
const [secret, previousSecret] = [await endpointSecrets.seal(id, CURRENT), await endpointSecrets.seal(id, PREVIOUS)];

let sent: OutgoingWebhook[] = [];
let asked: [string, number][] = [];
let addresses: string[] = [PUBLIC];
let elapsedMs = 0;
/** How long the resolver and the receiver take to answer. */
let takesMs = { resolver: 0, receiver: 0 };
let answer: WebhookAnswer;
beforeEach(() => {
  [sent, asked, addresses, elapsedMs] = [[], [], [PUBLIC], 1000];
  takesMs = { resolver: 0, receiver: 0 };
  answer = { ok: true, status: 200, headers: new Headers(), body: { bytes: new Uint8Array(), isWhole: true } };
});

function dependenciesOf(deployment: 'sandbox' | 'local'): AttemptDependencies {
  return {
    clock: realClock({ now: () => NOW }),
    monotonicMs: () => elapsedMs,
    endpointSecrets,
    resolver: {
      resolve: (host, timeoutMs) => {
        asked.push([host, timeoutMs]);
        elapsedMs += takesMs.resolver;
        return Promise.resolve(addresses);
      },
    },
    webhookTransport: {
      post: (request) => {
        sent.push(request);
        elapsedMs += takesMs.receiver;
        return Promise.resolve(answer);
      },
    },
    config: {
      deployment,
      baseUrl: 'https://api.mirsal.example',
      webhookTerms: deliveryTerms('production', { jitter: 0, timeoutMs: 15_000 }),
    },
  };
}

const target = (changes: Partial<AttemptTarget> = {}): AttemptTarget => ({
  ...{ id, url: 'https://hooks.shop.example/in?a=1', secret, previousSecret: null, previousSecretExpiresAt: null },
  ...changes,
});
interface Circumstances {
  readonly isDown?: boolean;
  readonly deployment?: 'sandbox' | 'local';
}
const attempt = (
  changes: Partial<AttemptTarget> = {},
  { isDown = false, deployment = 'sandbox' }: Circumstances = {},
) => attemptOnce(dependenciesOf(deployment), target(changes), { eventId, body: BODY, isDown });

/** Which of the two secrets signed the last request. */
function signers(): string[] {
  const [request] = sent.slice(-1);
  if (request === undefined) return [];
  const signs = (one: string) => {
    try {
      return Boolean(new Webhook(one).verify(request.body, request.headers));
    } catch {
      return false;
    }
  };
  return Object.entries({ CURRENT, PREVIOUS }).flatMap(([name, one]) => (signs(one) ? [name] : []));
}

describe('an attempt', () => {
  it('sends the event unchanged, signed, with its id and type in headers', async () => {
    const { headers, startedAt } = await attempt();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ body: BODY, addresses: [PUBLIC], headers });
    expect(sent[0]?.url.href).toBe('https://hooks.shop.example/in?a=1');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Mirsal-Webhooks/1',
      'mirsal-webhook-endpoint': target().id,
      'webhook-id': eventId,
    });
    expect(startedAt).toBe(NOW);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(signers()).toEqual(['CURRENT']);
  });

  it.each([
    ['before the overlap ends', addMicros(NOW, 1), ['CURRENT', 'PREVIOUS'], 2],
    ['when the overlap ends', NOW, ['CURRENT'], 1],
    ['after the overlap', addMicros(NOW, -1), ['CURRENT'], 1],
    ['without an expiry', null, ['CURRENT'], 1],
  ])('is also signed with the previous secret or not, %s', async (_case, until: Instant | null, names, count) => {
    const { headers } = await attempt({ previousSecret, previousSecretExpiresAt: until });
    expect(signers()).toEqual(names);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(count);
  });

  it('is not signed with a missing previous secret, whatever its expiry', async () => {
    await attempt({ previousSecretExpiresAt: addMillis(NOW, 1000) });
    expect(signers()).toEqual(['CURRENT']);
  });

  it('reports its duration and its outcome', async () => {
    takesMs = { resolver: 20, receiver: 300.4 };
    expect(await attempt()).toMatchObject({ responseStatus: 200, error: null, durationMs: 320 });
    answer = { ok: false, error: 'TLS' };
    expect(await attempt()).toMatchObject({ error: 'TLS' });
  });

  it('gives the receiver the time that the resolver left', async () => {
    await attempt();
    expect(asked).toEqual([['hooks.shop.example', 15_000]]);
    expect(sent.at(-1)?.timeoutMs).toBe(15_000);
    takesMs = { resolver: 4000.5, receiver: 0 };
    await attempt();
    expect(sent.at(-1)?.timeoutMs).toBe(10_999);
    takesMs = { resolver: 15_000, receiver: 0 };
    await attempt();
    expect(sent.at(-1)?.timeoutMs).toBe(1);
  });

  it('is not sent if the name has no address, or any address that is not public', async () => {
    addresses = [];
    expect(await attempt()).toMatchObject({ error: 'DNS' });
    for (const others of [['10.0.0.1'], [PUBLIC, '127.0.0.1'], ['::1', PUBLIC]]) {
      addresses = others;
      expect(await attempt()).toMatchObject({ error: 'BLOCKED_ADDRESS' });
    }
    expect(sent).toEqual([]);
  });

  it('is not sent to a URL that is no longer allowed, and its name is not resolved', async () => {
    const before = { url: 'http://127.0.0.1:9/' };
    expect(await attempt(before)).toMatchObject({ error: 'BLOCKED_ADDRESS' });
    expect([sent, asked]).toEqual([[], []]);
  });

  it('may go to a loopback URL in a local deployment, without resolving a name', async () => {
    expect(await attempt({ url: 'http://127.0.0.1:9/in' }, { deployment: 'local' })).toMatchObject({
      responseStatus: 200,
      error: null,
    });
    expect(asked).toEqual([]);
    expect(sent[0]).toMatchObject({ addresses: [] });
  });

  it('is not sent while a sandbox fault makes the receiver fail', async () => {
    expect(await attempt({}, { isDown: true })).toMatchObject({ error: 'CONNECT' });
    expect([sent, asked]).toEqual([[], []]);
  });
});
