import { TRPCClientError } from '@trpc/client';
import { isProblem, isRecord, type Problem, type ProblemViolation } from '../../../client/problem.ts';
import type { LocalText } from '../../../core/locale.ts';
import { locale, textsOf } from '../base/locale.ts';
import { PageOutdated } from './page-code.ts';
import { FIELD_SENTENCES, SENTENCES, TYPE_SENTENCES } from './words.ts';

/** Why a call failed, in words for the person in front of the page. */
export interface CallFailure {
  /**
   * A code of the service. `NETWORK`: there was no answer, so it is unknown whether the service acted. `PAGE_OUTDATED`: the
   * page has to be loaded again.
   */
  readonly code: string;
  readonly title: string;
  readonly detail: string | undefined;
  /** People quote it when they ask for help. */
  readonly requestId: string | undefined;
  readonly violations: readonly ProblemViolation[];
  readonly problem: Problem | undefined;
}

/** An error answer of a REST operation. `callRest` throws it. */
export class RestError extends Error {
  readonly problem: Problem | undefined;

  constructor(problem: Problem | undefined) {
    super(problem?.code ?? 'no problem body');
    this.name = 'RestError';
    this.problem = problem;
  }
}

const TEXTS = {
  en: {
    title: 'The service did not answer',
    detail: 'Check your connection and try again.',
    newer: 'A new version of this page is here',
    load: 'Load it to go on.',
  },
  ar: {
    title: 'لم تستجب الخدمة',
    detail: 'تحقق من الاتصال ثم أعد المحاولة.',
    newer: 'صدر إصدار جديد من هذه الصفحة',
    load: 'حمّله للمتابعة.',
  },
};

/** Turns anything that a call to the service threw into a failure. */
export function failureOf(error: unknown): CallFailure {
  const problem = problemOf(error);
  if (problem === undefined) {
    const { title, detail, newer, load } = textsOf(TEXTS);
    const about = { requestId: undefined, violations: [], problem };
    if (error instanceof PageOutdated) return { code: 'PAGE_OUTDATED', title: newer, detail: load, ...about };
    return { code: 'NETWORK', title, detail, ...about };
  }
  const { code, title, detail, requestId, violations = [] } = problem;
  return { code, title, detail, requestId, violations, problem };
}

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof RestError) return error.problem;
  if (!(error instanceof TRPCClientError)) return undefined;
  const data: unknown = error.data;
  return isRecord(data) && isProblem(data['problem']) ? data['problem'] : undefined;
}

/** There is no such thing, or another company has it. */
const MISSING: ReadonlySet<string> = new Set(['ACCESS_DENIED', 'RESOURCE_NOT_FOUND', 'INVALID_PATH_PARAMETER']);

/** Whether a thing that was asked for is missing. A suspended company is denied access to its own things. */
export function isMissing({ code, problem }: CallFailure): boolean {
  return MISSING.has(code) && problem?.companyState === undefined;
}

/**
 * The message for one field of a form, if the service reported a violation there. With `value`, an empty field gets
 * "required".
 */
export function violationAt(failure: CallFailure | undefined, field: string, value?: string): string | undefined {
  const violation = failure?.violations.find((one) => one.field === field);
  return violation === undefined ? undefined : sentenceOf(violation, value);
}

/**
 * A violation as a sentence. What the service says of a value is for programs, so each fault has words of its own, and some
 * fields have words that say what to enter. With `value`, an empty field gets "required".
 */
export function sentenceOf({ field, code, message }: ProblemViolation, value?: string): string {
  const limit = limitOf(message);
  if (value === '' || (code === 'TOO_SHORT' && limit === '1')) return SENTENCES.REQUIRED[locale];
  const member = field.slice(field.lastIndexOf('.') + 1);
  const type =
    code === 'TYPE_MISMATCH' ? TYPE_SENTENCES.find(([pattern]) => pattern.test(limit || message)) : undefined;
  const known: LocalText | undefined = FIELD_SENTENCES[`${code} ${member}`] ?? type?.[1] ?? sentenceOfCode(code);
  // A code of a newer version of the service.
  if (known === undefined) return `${message}.`;
  return known[locale].replace(limit === '' ? ': {limit}' : '{limit}', limit);
}

function sentenceOfCode(code: string): LocalText | undefined {
  const all: Readonly<Record<string, LocalText>> = SENTENCES;
  return all[code];
}

/** The limit in the service's message: what follows the colon, or the number in it. */
function limitOf(message: string): string {
  const colon = message.lastIndexOf(': ');
  return colon < 0 ? (/\d+/.exec(message)?.[0] ?? '') : message.slice(colon + 2);
}
