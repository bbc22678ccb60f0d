import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { sum } from './statistics.ts';

/** What one process has used since its start, from Linux's proc_pid_stat(5). */
interface Usage {
  readonly cpuMs: number;
  readonly rssMegabytes: number;
}

/** A tick of `utime` and `stime` is a hundredth of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Processor time that all programs have used, or that the host took away. Undefined without /proc. */
function busyMs(): number | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number);
    return (user + nice + system + irq + softirq + steal) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Undefined without /proc, and for a process that has ended. */
function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold spaces, so fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [userTicks, systemTicks] = [fields[11], fields[12]].map(Number);
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return { cpuMs: ((userTicks ?? 0) + (systemTicks ?? 0)) * TICK_MS, rssMegabytes: Number(kilobytes ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}

/** The sum over several processes. Undefined if none of them is known. */
function totalUsage(pids: readonly number[]): Usage | undefined {
  const known = pids.map(usageOf).filter((usage) => usage !== undefined);
  if (known.length === 0) return undefined;
  return known.reduce((total, usage) => ({
    cpuMs: total.cpuMs + usage.cpuMs,
    rssMegabytes: total.rssMegabytes + usage.rssMegabytes,
  }));
}

/** Starts to watch these processes. `stop` returns their processor time, and their memory once a second. */
export function watchUsage(processes: Readonly<Record<string, readonly number[]>>) {
  const names = Object.keys(processes);
  const startedAt = performance.now();
  const [busyBefore, ownBefore] = [busyMs(), process.cpuUsage()];
  const before = new Map(names.map((name) => [name, totalUsage(processes[name] ?? [])]));
  const rssMegabytes: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const sampleMemory = () => {
    for (const name of names) {
      const usage = totalUsage(processes[name] ?? []);
      if (usage !== undefined) rssMegabytes[name]?.push(usage.rssMegabytes);
    }
  };
  sampleMemory();
  const interval = setInterval(sampleMemory, 1000);
  const stop = () => {
    clearInterval(interval);
    sampleMemory();
    const elapsedMs = performance.now() - startedAt;
    const [busyAfter, own] = [busyMs(), process.cpuUsage(ownBefore)];
    const driverMs = (own.user + own.system) / 1000;
    const cpuMs: Record<string, number> = {};
    for (const name of names) {
      const [first, last] = [before.get(name), totalUsage(processes[name] ?? [])];
      if (first !== undefined && last !== undefined) cpuMs[name] = last.cpuMs - first.cpuMs;
    }
    const used = { cpuMs, rssMegabytes, driverPercent: (100 * driverMs) / elapsedMs };
    if (busyBefore === undefined || busyAfter === undefined) return used;
    const othersMs = Math.max(0, busyAfter - busyBefore - sum(Object.values(cpuMs)) - driverMs);
    return { ...used, othersPercent: (100 * othersMs) / elapsedMs / availableParallelism() };
  };
  return { stop };
}

const SETTLE_POLL_MS = 300;
/** The share of one core that does not disturb the next measurement. */
const IDLE_SHARE = 0.1;
const SETTLE_TIMEOUT_MS = 8000;

/** Waits until the processes are idle. Returns false if they are still busy at the timeout. */
export async function settle(pids: readonly number[]): Promise<boolean> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  let before = totalUsage(pids);
  while (performance.now() < deadline) {
    await delay(SETTLE_POLL_MS);
    const now = totalUsage(pids);
    // Without figures of the system, the pause must be enough.
    if (before === undefined || now === undefined) return true;
    if (now.cpuMs - before.cpuMs < SETTLE_POLL_MS * IDLE_SHARE) return true;
    before = now;
  }
  return false;
}
