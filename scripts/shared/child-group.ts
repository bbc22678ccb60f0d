import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endGroup, groupMembers, signalGroup } from './processes.ts';
import { SetupError } from './setup-error.ts';

/*
 * Commands that only run and end use execa. Servers need more: execa signals the child alone, while wrangler leaves its
 * workerd behind and Deno's launcher its program, so signals here go to a whole process group.
 */

/** A child that leads a process group of its own. Its own children end with it, and Ctrl-C does not reach it. */
export interface ChildGroup {
  /** Also the number of its group. */
  readonly pid: number;
  /** How the child ended, for people: `code 1` or `SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** The last lines that the child printed on either stream. */
  lastLines(): readonly string[];
  /** Sends a signal to the whole group. */
  kill(signal: NodeJS.Signals): void;
  /** Ends the whole group, after a grace period with SIGKILL, and resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine?: (line: string) => void;
}

/** The lines that explain an unexpected end. */
const LAST_LINES_MAX = 40;
/** wrangler needs about a second to end its runtime, sqld some milliseconds. */
const STOP_GRACE_MS = 5000;

/** Groups that were started and not yet stopped. */
const liveGroups = new Set<number>();

/** Kills all groups that are left. It is synchronous, so that it also works in an `exit` handler. */
export function killLiveGroups(): void {
  for (const group of liveGroups) {
    if (groupMembers(group).length > 0) signalGroup(group, 'SIGKILL');
  }
}

/** Throws a SetupError if the command cannot be run. */
export function startChild(options: ChildOptions): ChildGroup {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const pid = child.pid;
  if (pid === undefined) throw new SetupError(`${options.command} cannot be run; install the packages with npm ci.`);

  liveGroups.add(pid);
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    if (lines.length > LAST_LINES_MAX) lines.shift();
    options.onLine?.(line);
  };
  readLines(child.stdout, onLine);
  readLines(child.stderr, onLine);

  return {
    pid,
    exited,
    lastLines: () => [...lines],
    // Once the group is empty, the system may give its number to other processes.
    kill: (signal) => (groupMembers(pid).length > 0 ? signalGroup(pid, signal) : undefined),
    stop: async () => {
      if (groupMembers(pid).length > 0) await endGroup(pid, STOP_GRACE_MS);
      await exited;
      liveGroups.delete(pid);
    },
  };
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
}
