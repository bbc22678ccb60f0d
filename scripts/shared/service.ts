import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import type { V4WorkerOptions } from 'miniflare';
import { hasSharedBundle, serviceBundle } from './bundle.ts';
import { type ChildGroup, startChild } from './child-group.ts';
import { freePort, LOOPBACK } from './ports.ts';
import { SetupError } from './setup-error.ts';
import { until } from './until.ts';
import { modulesOf, readWorkerConfig } from './workerd.ts';

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

/** The service once it answers `GET /health`. */
export async function healthy<Started extends Service>(service: Started): Promise<Started> {
  await until(`GET ${service.address}/health is 200`, async () => {
    const response = await fetch(`${service.address}/health`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200 ? true : undefined;
  });
  return service;
}

const ROOT = resolve(import.meta.dirname, '..', '..');
const NAME = 'mirsal';
/** The name of a Worker that stands for the dataset of metrics. */
export const DATASET = 'dataset';

async function startWorker(variables: Readonly<Record<string, string>>, options?: WorkerOptions): Promise<Service> {
  const { miniflare: _miniflare, ...service } = await openWorker(variables, options);
  return service;
}

/** Starts the Worker with Cloudflare's limit of connections: see limited-worker.ts. */
export async function startLimitedWorker(variables: Readonly<Record<string, string>>): Promise<Service> {
  return healthy(await startWorker(variables, { isLimited: true }));
}

/** A socket of the Worker itself. Miniflare's own entry would parse and forward each request. */
export const DIRECT = { host: LOOPBACK };

interface WorkerOptions {
  readonly datasets?: readonly V4WorkerOptions[];
  readonly isLimited?: boolean;
  /** Bindings of empty R2 buckets, besides those of wrangler.toml. */
  readonly buckets?: readonly string[];
}

/**
 * The deployed bundle under Miniflare, which provides the bindings of wrangler.toml. Its connections are workerd's own:
 * the test harness of wrangler would send every request and every query through a program of Node, which took 80 of 290 seconds
 * of processor time, followed redirects and answered 500 for broken connections. The `unsafe` options are no stable interface,
 * so Miniflare's version is pinned beside wrangler's, and both are updated together.
 */
export async function openWorker(
  variables: Readonly<Record<string, string>>,
  { datasets = [], isLimited = false, buckets = [] }: WorkerOptions = {},
) {
  const { unstable_getMiniflareWorkerOptions: readOptions } = await import('wrangler');
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  const path = await serviceBundle();
  const { workerOptions } = readOptions(join(ROOT, 'wrangler.toml'));
  const lines: string[] = [];
  const service: V4WorkerOptions = {
    ...workerOptions,
    name: NAME,
    ...(isLimited ? await limitedSourceOf(path) : sourceOf(path)),
    bindings: { ...variables },
    // RATE_LIMITS applies in every deployment. With the bindings, the Worker would refuse other limits than theirs.
    ratelimits: {},
    ...(datasets.length === 0 ? {} : { analyticsEngineDatasets: {}, serviceBindings: { METRICS: DATASET } }),
    ...(buckets.length === 0 ? {} : { r2Buckets: [...buckets] }),
    unsafeDirectSockets: [DIRECT],
    // Otherwise a Worker that removes this header sends all requests.
    stripCfConnectingIp: false,
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [service, ...datasets],
      cf: false,
      logRequests: false,
      handleStructuredLogs: ({ message }) => void lines.push(message),
    }),
  );
  await miniflare.ready;
  const address = await miniflare.unsafeGetDirectURL(NAME);
  return {
    miniflare,
    address: address.origin,
    logs: () => lines,
    sweep: async () => {
      await (await miniflare.getWorker(NAME)).scheduled({ cron: '* * * * *' });
    },
    stop: () => miniflare.dispose(),
  };
}

export function sourceOf(path: string) {
  const modules = modulesOf(path).map((module) => ({ type: 'ESModule' as const, path: module }));
  const compiled = modulesOf(path, '.wasm').map((module) => ({ type: 'CompiledWasm' as const, path: module }));
  return { modulesRoot: dirname(path), modules: [...modules, ...compiled] };
}

/** The same behind limited-worker.ts, whose import of the service becomes the bundle. */
async function limitedSourceOf(path: string) {
  const { modulesRoot, modules } = sourceOf(path);
  const { compatibility } = await readWorkerConfig();
  const { transform } = await import('esbuild');
  const source = readFileSync(join(import.meta.dirname, 'limited-worker.ts'), 'utf8');
  const { code } = await transform(source.replace('../../src/worker.ts', `./${basename(path)}`), { loader: 'ts' });
  const entry = { type: 'ESModule' as const, path: join(modulesRoot, 'limited-worker.js'), contents: code };
  return { modulesRoot, modules: [entry, ...modules], compatibilityFlags: [...compatibility.flags, 'nodejs_als'] };
}

const PERMISSIONS = ['--allow-net', '--allow-env', '--allow-read', '--allow-write', '--no-prompt'];

/**
 * The program itself. The npm package's `deno`, and npx before it, are programs of Node that start it and wait: they end at SIGTERM
 * without passing it on, and the service would go on (npm/cli#6684).
 */
export function denoProgram(): string {
  const [program] = globSync('node_modules/@deno/*/deno', { cwd: ROOT });
  if (program === undefined) throw new SetupError('Deno is not installed; run npm ci.');
  return join(ROOT, program);
}

interface DenoService extends MortalService {
  /** How the process ended. */
  readonly exited: Promise<string>;
}

export async function startDeno(variables: Readonly<Record<string, string>>): Promise<DenoService> {
  await buildPages();
  const port = Number(variables['PORT'] ?? (await freePort()));
  const lines: string[] = [];
  const child: ChildGroup = startChild({
    command: denoProgram(),
    args: ['run', ...PERMISSIONS, '--no-lock', 'src/deno.ts'],
    cwd: ROOT,
    env: { ...process.env, ...variables, PORT: String(port), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    onLine: (line) => lines.push(line),
  });
  const ended = child.exited.then(() => {
    throw new Error(`The service ended at its start: ${lines.join('\n')}`);
  });
  const started = healthy({
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
    exited: child.exited,
  });
  ended.catch(() => undefined);
  return Promise.race([started, ended]);
}

/** The sources do not change while this process runs, so their pages are built once. */
let pages: Promise<unknown> | undefined;

/** Builds the pages that the service serves. For a bundle, wrangler runs the same program, named in wrangler.toml. */
export async function buildPages(): Promise<void> {
  if (hasSharedBundle()) return;
  pages ??= execa(process.execPath, [resolve(ROOT, 'scripts', 'build', 'pages.ts')], { cwd: ROOT });
  await pages;
}
