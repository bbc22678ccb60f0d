import { afterAll, expect, it } from 'vitest';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { makeMortal } from '../../scripts/shared/mortal-service.ts';
import { answering } from '../../scripts/shared/receiver.ts';
import { firstAttemptOf, receivers, subscribe } from '../support/subscription.ts';

/*
 * Receivers that redirect and that break off, over the runtime's own network. wrangler's harness puts a proxy of its own
 * in between, which follows redirects and makes a 500 of what breaks, so Workers are tried as they are deployed.
 */

const { start, close } = receivers();
afterAll(close);
const CREATED = { eventTypes: ['shipment.created'] };

it.each(['worker', 'deno'] as const)(
  '%s: no redirect is followed, and a broken connection is noticed',
  async (runtime) => {
    const mortal = await makeMortal(runtime);
    const environment = await startEnvironment(runtime, {}, mortal.start);
    try {
      const elsewhere = await start();
      const redirected = await subscribe(
        environment,
        await start(answering(307, { location: elsewhere.url })),
        CREATED,
      );
      await redirected.create();
      await redirected.receiver.waitFor(2);
      expect(await firstAttemptOf(redirected)).toMatchObject({ responseStatus: 307, error: 'REDIRECT' });
      expect(elsewhere.received).toEqual([]);

      const broken = await start((_received, response) => void response.destroy());
      const cut = await subscribe(environment, broken, CREATED);
      await cut.create();
      await cut.receiver.waitFor(2);
      expect(await firstAttemptOf(cut)).toMatchObject({ responseStatus: null, error: 'CONNECT' });
    } finally {
      await environment.stop();
      mortal.forget();
    }
  },
);
