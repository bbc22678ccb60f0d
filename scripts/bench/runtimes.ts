import { join } from 'node:path';
import { bundleService } from '../shared/bundle.ts';
import { startLocalService, waitUntilHealthy } from '../shared/local-service.ts';
import { LOOPBACK } from '../shared/ports.ts';
import { groupMembers } from '../shared/processes.ts';
import { type RunningWorker, readWorkerConfig, startWorker } from '../shared/workerd.ts';
import type { Launch } from './service.ts';

export const RUNTIMES = ['worker', 'deno'] as const;
export type BenchRuntime = (typeof RUNTIMES)[number];

/** How the service is started on a runtime: the deployed bundle under workerd, or the sources under Deno. */
export async function launcherOf(
  runtime: BenchRuntime,
  folder: string,
): Promise<(launch: Launch) => Promise<RunningWorker>> {
  if (runtime === 'deno') return (launch) => startDeno(folder, launch);
  const { path: bundle } = await bundleService(folder);
  const settings = { name: 'mirsal', folder, bundle, v8Flags: [], ...readWorkerConfig() };
  return (launch) => startWorker({ ...settings, ...launch });
}

async function startDeno(folder: string, { port, variables }: Launch): Promise<RunningWorker> {
  const child = await startLocalService({
    runtime: 'deno',
    port,
    dataFolder: folder,
    variables,
    variablesFile: join(folder, 'unused'),
    onLine: () => undefined,
  });
  await waitUntilHealthy(`http://${LOOPBACK}:${port}`, child);
  return {
    name: 'mirsal',
    port,
    pid: child.pid,
    // The package's launcher stays beside the program itself.
    pids: groupMembers(child.pid).map(({ pid }) => pid),
    stop: () => child.stop(),
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    signal: (name) => child.kill(name),
  };
}
