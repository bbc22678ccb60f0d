import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { makeMortal } from '../../scripts/shared/mortal-service.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { startProvider } from '../support/provider-server.ts';

/**
 * The service as it is deployed, without a proxy: the process on Deno, or the bundle under workerd, which can reach only
 * 127.0.0.1. Its documents go to a bucket that accepts everything.
 */
export async function startTarget(runtime: Runtime): Promise<OwnEnvironment> {
  const bucket = await startProvider();
  const mortal = await makeMortal(runtime);
  const documents = { url: bucket.url, region: 'local', accessKeyId: 'none', secretAccessKey: 'none' };
  const environment = await startEnvironment(runtime, { DOCUMENTS: JSON.stringify(documents) }, mortal.start);
  return Object.create(environment, {
    stop: {
      value: async () => {
        await environment.stop();
        mortal.forget();
        await bucket.stop();
      },
    },
  }) as OwnEnvironment;
}
