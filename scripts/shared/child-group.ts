import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endGroup, groupMembers, signalGroup } from './processes.ts';
import { SetupError } from './setup-error.ts';

/** A child that leads a process group of its own, so that what it starts ends with it, and Ctrl-C does not reach it. */
export interface ChildGroup {
  /** Also the number of its group. */
  readonly pid: number;
  /** What ended the child, for people: `code 1` or `SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** What the child printed last, on either stream. */
  lastLines(): readonly string[];
  /** Sends a signal to the whole group. */
  kill(signal: NodeJS.Signals): void;
  /** Ends the whole group, hard after a while, and resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine?: (line: string) => void;
}

/** How many lines are kept to explain an unexpected end. */
const LAST_LINES_MAX = 15;
/** wrangler needs about a second to end its runtime, sqld some milliseconds. */
const STOP_GRACE_MS = 5000;

/** The groups that were started and not seen to end. */
const liveGroups = new Set<number>();

/** Ends at once whatever is left. Synchronous, so that it also works in the last moment of this process. */
export function killLiveGroups(): void {
  for (const group of liveGroups) {
    if (groupMembers(group).length > 0) signalGroup(group, 'SIGKILL');
  }
}

/** Throws a SetupError when the command cannot be run. */
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
    // The number may belong to others once the group is empty.
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
