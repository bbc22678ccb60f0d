import { afterAll, beforeAll, describe } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startWithoutDrivers } from '../../scripts/shared/environment.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { WEBHOOK_TERMS } from './webhooks.ts';

/** The environment of a suite. It throws before the environment has started. */
export type Started = () => OwnEnvironment;

/** Runs parts of the suite, in this order, against one service on one runtime. */
export function describeService(runtime: Runtime, parts: readonly ((started: Started) => void)[]): void {
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

    for (const describePart of parts) describePart(started);
  });
}
