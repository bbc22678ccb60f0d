import { resolve } from 'node:path';
import { execa } from 'execa';
import { type ChildGroup, startChild } from './child-group.ts';
import { freePort, LOOPBACK } from './ports.ts';
import { until } from './until.ts';

export type Runtime = 'worker' | 'deno';

/** The service on one of its runtimes. */
export interface Service {
  /** Where it listens. Its public address is the variable `BASE_URL`. */
  readonly address: string;
  /** All lines of its log. */
  logs(): readonly string[];
  /** Runs the cron of each minute, if the process does not do so itself. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

/** A service that can be killed or paused. */
export interface MortalService extends Service {
  kill(): Promise<void>;
  /** SIGSTOP pauses it, with its port and connections kept, and SIGCONT continues. SIGTERM asks it to stop. */
  signal(name: NodeJS.Signals): void;
}

/** Starts the service and resolves when it answers `GET /health`. */
export async function startService(runtime: Runtime, variables: Readonly<Record<string, string>>): Promise<Service> {
  return runtime === 'worker' ? healthy(await startWorker(variables)) : startDeno(variables);
}

async function healthy<Started extends Service>(service: Started): Promise<Started> {
  await until(`GET ${service.address}/health is 200`, async () => {
    const response = await fetch(`${service.address}/health`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200 ? true : undefined;
  });
  return service;
}

const ROOT = resolve(import.meta.dirname, '..', '..');

interface OtherWorker {
  readonly config: { readonly name: string; readonly main: string; readonly compatibility_date: string };
}

/** The service on workerd with a dataset that keeps its metrics. */
export async function startMeasuredWorker(
  variables: Readonly<Record<string, string>>,
): Promise<Service & { readonly points: () => Promise<unknown> }> {
  const dataset = {
    name: 'dataset',
    main: resolve(ROOT, 'scripts/shared/metrics-dataset-worker.ts'),
    compatibility_date: '2026-11-17',
  };
  const { harness, ...service } = await openWorker(variables, {
    bindingOverrides: { METRICS: dataset.name },
    others: [{ config: dataset }],
  });
  const points = async () => (await harness.getWorker(dataset.name).fetch('http://dataset/')).json();
  return Object.assign(await healthy(service), { points });
}

async function startWorker(variables: Readonly<Record<string, string>>): Promise<Service> {
  const { harness: _harness, ...service } = await openWorker(variables);
  return service;
}

async function openWorker(
  variables: Readonly<Record<string, string>>,
  { bindingOverrides, others }: { bindingOverrides: Record<string, string>; others: readonly OtherWorker[] } = {
    bindingOverrides: {},
    others: [],
  },
) {
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  const { createTestHarness } = await import('wrangler');
  const { TOKEN_SIGNING_KEYS, CREDENTIAL_KEYS, CURSOR_KEYS, WEBHOOK_KEYS, ...vars } = variables;
  const secrets = definedOf({ TOKEN_SIGNING_KEYS, CREDENTIAL_KEYS, CURSOR_KEYS, WEBHOOK_KEYS });
  const workers = [{ configPath: 'wrangler.toml', vars, secrets, bindingOverrides }, ...others];
  const harness = createTestHarness({ root: ROOT, workers });
  const { url } = await harness.listen();
  return {
    harness,
    address: url.origin,
    logs: () => harness.getLogs().map(({ message }) => message),
    sweep: async () => {
      await harness.getWorker().scheduled({ cron: '* * * * *' });
    },
    stop: () => harness.close(),
  };
}

const PERMISSIONS = ['--allow-net', '--allow-env', '--allow-read', '--allow-write', '--no-prompt'];

export async function startDeno(variables: Readonly<Record<string, string>>): Promise<MortalService> {
  await buildPages();
  const port = Number(variables['PORT'] ?? (await freePort()));
  const lines: string[] = [];
  const child: ChildGroup = startChild({
    command: resolve(ROOT, 'node_modules', '.bin', 'deno'),
    args: ['run', ...PERMISSIONS, '--no-lock', 'src/deno.ts'],
    cwd: ROOT,
    env: { ...process.env, ...variables, PORT: String(port), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    onLine: (line) => lines.push(line),
  });
  return healthy({
    address: `http://${LOOPBACK}:${port}`,
    logs: () => lines,
    // The process sweeps on its own, first at its start.
    sweep: () => Promise.resolve(),
    stop: () => child.stop(),
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    signal: child.kill,
  });
}

/** The sources do not change while this process runs, so their pages are built once. */
let pages: Promise<unknown> | undefined;

/** Builds the pages that the service serves. On workerd, wrangler runs the same program, named in wrangler.toml. */
export async function buildPages(): Promise<void> {
  pages ??= execa(process.execPath, [resolve(ROOT, 'scripts', 'build', 'pages.ts')], { cwd: ROOT });
  await pages;
}

function definedOf(entries: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
