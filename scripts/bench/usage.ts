import { readFileSync } from 'node:fs';

/** Of one process since its start, as Linux tells it (proc_pid_stat(5)). */
interface Usage {
  readonly cpuMs: number;
  readonly rssMegabytes: number;
}

/** A tick of `utime` and `stime` is a hundredth of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Processor time that anybody has used here, or that the host took away; undefined where Linux does not tell. */
export function busyMs(): number | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number);
    return (user + nice + system + irq + softirq + steal) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Undefined where there is no /proc, and for a process that is gone. */
function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may hold spaces: count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [userTicks, systemTicks] = [fields[11], fields[12]].map(Number);
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return { cpuMs: ((userTicks ?? 0) + (systemTicks ?? 0)) * TICK_MS, rssMegabytes: Number(kilobytes ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}

/** The sum over several processes; undefined when nothing is known of any. */
export function totalUsage(pids: readonly number[]): Usage | undefined {
  const known = pids.map(usageOf).filter((usage) => usage !== undefined);
  if (known.length === 0) return undefined;
  return known.reduce((total, usage) => ({
    cpuMs: total.cpuMs + usage.cpuMs,
    rssMegabytes: total.rssMegabytes + usage.rssMegabytes,
  }));
}
