import type { Deployment } from '../src/core/deployment.ts';
import { type BatchStep, type Condition, type StepError, type StepResult, stepOf, valuesOf } from './hrana.ts';

/*
 * Promise: nothing is written to a database that is not the expected one, and nothing read from it is used. Each database
 * says who it is in the one row of `database_identity`, which `npm run db:migrate` writes with the baseline. Each group of
 * commits asks within its own request, before its transaction. Reads ask within the first request, and then once a minute.
 */

export const DATABASE_KINDS = ['directory', 'shard', 'logs'] as const;

/** Who a database is. `id` is `directory`, `logs` or the id of the shard. */
export interface DatabaseIdentity {
  readonly kind: (typeof DATABASE_KINDS)[number];
  readonly id: string;
  readonly deployment: Deployment;
}

/** The same text as `nameOf`. */
const NAME = "CASE kind WHEN 'shard' THEN 'the shard ' || id ELSE 'the ' || kind END || ' of ' || deployment";
const SELECT = `SELECT ${NAME} FROM database_identity`;
/** A condition whose parameter is the name of the expected database. */
export const IS_NAMED = `(${SELECT}) = ?`;

export function nameOf({ kind, id, deployment }: DatabaseIdentity): string {
  return `the ${kind === 'shard' ? `shard ${id}` : kind} of ${deployment}`;
}

/** Reads the name of the database. */
export const identityStep = (condition?: Condition): BatchStep => stepOf(SELECT, [], true, condition);

/** Whether a step failed because of what the database is, and not because the server was busy. */
export function isMismatch(error: StepError | null | undefined): boolean {
  return error != null && /malformed JSON|no such table/i.test(error.message);
}

/** Both names, if another database gave this answer to `identityStep`. */
export function mismatchOf(
  expected: DatabaseIdentity,
  {
    results,
    errors,
  }: { readonly results: readonly (StepResult | null)[]; readonly errors: readonly (StepError | null)[] },
  step: number,
): string | undefined {
  const [found] = valuesOf(results[step]?.rows[0] ?? []);
  const name = nameOf(expected);
  const error = errors[step];
  if (found === name) return undefined;
  const otherwise = error == null || isMismatch(error) ? 'a database without an identity' : error.message;
  return `expected ${name}, found ${typeof found === 'string' ? found : otherwise}`;
}
