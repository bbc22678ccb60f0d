import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { answering, type Respond, verified } from '../../scripts/shared/receiver.ts';
import { until } from '../../scripts/shared/until.ts';
import { DELIVERIES } from '../../scripts/shared/webhooks.ts';
import { readExchange } from '../support/deliveries.ts';
import { firstAttemptOf, receivers, type Subscription, subscribe } from '../support/subscription.ts';
import type { Started } from './service.ts';

/** A short timeout, so that a receiver that hangs fails within a test. */
export const WEBHOOK_TERMS = { timeoutMs: 1500 };

const WIDE = Buffer.from('تم الاستلام', 'utf16le');
/** Answers of receivers, and how they read. */
const ENCODED = [
  // "تم" of older Windows programs.
  { type: 'text/plain; charset=windows-1256', bytes: Buffer.from([0xca, 0xe3]), text: 'تم' },
  { type: 'text/html;charset="Windows-1256"', bytes: Buffer.from([0xca, 0xe3]), text: 'تم' },
  { type: 'text/plain; charset=utf-16le', bytes: WIDE, text: 'تم الاستلام' },
  { type: 'text/plain', bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), WIDE]), text: 'تم الاستلام' },
  { type: 'text/plain; charset=utf-16be', bytes: Buffer.from(WIDE).swap16(), text: 'تم الاستلام' },
  { type: 'text/plain; charset=klingon', bytes: Buffer.from('تم'), text: 'تم' },
  { type: 'text/plain', bytes: Buffer.from(`${'a'.repeat(20)}\u0007`), text: `${'a'.repeat(20)}\uFFFD` },
  { type: 'text/plain; charset=windows-1256', bytes: Buffer.from([0xca, 0, 0xe3]), text: '' },
];

/** Webhooks over the runtime's own network. */
export function describeWebhooks(started: Started): void {
  describe('webhooks', () => {
    const { start, close } = receivers();
    afterAll(close);
    const CREATED = { eventTypes: ['shipment.created'] };
    it('arrive signed and in order, soon after the commit', async () => {
      const one = await subscribe(started(), await start());
      const { shipmentId } = await one.create();
      await one.play(shipmentId, 'HAPPY_PATH');
      const received = await one.receiver.waitFor(7);
      const events = received.map((each) => verified(one.endpoint.signingSecret, each));
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(events.every((event) => event.shipmentId === shipmentId)).toBe(true);
    });

    it.each([
      ['TIMEOUT', null, (() => undefined) satisfies Respond],
      ['NON_2XX', 500, answering(500)],
      ['NON_2XX', 429, answering(429, { 'retry-after': '1' })],
    ])('that fail with %s (%s) are sent again', async (error, status, fail) => {
      const one = await subscribe(started(), await start(), CREATED);
      one.receiver.respond = (received, response, index) =>
        (index === 0 ? fail : answering(200))(received, response, index);
      await one.create();
      await one.receiver.waitFor(2, 30_000);
      await one.settled(1);
      expect(await firstAttemptOf(one)).toMatchObject({ responseStatus: status, error });
    });

    it('show what the receiver answered, in its own encoding', async () => {
      const one = await subscribe(started(), await start(), CREATED);
      const shown: unknown[] = [];
      for (const [index, { type, bytes }] of ENCODED.entries()) {
        one.receiver.respond = (_received, response) =>
          void response.writeHead(200, { 'content-type': type }).end(bytes);
        await one.create();
        const deliveryId = (await one.settled(index + 1)).at(-1)?.deliveryId;
        const attempt = await one.merchant.get(`${DELIVERIES}/${deliveryId}/attempts/1`);
        shown.push((await readExchange(attempt)).response?.body);
      }
      expect(shown).toEqual(ENCODED.map(({ text }) => text));
    });

    it.each([
      ['deleted', (one: Subscription) => one.webhooks.delete(one.endpoint.endpointId)],
      ['disabled', (one: Subscription) => one.webhooks.patch(one.endpoint.endpointId, { enabled: false })],
      ['disabled by two requests at once', disableTwice],
    ])('end with the answer once the endpoint is %s, although many are leased', async (_how, change) => {
      const held: ServerResponse[] = [];
      const one = await subscribe(started(), await start(), CREATED);
      // A fast receiver has up to 48 leased ahead. Then it hangs.
      one.receiver.respond = (received, response, index) =>
        index < 12 ? answering(200)(received, response, index) : held.push(response);
      await Promise.all(Array.from({ length: 40 }, () => one.create()));
      await until('the receiver hangs', () => (held.length > 0 ? true : undefined));
      const answered = await change(one);
      const body = answered.status === 204 ? {} : ((await answered.json()) as { inFlight?: number });
      const inFlight = Number(answered.headers.get('mirsal-in-flight') ?? body.inFlight);
      const from = one.receiver.received.length;
      // The answer did not wait for the receiver.
      expect(inFlight).toBeGreaterThan(0);
      expect(inFlight).toBeLessThanOrEqual(16);
      // Those that were in flight time out, and are not repeated.
      await until('the service has hung up', () => held.every(({ destroyed }) => destroyed) || undefined);
      await one.settled(40);
      expect(one.receiver.received.length).toBe(from);
    });

    it('wait for a busy receiver, then come one by one at first', async () => {
      const one = await subscribe(started(), await start(), CREATED);
      const paused = answering(429, { 'retry-after': '3' });
      one.receiver.respond = paused;
      await Promise.all(Array.from({ length: 40 }, () => one.create()));
      const { pausedUntil } = await until('it is paused', async () => {
        const endpoint = await one.webhooks.get(one.endpoint.endpointId);
        return endpoint.pausedUntil === null ? undefined : endpoint;
      });
      const pausedUntilMs = Date.parse(pausedUntil ?? '');
      one.receiver.respond = (received, response, index) => {
        if (received.atMs < pausedUntilMs) paused(received, response, index);
        else setTimeout(() => answering(200)(received, response, index), 100);
      };
      const settled = await one.settled(40);
      expect(new Set(settled.map(({ status, attemptCount }) => `${status} ${attemptCount}`))).toEqual(
        new Set(['SUCCEEDED 1']),
      );
      const accepted = one.receiver.received.filter(({ status }) => status === 200);
      expect(one.receiver.received.length - accepted.length).toBeLessThanOrEqual(16);
      const [first, second] = accepted;
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(100);
      const after = await one.webhooks.get(one.endpoint.endpointId);
      expect(after).toMatchObject({ pausedUntil: null, consecutiveFailures: 0 });
    });

    it('that were being sent when the service ended are sent by the next process', async () => {
      const environment = started();
      const held: Respond = () => undefined;
      const one = await subscribe(environment, await start(held), CREATED);
      await one.create();
      await one.receiver.waitFor(1);
      one.receiver.respond = answering(200);
      await environment.restart({});
      await environment.service.sweep();
      const [first, second] = await one.receiver.waitFor(2, 40_000);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(second?.text).toBe(first?.text);
    });
  });
}

/** Whichever of two requests comes second finds the endpoint disabled, and counts all the same. */
async function disableTwice({ webhooks, endpoint }: Subscription): Promise<Response> {
  const disable = () => webhooks.patch(endpoint.endpointId, { enabled: false });
  const [first, second] = await Promise.all([disable(), disable()]);
  return first.headers.get('etag') === '"1"' ? second : first;
}
