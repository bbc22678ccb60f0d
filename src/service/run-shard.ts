import type { Instant } from '../core/instant.ts';
import { realClock } from '../domain/clocks/company-clock.ts';
import { type DueDependencies, runDue } from '../domain/dispatch/due.ts';
import { runScenarios } from '../domain/sandbox/scenario/run.ts';
import type { NextDue } from '../ports/alarm.ts';
import type { Clock } from '../ports/clock.ts';
import type { Config } from './config.ts';

export { Looks } from '../domain/dispatch/due.ts';

export interface RunDependencies extends Omit<DueDependencies, 'clock' | 'reach' | 'companyId' | 'config'> {
  readonly clock: Clock;
  readonly config: Pick<Config, 'deployment' | 'holidays'>;
}

/** How often dispatch and scenarios alternate in one run: a scenario needs dispatch at most four times, plus two. */
const TURNS_MAX = 6;

/**
 * Runs the due work of all companies of one shard that have the real time, and the scenarios of their sandboxes. Returns when
 * the next work is due: `null` if none is, `undefined` if the database did not answer.
 */
export function runShard(dependencies: RunDependencies): Promise<NextDue> {
  const order = { ...dependencies, clock: realClock(dependencies.clock), companyId: null };
  if (dependencies.config.deployment === 'production') return runDue({ ...order, reach: 'everybody' });
  return runCompanies({ ...order, reach: 'real-time' });
}

/** Runs due work and scenarios on the clock of these companies, until neither has anything to do. */
export async function runCompanies(dependencies: DueDependencies): Promise<NextDue> {
  let next = await runDue(dependencies);
  for (let turn = 1; turn <= TURNS_MAX; turn += 1) {
    const run = next === undefined ? undefined : await runScenarios(dependencies);
    if (next === undefined || run === undefined) return undefined;
    if (!run.hasActed) return earlier(next, run.next);
    next = await runDue(dependencies);
  }
  return next === undefined ? undefined : dependencies.clock.now();
}

/** The earlier of two due times; undefined if one is unknown. */
export function earlierDue(first: NextDue, second: NextDue): NextDue {
  return first === undefined || second === undefined ? undefined : earlier(first, second);
}

function earlier(first: Instant | null, second: Instant | null): Instant | null {
  if (first === null || second === null) return first ?? second;
  return first < second ? first : second;
}
