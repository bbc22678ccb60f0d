import type { Measured } from './load.ts';
import { median } from './statistics.ts';

/** Of all cores, by programs that are not measured: up to this the machine is as good as free. */
const QUIET_PERCENT = 10;

/** Whether other programs left the machine alone; where the system does not tell, it is taken for granted. */
export function isQuiet({ othersPercent }: Measured): boolean {
  return (othersPercent ?? 0) <= QUIET_PERCENT;
}

/** Of two tries the one that was disturbed less, unless the first has errors: those are never passed over. */
export function quieterOf(first: Measured, second: Measured): Measured {
  if (first.errorsInAll > 0) return first;
  return (second.othersPercent ?? 0) < (first.othersPercent ?? 0) ? second : first;
}

export interface Others {
  readonly medianPercent: number;
  readonly mostPercent: number;
}

/** What all other programs took of the machine: the median of all measurements, and the most. */
export function othersOf(measurements: readonly Pick<Measured, 'othersPercent'>[]): Others | undefined {
  const each = measurements.flatMap(({ othersPercent }) => (othersPercent === undefined ? [] : [othersPercent]));
  return each.length === 0 ? undefined : { medianPercent: median(each), mostPercent: Math.max(...each) };
}

/** What a reader has to know of it before he compares figures. */
export function tellOthers(others: Others | undefined): string {
  if (others === undefined) return 'What other programs took of the machine is not known.';
  const { medianPercent, mostPercent } = others;
  const told = `ther programs took ${medianPercent.toFixed(0)} % of the machine in the median, ${mostPercent.toFixed(0)} % at most`;
  return medianPercent <= QUIET_PERCENT
    ? `O${told}.`
    : `**Not a quiet run**: o${told}. Trust processor times, and rates only within one operation.`;
}
