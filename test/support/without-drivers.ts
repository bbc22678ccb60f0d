import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import type { Runtime } from '../../scripts/shared/service.ts';

/** An environment in which only drivers of sandboxes are on duty, so shipments keep waiting. */
export async function startWithoutDrivers(
  runtime: Runtime,
  variables?: Readonly<Record<string, string>>,
): Promise<OwnEnvironment> {
  const environment = await startEnvironment(runtime, variables);
  try {
    for (const shard of ['shard-1', 'shard-2'] as const) {
      await environment.sql(shard, 'update drivers set on_duty = 0 where company_id is null');
    }
    return environment;
  } catch (error) {
    await environment.stop();
    throw error;
  }
}
