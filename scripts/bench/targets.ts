import type { Report } from './report.ts';
import type { Operation } from './rounds.ts';
import { sum } from './statistics.ts';
import type { Row } from './summary.ts';
import type { Verdict } from './verdict.ts';

/** What the service is to reach: `least`, or `most`, of what `of` finds in a report. */
interface Target {
  readonly what: string;
  readonly least?: number;
  readonly most?: number;
  /** Undefined where the run, or the system, does not tell. */
  readonly of: (report: Report) => number | undefined;
}

const TARGETS: readonly Target[] = [
  { what: 'GET by id, to the limit', least: 0.8, of: (report) => ofMirsal(report, 'GET by id')?.toLimit },
  { what: 'list of 25, to the limit', least: 0.75, of: (report) => ofMirsal(report, 'list of 25')?.toLimit },
  { what: 'estimate, to the limit', least: 0.7, of: (report) => ofMirsal(report, 'estimate')?.toLimit },
  {
    what: 'create with approval by hand, which is what the usual stack does, to it',
    least: 5,
    of: (report) => ofMirsal(report, 'create, manual approval')?.toUsual,
  },
  {
    what: 'create with approval by itself and the search for drivers, to it',
    least: 5,
    of: (report) => ofMirsal(report, 'create')?.toUsual,
  },
  { what: 'errors and stalls of the service', most: 0, of: ({ rows }) => sum(rowsOfMirsal(rows).map(troublesOf)) },
  { what: 'time of a list of the large company, to the small one', most: 1.2, of: ({ largeToSmall }) => largeToSmall },
  { what: 'MB of memory, at most', most: 250, of: largestMegabytes },
  { what: 'memory at the end of the mixed load, to its middle', most: 1.1, of: growthOf },
  { what: 'kB of the bundle, gzipped', most: 150, of: ({ bundleGzipKilobytes }) => bundleGzipKilobytes },
];

export function judge(report: Report): Verdict[] {
  return TARGETS.map(({ what, least, most, of }) => {
    const reached = of(report);
    const aim = least === undefined ? `at most ${most}` : `at least ${least}`;
    if (reached === undefined) return { what, told: aim, isReached: undefined };
    const isReached = reached >= (least ?? Number.NEGATIVE_INFINITY) && reached <= (most ?? Number.POSITIVE_INFINITY);
    return { what, told: `${Number(reached.toFixed(2))}, ${aim}`, isReached };
  });
}

function ofMirsal({ rows }: Report, operation: Operation): Row | undefined {
  return rowsOfMirsal(rows).find((row) => row.operation === operation);
}

function rowsOfMirsal(rows: readonly Row[]): Row[] {
  return rows.filter(({ peer }) => peer === 'mirsal');
}

function troublesOf({ errors, silentSeconds, slowRequests }: Row): number {
  return sum(Object.values(errors)) + silentSeconds + slowRequests;
}

function largestMegabytes({ memory, rows }: Report): number | undefined {
  const all = [memory?.largestMegabytes, ...rowsOfMirsal(rows).map(({ rssMegabytes }) => rssMegabytes)];
  const known = all.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function growthOf({ memory }: Report): number | undefined {
  return memory === undefined ? undefined : memory.endMegabytes / memory.middleMegabytes;
}
