import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answering, type Respond, verified } from '../../scripts/shared/receiver.ts';
import { ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { verifyWebhook } from '../../src/client.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { receivers, subscribe } from '../support/subscription.ts';

const environment = sharedEnvironment();
const { start, close } = receivers();
afterAll(close);

const result = z.looseObject({
  responseStatus: z.nullable(z.int()),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  checks: z.optional(z.array(z.strictObject({ name: z.string(), accepted: z.boolean() }))),
});

async function tryReceiver(respond: (secret: string) => Respond, body: object = { checks: true }) {
  const one = await subscribe(environment, await start());
  one.receiver.respond = respond(one.endpoint.signingSecret);
  const path = `${ENDPOINTS}/${one.endpoint.endpointId}/test-events`;
  const response = await one.merchant.post(path, { eventType: 'shipment.delivered', ...body });
  expect(response.status).toBe(200);
  const { checks, ...sent } = result.parse(await response.json());
  return { ...one, sent, accepted: checks && Object.fromEntries(checks.map(({ name, accepted }) => [name, accepted])) };
}

const RIGHT = { WRONG_SIGNATURE: false, OLD_TIMESTAMP: false, EMPTY_KEY: false, DUPLICATE: true };

/** Answers 200 where a verification does not throw. */
const verifying =
  (verify: (headers: Readonly<Record<string, string>>, body: string) => unknown): Respond =>
  async (received, response, index) => {
    try {
      await verify(received.headers, received.text);
      answering(200)(received, response, index);
    } catch {
      answering(400)(received, response, index);
    }
  };

describe('a test event with checks', () => {
  it('is refused and accepted as it should be by a receiver that verifies with our client', async () => {
    const one = await tryReceiver((secret) => verifying((headers, body) => verifyWebhook(secret, { headers, body })));
    expect(one.sent.responseStatus).toBe(200);
    expect(one.accepted).toEqual(RIGHT);
    expect(one.receiver.received).toHaveLength(5);
    // Forged requests have events of their own; the repeated one has the same id and text, and is signed anew.
    const ids = one.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(4);
    const repeats = one.receiver.received.filter(({ text }) => text === one.sent.body);
    expect(repeats).toHaveLength(2);
    for (const repeat of repeats) verified(one.endpoint.signingSecret, repeat);
    for (const { text } of one.receiver.received) expect(JSON.parse(text)).toMatchObject({ test: true });
  });

  it('shows a receiver that verifies nothing', async () => {
    const { accepted } = await tryReceiver(() => answering(204));
    expect(accepted).toEqual({ WRONG_SIGNATURE: true, OLD_TIMESTAMP: true, EMPTY_KEY: true, DUPLICATE: true });
  });

  it('shows a receiver whose secret is missing', async () => {
    const { accepted } = await tryReceiver(() =>
      verifying((headers, body) => {
        const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
        const expected = createHmac('sha256', Buffer.alloc(0)).update(content).digest('base64');
        if (headers['webhook-signature'] !== `v1,${expected}`) throw new Error('forged');
      }),
    );
    expect(accepted).toEqual({ ...RIGHT, EMPTY_KEY: true, DUPLICATE: false });
  });

  it('shows a receiver that takes any age, and one that refuses a repeat', async () => {
    const takesAnyAge = await tryReceiver((secret) =>
      verifying((headers, body) => verifyWebhook(secret, { headers, body }, { toleranceSeconds: 1e9 })),
    );
    expect(takesAnyAge.accepted).toEqual({ ...RIGHT, OLD_TIMESTAMP: true });
    const seen = new Set<string>();
    const refusesRepeats = await tryReceiver((secret) =>
      verifying(async (headers, body) => {
        await verifyWebhook(secret, { headers, body });
        const id = headers['webhook-id'] ?? '';
        if (seen.has(id)) throw new Error('repeated');
        seen.add(id);
      }),
    );
    expect(refusesRepeats.accepted).toEqual({ ...RIGHT, DUPLICATE: false });
  });

  it('sends nothing more once the endpoint was changed', async () => {
    const one = await subscribe(environment, await start());
    const path = `${ENDPOINTS}/${one.endpoint.endpointId}`;
    one.receiver.respond = (received, response, index) => {
      const rotated = one.merchant.post(`${path}/secret-rotations`, { overlapSeconds: 0 });
      void rotated.then(() => answering(200)(received, response, index));
    };
    const response = await one.merchant.post(`${path}/test-events`, { eventType: 'webhook.test', checks: true });
    const { responseStatus, checks } = result.parse(await response.json());
    expect([responseStatus, checks]).toEqual([200, undefined]);
    expect(one.receiver.received).toHaveLength(1);
  });

  it.each([{}, { checks: false }])('sends one request with %j', async (body) => {
    const { accepted, receiver } = await tryReceiver(() => answering(200), body);
    expect(accepted).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  it('is sent to a paused endpoint, too', async () => {
    const one = await subscribe(environment, await start(answering(429, { 'retry-after': '60' })));
    await one.create();
    await one.receiver.waitFor(1);
    one.receiver.respond = answering(200);
    const path = `${ENDPOINTS}/${one.endpoint.endpointId}/test-events`;
    expect((await one.merchant.post(path, { eventType: 'webhook.test', checks: true })).status).toBe(200);
    expect(one.receiver.received.filter(({ text }) => text.includes('"webhook.test"'))).toHaveLength(5);
  });

  it('refuses another value', async () => {
    const one = await subscribe(environment, await start());
    const path = `${ENDPOINTS}/${one.endpoint.endpointId}/test-events`;
    const response = await one.merchant.post(path, { eventType: 'webhook.test', checks: 'yes' });
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: ['checks TYPE_MISMATCH'] });
  });
});
