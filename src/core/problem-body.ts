import { PROBLEMS, type ProblemCode, problemSlug, violationMessage } from './catalogue.ts';
import { causeText } from './cause-texts.ts';
import { VIOLATIONS_MAX } from './limits.ts';
import type { Locale } from './locale.ts';
import { type Refusal, type Violation, wholeSeconds } from './result.ts';

/* A Worker loads this file and the texts with its first problem. */

/** The facts of a request that its problem body contains. */
export interface ProblemFacts {
  readonly baseUrl: string;
  /** Path of the request. */
  readonly instance: string;
  /** RFC 3339, to the microsecond. */
  readonly timestamp: string;
  readonly requestId: string;
  readonly correlationId: string;
  readonly traceId: string | undefined;
  readonly locale: Locale;
}

const FIELD_LENGTH_MAX = 128;

/**
 * The problem body of a refusal (RFC 9457 with the interface's members). What tells the cause comes first, because the exceptions
 * of some HTTP clients, such as Guzzle, show the first 120 characters of a body.
 */
export function problemBody(refusal: Refusal, facts: ProblemFacts): Record<string, unknown> {
  const { status, title, detail } = PROBLEMS[refusal.code];
  return {
    code: refusal.code,
    detail: refusal.cause === undefined ? detail[facts.locale] : causeText(refusal.cause, facts.locale),
    ...(refusal.violations === undefined
      ? {}
      : { violations: presentViolations(refusal.violations, facts.locale, VIOLATIONS_MAX) }),
    type: problemType(facts.baseUrl, refusal.code),
    title: title[facts.locale],
    status,
    instance: facts.instance,
    timestamp: facts.timestamp,
    correlationId: facts.correlationId,
    requestId: facts.requestId,
    ...(facts.traceId === undefined ? {} : { traceId: facts.traceId }),
    ...(refusal.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: wholeSeconds(refusal.retryAfterSeconds) }),
    ...refusal.members,
  };
}

/** The address of a problem type. Its page explains cause and fix. */
function problemType(baseUrl: string, code: ProblemCode): string {
  return `${baseUrl}/problems/${problemSlug(code)}`;
}

/** The first `max` violations with their messages. */
export function presentViolations(violations: readonly Violation[], locale: Locale, max: number) {
  return violations.slice(0, max).map((violation) => ({
    // A member's name may contain or be cut into half of a surrogate pair, which many JSON parsers refuse.
    field: violation.field.slice(0, FIELD_LENGTH_MAX).toWellFormed(),
    code: violation.code,
    message: violationMessage(violation, locale),
  }));
}
