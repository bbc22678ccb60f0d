import { afterAll, beforeAll, describe } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startWithoutDrivers } from '../../scripts/shared/environment.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { describeLife } from './life.ts';
import { describeLogs } from './logs.ts';
import { describeMedia } from './media.ts';
import { describeOutages } from './outages.ts';
import { describePlanted } from './planted.ts';
import { describeReading } from './reading.ts';
import { describeRestarts } from './restarts.ts';
import { describeStorms } from './storms.ts';
import { describeTracking } from './tracking.ts';
import { describeWebhooks, WEBHOOK_TERMS } from './webhooks.ts';

/** The environment of a suite, once it has started. */
export type Started = () => OwnEnvironment;

/** What the service promises on every runtime: the same requests, the same answers, the same rows. */
export function describeService(runtime: Runtime): void {
  describe(`the service on ${runtime}`, () => {
    let environment: OwnEnvironment | undefined;
    const started: Started = () => {
      if (environment === undefined) throw new Error('The environment did not start');
      return environment;
    };
    beforeAll(async () => {
      environment = await startWithoutDrivers(runtime, { WEBHOOK_TERMS: JSON.stringify(WEBHOOK_TERMS) });
    });
    afterAll(async () => {
      await environment?.stop();
    });

    describeReading(started);
    describeLife(started);
    describeTracking(started);
    describeStorms(started);
    describeLogs(started);
    describeWebhooks(started);
    describeMedia(started);
    describePlanted(started);
    describeOutages(started);
    describeRestarts(started);
  });
}
