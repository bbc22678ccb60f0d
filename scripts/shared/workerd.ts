import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { type ChildGroup, startChild } from './child-group.ts';
import { LOOPBACK } from './ports.ts';
import { SetupError } from './setup-error.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

export interface Compatibility {
  readonly date: string;
  readonly flags: readonly string[];
}
export interface DurableObject {
  readonly binding: string;
  readonly className: string;
}

/** The runtime's settings in wrangler.toml. */
export async function readWorkerConfig(): Promise<{ compatibility: Compatibility; durableObjects: DurableObject[] }> {
  // Loading wrangler takes a second, and most programs that import this file start no Worker.
  const { unstable_readConfig: readConfig } = await import('wrangler');
  const config = workerConfig.parse(readConfig({ config: join(ROOT, 'wrangler.toml') }));
  return {
    compatibility: { date: config.compatibility_date, flags: config.compatibility_flags },
    durableObjects: config.durable_objects.bindings.map(({ name, class_name }) => ({
      binding: name,
      className: class_name,
    })),
  };
}

const workerConfig = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
});

export interface WorkerOptions {
  /** The file for its log. Without it the log is dropped, because reading it would use part of a core. */
  readonly logFile?: string;
  readonly name: string;
  /** For its configuration and its Durable Objects. */
  readonly folder: string;
  /** The entry of the bundle. All modules in its folder are part of it. */
  readonly bundle: string;
  readonly compatibility: Compatibility;
  readonly v8Flags: readonly string[];
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly durableObjects?: readonly DurableObject[];
  /** The folder with the built files of the pages. Without it the Worker has none. */
  readonly assets?: string;
}
export interface RunningWorker {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** All of its processes. A launcher that keeps running is one of them. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
  /** Sends SIGKILL and resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGSTOP pauses it, with its port and connections kept. SIGCONT continues. */
  signal(name: NodeJS.Signals): void;
}

/** Starts a bundle under `workerd serve`, and resolves when it answers. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { name, folder, port, logFile } = options;
  mkdirSync(join(folder, `${name}.objects`), { recursive: true });
  const config = join(folder, `${name}.capnp`);
  writeFileSync(config, configOf(options), { mode: 0o600 });
  const paths = [requireWorkerd(), config, ...(logFile === undefined ? [] : [logFile])];
  const child = startChild({
    command: '/bin/sh',
    args: ['-c', `exec "$0" serve "$1" ${logFile === undefined ? '> /dev/null' : '>> "$2" 2>&1'}`, ...paths],
    cwd: folder,
    env: process.env,
  });
  await waitUntilHealthy(name, port, child);
  const kill = async () => {
    child.kill('SIGKILL');
    await child.exited;
  };
  return { name, port, pid: child.pid, pids: [child.pid], stop: child.stop, kill, signal: child.kill };
}

function configOf({
  name,
  folder,
  bundle,
  compatibility,
  v8Flags,
  port,
  variables,
  durableObjects = [],
  assets,
}: WorkerOptions): string {
  const bindings = [
    ...Object.entries(variables).map(([variable, value]) => `(name = ${quote(variable)}, text = ${quote(value)})`),
    ...durableObjects.map(
      ({ binding, className }) => `(name = ${quote(binding)}, durableObjectNamespace = ${quote(className)})`,
    ),
    ...(assets === undefined ? [] : ['(name = "ASSETS", service = "assets")']),
  ];
  const files = assets === undefined ? '' : `\n    (name = "assets", disk = (path = ${quote(assets)})),`;
  const embed = (kind: string) => (path: string) =>
    `(name = ${quote(basename(path))}, ${kind} = embed ${quote(relative(folder, path))})`;
  const modules = [...modulesOf(bundle).map(embed('esModule')), ...modulesOf(bundle, '.wasm').map(embed('wasm'))];
  const namespaces = durableObjects.map(
    ({ className }) => `(className = ${quote(className)}, uniqueKey = ${quote(className)}, enableSql = true)`,
  );
  const storage = durableObjects.length === 0 ? '' : '  durableObjectStorage = (localDisk = "objects"),\n';
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["127.0.0.1/32"])),
    (name = "objects", disk = (path = ${quote(join(folder, `${name}.objects`))}, writable = true)),${files}
  ],
  v8Flags = [${v8Flags.map(quote).join(', ')}],
  sockets = [(name = "http", address = "${LOOPBACK}:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = ${quote(compatibility.date)},
  compatibilityFlags = [${compatibility.flags.map(quote).join(', ')}],
  bindings = [${bindings.join(', ')}],
  durableObjectNamespaces = [${namespaces.join(', ')}],
${storage});
`;
}

/** The paths of a bundle's modules of JavaScript, its entry first, or of those of another kind. */
export function modulesOf(entry: string, kind: '.js' | '.wasm' = '.js'): string[] {
  const folder = dirname(entry);
  const modules = readdirSync(folder)
    .filter((file) => file.endsWith(kind))
    .map((file) => join(folder, file));
  return kind === '.js' ? [entry, ...modules.filter((path) => path !== entry)] : modules;
}

/** A string literal of Cap'n Proto. For ASCII its escapes are those of JSON. */
function quote(text: string): string {
  return JSON.stringify(text);
}

/** The program itself. The package's `bin` points to it only where install scripts ran. */
function requireWorkerd(): string {
  const arch = process.arch === 'x64' ? '64' : process.arch;
  const path = join(ROOT, 'node_modules', '@cloudflare', `workerd-${process.platform}-${arch}`, 'bin', 'workerd');
  if (existsSync(path)) return path;
  throw new SetupError('There is no workerd for this machine; run npm ci without --omit=optional.');
}

const HEALTHY_TIMEOUT_MS = 15_000;

async function waitUntilHealthy(name: string, port: number, child: ChildGroup): Promise<void> {
  let end: string | undefined;
  void child.exited.then((reason) => {
    end = reason;
  });
  const deadline = performance.now() + HEALTHY_TIMEOUT_MS;
  while (!(await isHealthy(port))) {
    if (end !== undefined || performance.now() > deadline) {
      await child.stop();
      throw new SetupError(
        `workerd with ${name} does not answer (${end ?? 'it runs'}):\n${child.lastLines().join('\n')}`,
      );
    }
    await delay(50);
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${LOOPBACK}:${port}/health`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
