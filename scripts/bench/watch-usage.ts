import { availableParallelism } from 'node:os';
import { sum } from './statistics.ts';
import { busyMs, totalUsage } from './usage.ts';

/** Looks at the processes and at the machine now, at their memory once a second, and at all of it at the end. */
export function watchUsage(processes: Readonly<Record<string, readonly number[]>>) {
  const names = Object.keys(processes);
  const startedAt = performance.now();
  const [busyBefore, ownBefore] = [busyMs(), process.cpuUsage()];
  const before = new Map(names.map((name) => [name, totalUsage(processes[name] ?? [])]));
  const rssMegabytes: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const lookAtMemory = () => {
    for (const name of names) {
      const usage = totalUsage(processes[name] ?? []);
      if (usage !== undefined) rssMegabytes[name]?.push(usage.rssMegabytes);
    }
  };
  lookAtMemory();
  const interval = setInterval(lookAtMemory, 1000);
  const stop = () => {
    clearInterval(interval);
    lookAtMemory();
    const elapsedMs = performance.now() - startedAt;
    const [busyAfter, own] = [busyMs(), process.cpuUsage(ownBefore)];
    const driverMs = (own.user + own.system) / 1000;
    const cpuMs: Record<string, number> = {};
    for (const name of names) {
      const [first, last] = [before.get(name), totalUsage(processes[name] ?? [])];
      if (first !== undefined && last !== undefined) cpuMs[name] = last.cpuMs - first.cpuMs;
    }
    const watchedMs = sum(Object.values(cpuMs)) + driverMs;
    const othersMs =
      busyBefore === undefined || busyAfter === undefined ? undefined : busyAfter - busyBefore - watchedMs;
    return {
      cpuMs,
      rssMegabytes,
      driverPercent: (100 * driverMs) / elapsedMs,
      ...(othersMs === undefined
        ? {}
        : { othersPercent: (100 * Math.max(0, othersMs)) / elapsedMs / availableParallelism() }),
    };
  };
  return { stop };
}
