import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMirsalClient, type MirsalClient } from '../../../src/client.ts';
import type { ChildGroup } from '../../shared/child-group.ts';
import { credentialKeyOf, readOrMakeSecrets, writeVariables } from '../../shared/local-files.ts';
import { runCron, startLocalService, waitUntilHealthy } from '../../shared/local-service.ts';
import { migrate } from '../../shared/migrate.ts';
import { freePort, LOOPBACK } from '../../shared/ports.ts';
import { seed } from '../../shared/seed.ts';
import type { Runtime } from '../../shared/service.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { type Sqld, startSqld } from '../../shared/sqld.ts';

/** A service that can be killed at any moment and started again on what it has left. */
export interface ChaosService {
  readonly client: MirsalClient;
  /** Ends it as a power cut would, and starts it again. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startChaosService(
  runtime: Runtime,
  variables: Readonly<Record<string, string>>,
): Promise<ChaosService> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-chaos-'));
  const startDatabase = async (id: string): Promise<Sqld> =>
    startSqld({ folder: join(folder, id), port: await freePort(), adminPort: await freePort() });
  const directory = await startDatabase('directory');
  const shard = await startDatabase('shard-1');
  await migrate({ kind: 'directory', url: directory.url });
  await migrate({ kind: 'shard', url: shard.url });
  const variablesFile = join(folder, '.dev.vars');
  const secrets = await readOrMakeSecrets(variablesFile);
  const shards = [{ id: 'shard-1', url: shard.url, adminUrl: shard.adminUrl }];
  const credentialKey = credentialKeyOf(secrets);
  const { companies } = await seed({ directoryUrl: directory.url, shards, deployment: 'local', credentialKey });
  const [company] = companies;
  if (company === undefined) throw new SetupError('There is no sample company.');
  const port = await freePort();
  const baseUrl = `http://${LOOPBACK}:${port}`;
  const uses = 1_000_000;
  const all = {
    DEPLOYMENT: 'local',
    BASE_URL: baseUrl,
    LIBSQL_DIRECTORY: JSON.stringify({ url: directory.url, adminUrl: directory.adminUrl }),
    LIBSQL_SHARDS: JSON.stringify(shards),
    LIBSQL_DURABILITY: 'strong',
    RATE_LIMITS: JSON.stringify({ reads: uses, writes: uses, estimates: uses, tokens: uses, codes: uses }),
    ...secrets,
    ...variables,
  };
  writeVariables(variablesFile, all);
  const start = async (): Promise<ChildGroup> => {
    const options = { runtime, port, dataFolder: folder, variables: all, variablesFile, onLine: () => undefined };
    const service = await startLocalService(options);
    await waitUntilHealthy(baseUrl, service);
    return service;
  };
  let service = await start();
  const stopCron = runtime === 'worker' ? runCron(baseUrl) : () => undefined;
  const { clientId, clientSecret } = company;
  return {
    client: createMirsalClient({ baseUrl, clientId, clientSecret, retries: 10 }),
    async killAndRestart() {
      service.kill('SIGKILL');
      await service.exited;
      service = await start();
    },
    async stop() {
      stopCron();
      await service.stop();
      await Promise.all([directory.stop(), shard.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
