import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/*
 * What Node and execa do not offer: all processes of a group, and whether a process number still means the process that
 * was started. The latter decides whether a leftover of a killed run may be ended.
 */

/** A running process. Zombies are left out: they hold no resources, and in a container they may never be collected. */
export interface RunningProcess extends ProcessMark {
  /** The process group, which is the pid of the process that leads it. */
  readonly group: number;
  readonly command: string;
}

/** Identifies a process even if its number is used again later. `startedAt` is only compared. */
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

/** The process that the mark was taken of. Undefined if it has ended. */
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

/** Sends a signal to every process of a group. It is no error if the group is gone. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // ESRCH: the group is empty. EPERM: macOS answers this for a group of zombies.
    if (!isCode(error, 'ESRCH') && !isCode(error, 'EPERM')) throw error;
  }
}

/** Sends SIGTERM to a group, and SIGKILL if a process is left after `graceMs`. Resolves when all are gone. */
export async function endGroup(group: number, graceMs: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  if (await isGroupGone(group, graceMs)) return;
  signalGroup(group, 'SIGKILL');
  await isGroupGone(group, KILL_WAIT_MS);
}

/** The kernel needs at most this long to end a process after SIGKILL. */
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

/** Undefined if the process has ended, perhaps between two reads. proc_pid_stat(5) describes the fields. */
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
  // One `-o` for each column: macOS reads everything after an equals sign as a heading, commas included.
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
