import { TRPCClientError } from '@trpc/client';
import { isProblem, isRecord, type Problem, type ProblemViolation } from '../../client/problem.ts';
import { textsOf } from '../shell/locale.ts';

/** Why something did not work, in words for whoever sits in front of it. */
export interface Failure {
  /** A code of the service, or `NETWORK`: nothing answered, and whether the service acted is unknown. */
  readonly code: string;
  readonly title: string;
  readonly detail: string | undefined;
  /** To quote when asking for help. */
  readonly requestId: string | undefined;
  readonly violations: readonly ProblemViolation[];
  readonly problem: Problem | undefined;
}

/** A refusal of the REST face, thrown by `callRest`. */
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
    pattern: 'This is not written as it is expected here.',
    title: 'The service did not answer',
    detail: 'Check the connection and try again. What you typed is still here.',
  },
  ar: {
    pattern: 'الصيغة المكتوبة غير صحيحة.',
    title: 'لم تُجب الخدمة',
    detail: 'تحقق من الاتصال ثم أعد المحاولة. ما كتبته ما زال هنا.',
  },
};

/** Whatever was thrown while the service was asked. */
export function failureOf(error: unknown): Failure {
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

/** What is wrong with one field of a form; nothing when the service did not name it. */
export function violationAt(failure: Failure | undefined, field: string): string | undefined {
  const found = failure?.violations.find((violation) => violation.field === field);
  if (found === undefined) return undefined;
  // An expression tells programmers what is expected; whoever types has the hint of the field.
  return found.code === 'PATTERN_MISMATCH' && /[\^$[{]/.test(found.message) ? textsOf(TEXTS).pattern : found.message;
}
