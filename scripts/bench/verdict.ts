/** Whether something that is aimed at, or promised, was reached. */
export interface Verdict {
  readonly what: string;
  /** The figures, in words. */
  readonly told: string;
  /** Undefined where the run, or the system, does not tell. */
  readonly isReached: boolean | undefined;
}

const PRINTED = { true: 'reached', false: 'MISSED ', undefined: 'unknown' };
const LISTED = { true: 'Reached', false: '**Missed**', undefined: 'Unknown' };

/** For a terminal. */
export function printVerdicts(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ what, told, isReached }) => `  ${PRINTED[`${isReached}`]}  ${what}: ${told}`);
}

/** For a document. */
export function listVerdicts(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ what, told, isReached }) => `- ${LISTED[`${isReached}`]}: ${what} (${told}).`);
}
