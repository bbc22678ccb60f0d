import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnEnvironment, startEnvironment } from './environment.ts';
import { writeVariables } from './local-files.ts';
import { startLocalService, waitUntilHealthy } from './local-service.ts';
import { freePort } from './ports.ts';
import { type Runtime, type Service, startDeno } from './service.ts';

/** The service at its own public address. A browser's cookies and origins work there only. */
export async function startSite(
  runtime: Runtime,
  variables: Readonly<Record<string, string>> = {},
): Promise<OwnEnvironment> {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  return startEnvironment(runtime, { ...variables, BASE_URL: baseUrl, PORT: String(port) }, async (all) => {
    const service = runtime === 'deno' ? await startDeno(all) : await startWorker(port, all);
    return { ...service, address: baseUrl };
  });
}

/** `wrangler dev`, as developers run it. */
async function startWorker(port: number, variables: Readonly<Record<string, string>>): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-site-'));
  const variablesFile = join(folder, 'variables');
  writeVariables(variablesFile, variables);
  const lines: string[] = [];
  const child = await startLocalService({
    ...{ runtime: 'worker', port, dataFolder: folder, variables, variablesFile },
    onLine: (line) => lines.push(line),
  });
  const address = `http://localhost:${port}`;
  await waitUntilHealthy(address, child);
  return {
    address,
    logs: () => lines,
    async sweep() {
      const response = await fetch(`${address}/cdn-cgi/local/scheduled`);
      await response.body?.cancel();
    },
    async stop() {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
