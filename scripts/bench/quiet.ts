import type { Measured } from './load.ts';

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
