import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that runs now. Zombies are left out: they hold nothing, and nobody may ever collect them. */
export interface RunningProcess extends ProcessMark {
  /** The process group, which is the pid of the process that leads it. */
  readonly group: number;
  readonly command: string;
}

/** Tells a process from a later one that was given the same number. `startedAt` is only ever compared. */
export interface ProcessMark {
  readonly pid: number;
  readonly startedAt: string;
}

function listProcesses(): RunningProcess[] {
  return process.platform === 'linux' ? readProc() : readPs();
}

export function findProcess(pid: number): RunningProcess | undefined {
  if (process.platform === 'linux') return readProcEntry(pid);
  return listProcesses().find((running) => running.pid === pid);
}

/** The running process that a mark was taken of, or undefined when that one is gone. */
export function findMarked(mark: ProcessMark): RunningProcess | undefined {
  const running = findProcess(mark.pid);
  return running?.startedAt === mark.startedAt ? running : undefined;
}

export function markOf(pid: number): ProcessMark | undefined {
  const running = findProcess(pid);
  return running === undefined ? undefined : { pid: running.pid, startedAt: running.startedAt };
}

export function groupMembers(group: number): RunningProcess[] {
  return listProcesses().filter((running) => running.group === group);
}

/** Sends a signal to every process of a group; a group that is gone is no error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // ESRCH: nobody is left. EPERM: macOS says it of a group of zombies.
    if (!isCode(error, 'ESRCH') && !isCode(error, 'EPERM')) throw error;
  }
}

/** Asks a group to end, and ends it hard when some of it is left after `graceMs`. Resolves when all of it is gone. */
export async function endGroup(group: number, graceMs: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  if (await isGroupGone(group, graceMs)) return;
  signalGroup(group, 'SIGKILL');
  await isGroupGone(group, KILL_WAIT_MS);
}

/** SIGKILL cannot be refused; the kernel needs this long at most to take the processes apart. */
const KILL_WAIT_MS = 2000;
const POLL_MS = 20;

async function isGroupGone(group: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (groupMembers(group).length > 0) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function readProc(): RunningProcess[] {
  const running: RunningProcess[] = [];
  for (const name of readdirSync('/proc')) {
    const entry = /^\d+$/.test(name) ? readProcEntry(Number(name)) : undefined;
    if (entry !== undefined) running.push(entry);
  }
  return running;
}

/** Undefined when the process is gone, as it may be between two reads. See proc_pid_stat(5) for the fields. */
function readProcEntry(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets, and may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, , group] = fields;
    const startedAt = fields[19];
    if (startedAt === undefined || state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, group: Number(group), startedAt, command };
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH') || isCode(error, 'EACCES')) return undefined;
    throw error;
  }
}

function readPs(): RunningProcess[] {
  // One `-o` for each: macOS takes what follows an equals sign, commas too, for a heading.
  const columns = ['pid=', 'pgid=', 'stat=', 'lstart=', 'command='].flatMap((column) => ['-o', column]);
  // The C locale keeps `lstart` at five words.
  const env = { ...process.env, LC_ALL: 'C' };
  const table = execFileSync('ps', ['-A', '-ww', ...columns], {
    encoding: 'utf8',
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return table.split('\n').flatMap((line): RunningProcess[] => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.*)$/.exec(line);
    const [, pid, group, state, startedAt, command] = match ?? [];
    if (startedAt === undefined || command === undefined || state?.startsWith('Z') === true) return [];
    return [{ pid: Number(pid), group: Number(group), startedAt: startedAt.replaceAll(/\s+/g, ' '), command }];
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
