import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { localArchive } from '../../scripts/shared/routing/local-archive.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { startStreets } from '../support/street-archive.ts';
import { startWithoutDrivers } from '../support/without-drivers.ts';
import { WEBHOOK_TERMS } from './webhooks.ts';

/** The environment of a suite. It throws before the environment has started. */
export type Started = () => OwnEnvironment;

/** Runs parts of the suite, in this order, against one service on one runtime. */
export function describeService(runtime: Runtime, parts: readonly ((started: Started) => void)[]): void {
  describe(`the service on ${runtime}`, () => {
    let environment: OwnEnvironment | undefined;
    let streets: Awaited<ReturnType<typeof startStreets>> | undefined;
    const started: Started = () => {
      if (environment === undefined) throw new Error('The environment did not start');
      return environment;
    };
    beforeAll(async () => {
      streets = await startStreets();
      environment = await startWithoutDrivers(runtime, {
        WEBHOOK_TERMS: JSON.stringify(WEBHOOK_TERMS),
        // On Deno the archive is a file.
        ...(runtime === 'deno' ? { STREETS_URL: pathToFileURL(await localArchive()).href } : streets.variables),
      });
    });
    afterAll(async () => {
      await environment?.stop();
      await streets?.stop();
    });

    for (const describePart of parts) describePart(started);
  });
}
