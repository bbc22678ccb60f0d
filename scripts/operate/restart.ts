import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { isCommand, runTool } from '../shared/command.ts';
import { LOOPBACK } from '../shared/ports.ts';
import { findMarked, markOf, type ProcessMark, type RunningProcess } from '../shared/processes.ts';
import { denoProgram } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import { until } from '../shared/until.ts';

const USAGE = `Starts this version of the service on Deno beside the one that runs, moves nginx to it, and stops the other one. No request is lost.

  npm run -s restart -- --folder /var/lib/mirsal [--ports 8787,8788]
  npm run -s restart -- --folder /var/lib/mirsal --start 'systemctl start mirsal@{port}' --stop 'systemctl stop mirsal@{port}'

The variables of the service are those of this shell. docs/nginx.conf looks for the file \`b\` of the folder: it sends requests to the second
port while that file exists. Without --start the program of Deno is started itself, and its log is \`service.log\` of the folder. If the
new version does not become ready within a minute, it is stopped and the other one goes on.`;

interface Plan {
  readonly folder: string;
  readonly ports: readonly [a: number, b: number];
  /** Commands with `{port}`. */
  readonly start: string | undefined;
  readonly stop: string | undefined;
}

function readPlan(): Plan | undefined {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { folder: option, ports: { ...option, default: '8787,8788' }, start: option, stop: option },
  });
  const [a = Number.NaN, b = Number.NaN, ...others] = values.ports.split(',').map(Number);
  const { folder, start, stop } = values;
  if (folder === undefined || !(a > 0 && b > 0) || others.length > 0 || (start === undefined) !== (stop === undefined))
    return undefined;
  return { folder: resolve(folder), ports: [a, b], start, stop };
}

/** Longer than a start takes on a busy machine. */
const READY_MS = 60_000;
/** nginx may have chosen the other process for a request just before the file changed. */
const SWITCH_MS = 1000;
/** The service ends its last requests within ten seconds. */
const STOP_MS = 15_000;
const POLL_MS = 100;

/** Resolves to whether the new version serves. */
async function restart(plan: Plan): Promise<boolean> {
  mkdirSync(plan.folder, { recursive: true });
  const marker = join(plan.folder, 'b');
  const [a, b] = plan.ports;
  const [present, other] = existsSync(marker) ? [b, a] : [a, b];
  const replaced = (await statusOf(present, 'health')) === 200 ? present : undefined;
  const next = replaced === undefined ? present : other;
  if ((await statusOf(next, 'health')) !== undefined)
    throw new SetupError(`Another process answers on port ${next}. Stop it first.`);
  if (replaced !== undefined && plan.stop === undefined && !existsSync(markFile(plan.folder, replaced)))
    throw new SetupError(
      `The process on port ${replaced} was not started by this command. Give --start and --stop, or stop it.`,
    );
  // If no version is ready, for example because a database is down, the new one cannot be either.
  const path = replaced === undefined || (await statusOf(replaced, 'ready')) !== 200 ? 'health' : 'ready';
  await start(plan, next);
  if (!(await isReady(plan, next, path))) {
    console.error(`The new version did not answer 200 to /${path}. Its log says why. The other one goes on.`);
    await stop(plan, next);
    return false;
  }
  if (replaced === undefined) {
    console.log(`serving on port ${next}`);
    return true;
  }
  if (next === b) writeFileSync(marker, '');
  else rmSync(marker);
  await delay(SWITCH_MS);
  await stop(plan, replaced);
  console.log(`serving on port ${next}, stopped on port ${replaced}`);
  return true;
}

async function isReady(plan: Plan, port: number, path: 'health' | 'ready'): Promise<boolean> {
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; await delay(POLL_MS)) {
    if ((await statusOf(port, path)) === 200) return true;
    if (plan.start === undefined && runningOf(plan, port) === undefined) return false;
  }
  return false;
}

async function start({ folder, start: command }: Plan, port: number): Promise<void> {
  if (command !== undefined) {
    await execa(command.replaceAll('{port}', String(port)), { shell: true, stdio: 'inherit' });
    return;
  }
  const log = openSync(join(folder, 'service.log'), 'a', 0o600);
  const { pid } = spawn(denoProgram(), ['run', ...permissions(), '--no-prompt', '--no-lock', 'src/deno.ts'], {
    cwd: ROOT,
    env: { ...process.env, HOST: LOOPBACK, PORT: String(port), DENO_NO_UPDATE_CHECK: '1' },
    detached: true,
    stdio: ['ignore', log, log],
  }).on('error', () => undefined);
  const mark = pid === undefined ? undefined : markOf(pid);
  if (mark === undefined) throw new SetupError('Deno did not start.');
  writeFileSync(markFile(folder, port), JSON.stringify(mark));
}

async function stop({ folder, stop: command }: Plan, port: number): Promise<void> {
  if (command !== undefined) {
    await execa(command.replaceAll('{port}', String(port)), { shell: true, stdio: 'inherit' });
    return;
  }
  const running = runningOf({ folder }, port);
  if (running !== undefined) process.kill(running.pid, 'SIGTERM');
  await until(
    `the process on port ${port} ends`,
    () => (runningOf({ folder }, port) === undefined ? true : undefined),
    {
      withinMs: STOP_MS,
    },
  );
  rmSync(markFile(folder, port));
}

/** The process that this command has started on a port, unless it has ended. */
function runningOf({ folder }: Pick<Plan, 'folder'>, port: number): RunningProcess | undefined {
  return findMarked(JSON.parse(readFileSync(markFile(folder, port), 'utf8')) as ProcessMark);
}

const ROOT = resolve(import.meta.dirname, '..', '..');
const markFile = (folder: string, port: number) => join(folder, `${port}.json`);

/** The service writes only where its variables say. */
function permissions(): string[] {
  const folders = ['DOCUMENTS', 'MESSAGES'].flatMap((name) => {
    const text = process.env[name];
    const value: unknown = text === undefined || text === '' ? undefined : JSON.parse(text);
    return typeof value === 'object' && value !== null && 'folder' in value ? [String(value.folder)] : [];
  });
  const write = folders.length === 0 ? [] : [`--allow-write=${folders.join(',')}`];
  return ['--allow-net', '--allow-env', '--allow-read', ...write];
}

/** Undefined if nothing answers. */
async function statusOf(port: number, path: 'health' | 'ready'): Promise<number | undefined> {
  try {
    const response = await fetch(`http://${LOOPBACK}:${port}/${path}`, { signal: AbortSignal.timeout(STOP_MS) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

if (isCommand(import.meta.filename)) await runTool({ usage: USAGE, readPlan, run: restart, leavesRunning: true });
