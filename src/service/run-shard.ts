import type { Instant } from '../core/instant.ts';
import { type DueDependencies, runDue } from '../domain/dispatch/due.ts';
import { runScenarios } from '../domain/sandbox/scenario/run.ts';
import type { NextDue } from '../ports/alarm.ts';
import type { Config } from './config.ts';

export { Looks } from '../domain/dispatch/due.ts';

interface RunDependencies extends DueDependencies {
  readonly config: Pick<Config, 'deployment'>;
}

/** How often dispatch and scenarios alternate in one run: a scenario needs dispatch at most four times, plus two. */
const TURNS_MAX = 6;

/**
 * Runs the due work of one shard and the scenarios of its sandboxes. Returns when the next work is due: `null` if none
 * is, `undefined` if the database did not answer.
 */
export async function runShard(dependencies: RunDependencies): Promise<NextDue> {
  const { clock, config } = dependencies;
  let next = await runDue(dependencies);
  if (config.deployment === 'production') return next;
  for (let turn = 1; turn <= TURNS_MAX; turn += 1) {
    const run = next === undefined ? undefined : await runScenarios(dependencies);
    if (next === undefined || run === undefined) return undefined;
    if (!run.hasActed) return earlier(next, run.next);
    next = await runDue(dependencies);
  }
  return next === undefined ? undefined : clock.now();
}

function earlier(first: Instant | null, second: Instant | null): Instant | null {
  if (first === null || second === null) return first ?? second;
  return first < second ? first : second;
}
