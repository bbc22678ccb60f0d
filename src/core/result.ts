import type { ProblemCode, ViolationCode } from './catalogue.ts';
import type { Cause } from './cause-texts.ts';

/** One violated rule of a request. `limit` fills in the rule's message: a length, a bound, a list of values. */
export interface Violation {
  readonly field: string;
  readonly code: ViolationCode;
  readonly limit?: string | undefined;
}

/**
 * Why something was refused. A plain value, because classes do not survive the call between a Worker and a Durable
 * Object. `members` are extra members of the problem body, already in wire format.
 */
export interface Refusal {
  readonly ok: false;
  readonly code: ProblemCode;
  /** Without one, the detail is that of the code. */
  readonly cause?: Cause | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly members?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export type Result<Value> = { readonly ok: true; readonly value: Value } | Refusal;

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refuse(code: ProblemCode, extra: Omit<Refusal, 'ok' | 'code'> = {}): Refusal {
  return { ok: false, code, ...extra };
}

/** Seconds as `Retry-After` and the problem body say them: at least one. */
export function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/** 503 with Retry-After. */
export function unavailable(retryAfterSeconds = 1): Refusal {
  return refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds });
}
