import { afterAll, describe, expect, it } from 'vitest';
import { answering, type Respond, verified } from '../../scripts/shared/receiver.ts';
import { firstAttemptOf, receivers, subscribe } from '../support/subscription.ts';
import type { Started } from './service.ts';

/** A short timeout, so that a receiver that hangs fails within a test. */
export const WEBHOOK_TERMS = { timeoutMs: 1500 };

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
