import type { PhaseResult } from './flood.ts';
import { median, sum } from './statistics.ts';
import type { Verdict } from './verdict.ts';

/** What a soak found. */
export interface SoakFindings {
  readonly capacity: number;
  readonly calm: PhaseResult;
  readonly flood: PhaseResult;
  readonly after: PhaseResult;
  readonly creations: { readonly accepted: number; readonly stored: number };
}

/** Of the flood: it begins with what a service only takes once, such as buffers for its connections. */
const WARM_SHARE = 1 / 3;
/** Of a window, so that a collection that is just due does not decide. */
const FLAT_GROWTH_MAX = 1.15;
const NORMAL_WITHIN_SECONDS = 10;
/** Normal is what it was before the load, with room for the machine's own weather. */
const NORMAL_FACTOR = 2;
const NORMAL_ROOM_MS = 50;

export function judge(findings: SoakFindings): Verdict[] {
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
  // Only Linux tells of other processes (`watchUsage`).
  if (looks.length === 0) return { what, isReached: undefined, told: 'this system does not tell it' };
  const { firstMegabytes, lastMegabytes, mostMegabytes, growth, megabytesAMinute } = memoryOf(looks);
  return {
    what,
    isReached: growth <= FLAT_GROWTH_MAX,
    told: `${firstMegabytes.toFixed(0)} MB, then ${lastMegabytes.toFixed(0)} MB at the end, ${mostMegabytes.toFixed(0)} at most, slope ${megabytesAMinute.toFixed(1)} MB a minute`,
  };
}

/** Whatever is not 2xx, 429 or 503, by stream. */
function wrongEndings({ name, endings }: PhaseResult): string[] {
  return Object.entries(endings).flatMap(([stream, counts]) =>
    Object.entries(counts)
      .filter(([ending]) => !/^(?:2\d\d|429|503)$/.test(ending))
      .map(([ending, count]) => `${count} × ${ending} of ${stream} (${name})`),
  );
}

/** From the end of the flood to the first second from which on every one is as before it; undefined when none is. */
export function normalAfterSeconds(calm: PhaseResult, after: PhaseResult): number | undefined {
  const limitMs = Math.max(calm.p95Ms * NORMAL_FACTOR, calm.p95Ms + NORMAL_ROOM_MS);
  const isNormal = after.bySecond.map(
    ({ succeeded, refused, failed, p95Ms }) => succeeded > 0 && refused === 0 && failed === 0 && p95Ms <= limitMs,
  );
  const last = isNormal.lastIndexOf(false);
  return last === isNormal.length - 1 ? undefined : last + 1;
}

/** How memory went once the load had lasted a while: its line of least squares, and its ends. */
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

/** Of one look to the next. */
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
