import { afterAll, expect, it } from 'vitest';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { answering } from '../../scripts/shared/receiver.ts';
import { firstAttemptOf, receivers, subscribe } from '../support/subscription.ts';

/* Receivers that redirect or break off, over the runtime's own network. */

const { start, close } = receivers();
afterAll(close);
const CREATED = { eventTypes: ['shipment.created'] };

it.each(['worker', 'deno'] as const)('%s: follows no redirects, and reports a broken connection', async (runtime) => {
  const environment = await startEnvironment(runtime);
  try {
    const elsewhere = await start();
    const redirected = await subscribe(environment, await start(answering(307, { location: elsewhere.url })), CREATED);
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
  }
});
