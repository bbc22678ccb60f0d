import { TRPCClientError } from '@trpc/client';
import { isProblem, isRecord, type Problem, type ProblemViolation } from '../../client/problem.ts';
import { textsOf } from '../base/locale.ts';

/** Why a call failed, in words for the person in front of the page. */
export interface CallFailure {
  /** A code of the service, or `NETWORK` if there was no answer. After `NETWORK` it is unknown whether the service acted. */
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
    required: 'This field is required.',
    format: 'The format of this value is not correct.',
    title: 'The service did not answer',
    detail: 'Check your connection and try again. What you typed is still here.',
  },
  ar: {
    required: 'هذا الحقل مطلوب.',
    format: 'صيغة هذه القيمة غير صحيحة.',
    title: 'لم تستجب الخدمة',
    detail: 'تحقق من الاتصال ثم أعد المحاولة. ما كتبته ما زال هنا.',
  },
};

/** Turns anything that a call to the service threw into a failure. */
export function failureOf(error: unknown): CallFailure {
  const problem = problemOf(error);
  if (problem === undefined) {
    const { title, detail } = textsOf(TEXTS);
    return { code: 'NETWORK', title, detail, requestId: undefined, violations: [], problem };
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

/**
 * The message for one field of a form, if the service reported a violation there. With `value`, an empty field gets
 * "required". A regular expression is never shown: the field's hint says the format in words.
 */
export function violationAt(failure: CallFailure | undefined, field: string, value?: string): string | undefined {
  const violation = failure?.violations.find((one) => one.field === field);
  if (violation === undefined) return undefined;
  const text = textsOf(TEXTS);
  if (value === '') return text.required;
  const isPattern = violation.code === 'PATTERN_MISMATCH' && /[\^$[{]/.test(violation.message);
  return isPattern ? text.format : violation.message;
}
