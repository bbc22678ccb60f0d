import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { type ChildGroup, startChild } from './child-group.ts';
import { LOOPBACK } from './ports.ts';
import { buildPages, type Runtime } from './service.ts';
import { SetupError } from './setup-error.ts';
import { withSourcePlaces } from './source-error.ts';

export interface LocalServiceOptions {
  readonly runtime: Runtime;
  readonly port: number;
  /** The runtime's own state. */
  readonly dataFolder: string;
  /** The variables of the service, and a file with the same variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly variablesFile: string;
  /** Where a debugger attaches. */
  readonly inspectorPort?: number;
  readonly onLine: (line: string) => void;
}

/** Starts the service on its runtime. It accepts requests after `waitUntilHealthy`. */
export async function startLocalService(options: LocalServiceOptions): Promise<ChildGroup> {
  return options.runtime === 'worker' ? startWorker(options) : startDeno(options);
}

/** The first start bundles everything, which takes some seconds on a slow machine. */
const HEALTHY_TIMEOUT_MS = 60_000;
const HEALTHY_POLL_MS = 100;

/** Resolves when GET /health is 200. Rejects with the last output of the service after a timeout. */
export async function waitUntilHealthy(baseUrl: string, service: ChildGroup): Promise<void> {
  const deadline = performance.now() + HEALTHY_TIMEOUT_MS;
  let end: string | undefined;
  void service.exited.then((reason) => {
    end = reason;
  });
  for (;;) {
    const status = await statusOf(`${baseUrl}/health`);
    if (end !== undefined) throw new SetupError(`The service stopped (${end}). Its last output:\n${printed(service)}`);
    if (status === 200) return;
    if (performance.now() > deadline) {
      const state = status === undefined ? 'did not answer' : `answered ${status}`;
      const seconds = HEALTHY_TIMEOUT_MS / 1000;
      throw new SetupError(`GET /health ${state} for ${seconds} s. Its last output:\n${printed(service)}`);
    }
    await delay(HEALTHY_POLL_MS);
  }
}

const readiness = z.object({ shipments: z.object({ possible: z.boolean(), missing: z.array(z.string()) }) });

/** Whether the service could take a shipment, by `/ready`, and what operators still have to set up. */
export async function describeShipments(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
  const { possible, missing } = readiness.parse(await response.json()).shipments;
  return possible ? 'possible' : `not possible, missing: ${missing.join(', ') || 'see /ready'}`;
}

/** Longer than a check of all databases. */
const READY_TIMEOUT_MS = 10_000;

/** As in wrangler.toml. `wrangler dev` does not run crons. */
const CRON_MS = 60_000;

/** Runs the service's cron each minute until the returned function is called. The next run makes up for a failed one. */
export function runCron(baseUrl: string): () => void {
  const timer = setInterval(() => void statusOf(`${baseUrl}/cdn-cgi/local/scheduled`, CRON_MS), CRON_MS);
  return () => clearInterval(timer);
}

const ROOT = resolve(import.meta.dirname, '..', '..');

function startWorker(options: LocalServiceOptions): ChildGroup {
  const { port, dataFolder, variablesFile, inspectorPort = 0 } = options;
  const files = ['--config', join(ROOT, 'wrangler.toml'), '--env-file', variablesFile];
  const state = ['--persist-to', join(dataFolder, 'worker')];
  // Inspector port 0 means any free port, because two services may run at once.
  const listen = ['--ip', LOOPBACK, '--port', String(port), '--inspector-port', String(inspectorPort)];
  return startChild({
    command: requireTool('wrangler'),
    args: ['dev', ...files, ...state, ...listen, '--show-interactive-dev-session=false', '--log-level', 'log'],
    cwd: ROOT,
    env: {
      ...process.env,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
      // Its store of traces keeps whole addresses, and a tracking token is a part of its address. By hand `.env` says the same.
      X_LOCAL_OBSERVABILITY: 'false',
      // Services of the same name find each other in the registry. Two runs of this one must not.
      WRANGLER_REGISTRY_PATH: join(dataFolder, 'registry'),
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // The service gets only the variables of its file.
      CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'true',
      CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
      NO_COLOR: '1',
    },
    onLine: withoutTables(options.onLine),
  });
}

/** wrangler's own lines for requests, of which the service logs more itself, for the steps of a reload, and for an end that is explained. */
const NOISE = new RegExp(
  [
    String.raw`^\[wrangler:info\] [A-Z]+ /\S* \d{3} `,
    String.raw`^\s*[┌├│└]|^Attaching additional modules|^⎔ |^\s*$`,
    String.raw`^✘ \[ERROR\] (?:service core:user|The Workers runtime)|^▲ \[WARNING\] A DurableObject|^\s*Runtime stderr`,
    String.raw`^\s*\{"timestamp"|^\s*at null\.<anonymous> \(file:///bundle|^If you think this is a bug`,
  ].join('|'),
);

/** Shows a reload as one line. If the build fails, it shows the errors instead. */
function withoutTables(onLine: (line: string) => void): (line: string) => void {
  let changed = '';
  let isBuilt = true;
  return (printed) => {
    const line = stripVTControlCharacters(printed);
    const [, file] = /^The file (.+) changed, restarting build/.exec(line) ?? [];
    const [, said] = /^\[custom build\] ?(.*)$/.exec(line) ?? [];
    if (file !== undefined) changed = file;
    else if (said?.startsWith('Running: ')) isBuilt = true;
    else if (said !== undefined) {
      // The build prints nothing but errors.
      if (said !== '') onLine(said);
      isBuilt = false;
    } else if (line.startsWith('⎔ Local server updated') && isBuilt) onLine(`reloaded: ${changed} changed`);
    else if (!NOISE.test(line)) onLine(withSourcePlaces(line));
  };
}

async function startDeno(options: LocalServiceOptions): Promise<ChildGroup> {
  const { port, dataFolder, variables, inspectorPort, onLine } = options;
  const documents = resolve(dataFolder, 'documents');
  await buildPages();
  // A missing permission is an error at once, and not a question on a hidden terminal.
  const permissions = ['--allow-net', '--allow-env', '--allow-read', `--allow-write=${documents}`, '--no-prompt'];
  const inspect = inspectorPort === undefined ? [] : [`--inspect=${LOOPBACK}:${inspectorPort}`];
  return startChild({
    command: requireTool('deno'),
    args: ['run', ...permissions, ...inspect, '--no-lock', join(ROOT, 'src', 'deno.ts')],
    cwd: ROOT,
    env: {
      ...process.env,
      ...variables,
      DOCUMENTS: JSON.stringify({ folder: documents }),
      HOST: LOOPBACK,
      PORT: String(port),
      DENO_NO_UPDATE_CHECK: '1',
      NO_COLOR: '1',
    },
    onLine,
  });
}

function requireTool(name: string): string {
  const path = join(ROOT, 'node_modules', '.bin', name);
  if (existsSync(path)) return path;
  throw new SetupError(`${name} is not installed; run npm ci.`);
}

function printed(service: ChildGroup): string {
  const lines = service.lastLines().filter((line) => line.trim() !== '');
  return lines.length === 0 ? '  (nothing)' : lines.map((line) => `  ${line}`).join('\n');
}

const STATUS_TIMEOUT_MS = 2000;

async function statusOf(url: string, timeoutMs = STATUS_TIMEOUT_MS): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
