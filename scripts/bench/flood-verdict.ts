import type { PhaseResult } from './load.ts';
import { type Table, tableOf, type Verdict } from './result.ts';
import { median, sum } from './statistics.ts';

/** The phases of a flood, and its creations. */
export interface FloodFindings {
  readonly capacity: number;
  readonly calm: PhaseResult;
  readonly flood: PhaseResult;
  readonly after: PhaseResult;
  readonly creations: { readonly accepted: number; readonly stored: number };
}

/** The start of the flood is left out, because a service first allocates buffers for its connections. */
const WARM_SHARE = 1 / 3;
/** The medians of windows are compared, so that a single garbage collection does not decide. */
const FLAT_GROWTH_MAX = 1.15;
const NORMAL_WITHIN_SECONDS = 10;
/** Normal means as before the flood, with some tolerance for other programs. */
const NORMAL_FACTOR = 2;
const NORMAL_ROOM_MS = 50;

export function judge(findings: FloodFindings): Verdict[] {
  const { calm, flood, after, creations } = findings;
  const wrong = [calm, flood, after].flatMap(wrongEndings);
  const back = normalAfterSeconds(calm, after);
  const memory = Object.entries(flood.rssMegabytes).map(([name, looks]) => judgeMemory(name, looks));
  return [
    {
      what: 'only 2xx, 429 and 503, and no connection cut',
      isReached: wrong.length === 0,
      told: wrong.length === 0 ? 'nothing else' : wrong.join(', '),
    },
    ...memory,
    {
      what: 'every accepted creation is stored',
      isReached: creations.accepted > 0 && creations.stored === creations.accepted,
      told: `${creations.stored} of ${creations.accepted}`,
    },
    {
      what: `normal again within ${NORMAL_WITHIN_SECONDS} s`,
      isReached: back !== undefined && back <= NORMAL_WITHIN_SECONDS,
      told: back === undefined ? `not within ${after.seconds} s` : `after ${back} s`,
    },
  ];
}

function judgeMemory(name: string, looks: readonly number[]): Verdict {
  const what = `memory of ${name} flat`;
  // Only Linux has figures of other processes.
  if (looks.length === 0) return { what, isReached: undefined, told: 'this system has no figures' };
  const { firstMegabytes, lastMegabytes, mostMegabytes, growth, megabytesAMinute } = memoryOf(looks);
  return {
    what,
    isReached: growth <= FLAT_GROWTH_MAX,
    told: `${firstMegabytes.toFixed(0)} MB, then ${lastMegabytes.toFixed(0)} MB at the end, ${mostMegabytes.toFixed(0)} at most, slope ${megabytesAMinute.toFixed(1)} MB a minute`,
  };
}

/** Endings other than 2xx, 429 and 503, by stream. */
function wrongEndings({ name, endings }: PhaseResult): string[] {
  return Object.entries(endings).flatMap(([stream, counts]) =>
    Object.entries(counts)
      .filter(([ending]) => !/^(?:2\d\d|429|503)$/.test(ending))
      .map(([ending, count]) => `${count} × ${ending} of ${stream} (${name})`),
  );
}

/** Seconds after the flood until all further seconds are as before it. Undefined if the last second is not. */
export function normalAfterSeconds(calm: PhaseResult, after: PhaseResult): number | undefined {
  const limitMs = Math.max(calm.p95Ms * NORMAL_FACTOR, calm.p95Ms + NORMAL_ROOM_MS);
  const isNormal = after.bySecond.map(
    ({ succeeded, refused, failed, p95Ms }) => succeeded > 0 && refused === 0 && failed === 0 && p95Ms <= limitMs,
  );
  const last = isNormal.lastIndexOf(false);
  return last === isNormal.length - 1 ? undefined : last + 1;
}

/** Memory after the first third of the flood: its ends and its slope by least squares. */
export function memoryOf(looks: readonly number[]) {
  const warm = looks.slice(Math.floor(looks.length * WARM_SHARE));
  const window = Math.max(1, Math.floor(warm.length / 4));
  const firstMegabytes = median(warm.slice(0, window));
  const lastMegabytes = median(warm.slice(-window));
  return {
    firstMegabytes,
    lastMegabytes,
    mostMegabytes: Math.max(...looks),
    growth: lastMegabytes / firstMegabytes,
    megabytesAMinute: slopeOf(warm) * 60,
  };
}

/** From one sample to the next. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = sum(values) / values.length;
  let [above, below] = [0, 0];
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean);
    below += (index - middle) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

export function tableOfPhases(phases: readonly PhaseResult[]): Table {
  const each = (of: (phase: PhaseResult) => number) => (phase: PhaseResult) => of(phase) / phase.seconds;
  const refused = (phase: PhaseResult) => countOf(phase, '429') + countOf(phase, '503');
  return tableOf(phases, [
    ['phase', ({ name }) => name],
    ['due/s', each(({ due }) => due)],
    ['sent/s', each(({ sent }) => sent)],
    ['2xx/s', each(({ succeeded }) => succeeded)],
    ['429/s', each((phase) => countOf(phase, '429'))],
    ['503/s', each((phase) => countOf(phase, '503'))],
    ['else', (phase) => phase.sent - phase.succeeded - refused(phase)],
    ['service ms', ({ cpuMs, sent }) => (cpuMs['service'] ?? Number.NaN) / sent, 2],
    ['sqld ms', ({ cpuMs, sent }) => (cpuMs['sqld'] ?? Number.NaN) / sent, 2],
    ['p50 ms', ({ p50Ms }) => p50Ms],
    ['p95 ms', ({ p95Ms }) => p95Ms],
    ['p99 ms', ({ p99Ms }) => p99Ms],
  ]);
}

/** Above these limits the driver may be what limits the load. */
const DRIVER_PERCENT_MAX = 90;
const LAG_MAX_MS = 100;

/** One sentence on whether the driver kept up. If it did not, requests were fewer or later than planned. */
export function describeDriver({ driverPercent, lagP99Ms, lagMostMs, heldBack, due }: PhaseResult): string {
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
