import type { PhaseResult } from './flood.ts';
import type { Machine } from './machine.ts';
import { othersOf, tellOthers } from './quiet.ts';
import { printTable } from './report.ts';
import type { BenchRuntime } from './runtimes.ts';
import type { SoakFindings } from './soak-verdict.ts';
import { sum } from './statistics.ts';
import { printVerdicts, type Verdict } from './verdict.ts';

export interface SoakReport extends SoakFindings {
  readonly startedAt: string;
  readonly plan: {
    readonly runtime: BenchRuntime;
    readonly seconds: number;
    readonly times: number;
    readonly connections: number;
  };
  readonly capacityPhase: PhaseResult;
  readonly promises: readonly Verdict[];
  readonly webhooksReceived: number;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
}

export const SOAK_HEADINGS = [
  'phase',
  'due/s',
  'sent/s',
  '2xx/s',
  '429/s',
  '503/s',
  'else',
  'p50 ms',
  'p95 ms',
  'p99 ms',
];

export function soakRows({ capacityPhase, calm, flood, after }: SoakReport): string[][] {
  return [capacityPhase, calm, flood, after].map((phase) => {
    const perSecond = (count: number) => (count / phase.seconds).toFixed(0);
    const others = phase.sent - phase.succeeded - countOf(phase, '429') - countOf(phase, '503');
    return [
      phase.name,
      perSecond(phase.due),
      perSecond(phase.sent),
      perSecond(phase.succeeded),
      perSecond(countOf(phase, '429')),
      perSecond(countOf(phase, '503')),
      String(others),
      ...[phase.p50Ms, phase.p95Ms, phase.p99Ms].map((ms) => ms.toFixed(0)),
    ];
  });
}

export function printSoak(report: SoakReport): string {
  const { flood, plan, promises, webhooksReceived } = report;
  const endings = Object.entries(flood.endings).map(
    ([stream, counts]) =>
      `  ${stream}: ${Object.entries(counts)
        .map(([ending, count]) => `${count} × ${ending}`)
        .join(', ')}`,
  );
  return [
    '',
    ...printTable(SOAK_HEADINGS, soakRows(report)),
    '',
    `${plan.runtime}, ${plan.connections} connections, ${plan.seconds} s at ${plan.times} times the capacity. In the flood:`,
    ...endings,
    trustLine(report),
    `Webhooks received: ${webhooksReceived}.`,
    '',
    ...printVerdicts(promises),
    '',
  ].join('\n');
}

/** How far the figures are to be trusted. */
export function trustLine({ capacityPhase, calm, flood, after }: SoakReport): string {
  return `${driverLine(flood)} ${tellOthers(othersOf([capacityPhase, calm, flood, after]))}`;
}

/** Past this a driver of one thread has no time to spare; later than that it is not where it should be. */
const DRIVER_PERCENT_MAX = 90;
const LAG_MAX_MS = 100;

/** Whether the driver itself kept up: if not, less came than was due, or it came late. */
function driverLine({ driverPercent, lagP99Ms, lagMostMs, heldBack, due }: PhaseResult): string {
  const keptUp = driverPercent <= DRIVER_PERCENT_MAX && lagP99Ms <= LAG_MAX_MS;
  const share = ((100 * heldBack) / Math.max(1, due)).toFixed(0);
  return [
    `The driver ${keptUp ? 'kept up' : 'DID NOT KEEP UP'}: ${driverPercent.toFixed(0)} % of a core,`,
    `late by ${lagP99Ms.toFixed(0)} ms at the 99th percentile and ${lagMostMs.toFixed(0)} ms at most;`,
    `${share} % of what was due found every connection waiting for an answer.`,
  ].join(' ');
}

function countOf({ endings }: PhaseResult, ending: string): number {
  return sum(Object.values(endings).map((counts) => counts[ending] ?? 0));
}
