import { addSeconds, type Instant } from '../../core/instant.ts';
import { USES_KEPT_SECONDS } from '../../domain/challenges/limit.ts';
import { oldPersonChallengesDelete, oldUsesDelete } from '../../domain/challenges/store.ts';
import { expiredRevocationsDelete } from '../../domain/credentials/store.ts';
import { type DueDependencies, runDue } from '../../domain/dispatch/due.ts';
import { oldChallengesDelete } from '../../domain/drivers/session/store.ts';
import { expiredDriverSessionsDelete } from '../../domain/drivers/store.ts';
import { expiredKeysDelete } from '../../domain/idempotency/store.ts';
import { oldCodesDelete } from '../../domain/inbox/store.ts';
import { type OnboardingSweepDependencies, sweepRegistrations } from '../../domain/onboarding/sweep/sweep.ts';
import { idleSince } from '../../domain/people/session/session.ts';
import { endedSessionsDelete } from '../../domain/people/session/store.ts';
import { runScenarios } from '../../domain/sandbox/scenario/run.ts';
import type { Config } from '../config.ts';

export interface SweepDependencies extends DueDependencies {
  readonly config: Pick<Config, 'deployment'>;
}

/** Dispatch and scenarios take turns this often in one run: as often as a scenario can need dispatch, and twice more. */
const TURNS_MAX = 6;

/**
 * Finds on one shard what every alarm has missed, and forgets keys and sessions that are past their time. Answers when
 * the next thing falls due, `null` when nothing waits, `undefined` when the database did not answer.
 */
export async function sweepShard(dependencies: SweepDependencies): Promise<Instant | null | undefined> {
  await forgetExpired(dependencies);
  return runShard(dependencies);
}

/** Forgets idempotency keys and drivers' sessions that are past their time. */
export async function forgetExpired({ writer, clock }: Pick<SweepDependencies, 'writer' | 'clock'>): Promise<void> {
  const now = clock.now();
  await writer.commit({ statements: [expiredKeysDelete(now), expiredDriverSessionsDelete(now)] });
}

/** Does what is due on one shard, and plays the scenarios of its sandboxes. Answers as `sweepShard` does. */
export async function runShard(dependencies: SweepDependencies): Promise<Instant | null | undefined> {
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

/** A challenge counts for 15 minutes, and a local inbox is looked into at once; a day leaves time to look into trouble. */
const CODES_KEPT_SECONDS = 24 * 3600;

export type DirectorySweepDependencies = Omit<OnboardingSweepDependencies, 'removeDocuments'>;

/**
 * Forgets what is past its time: revocations of tokens that have expired by themselves, sessions, counters, one-time
 * codes of yesterday, drafts of registrations. Finishes registrations that broke off.
 */
export async function sweepDirectory(dependencies: DirectorySweepDependencies): Promise<void> {
  const { directory, clock } = dependencies;
  const now = clock.now();
  const before = addSeconds(now, -CODES_KEPT_SECONDS);
  await directory.writer.commit({
    statements: [
      expiredRevocationsDelete(now),
      oldChallengesDelete(before),
      oldCodesDelete(before),
      oldPersonChallengesDelete(before),
      oldUsesDelete(addSeconds(now, -USES_KEPT_SECONDS)),
      endedSessionsDelete(now, idleSince(now)),
    ],
  });
  await sweepRegistrations({ ...dependencies, removeDocuments });
}

/** Until there is a store of documents, a draft that has some stays: nothing may be left where nobody looks. */
function removeDocuments(objectKeys: readonly string[]): Promise<boolean> {
  return Promise.resolve(objectKeys.length === 0);
}
