import type { ProblemCode } from '../core/catalogue.ts';

/** One broken rule of a request. */
export interface ProblemViolation {
  /** Where it stands: `items[3].weightKilograms`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A problem as the service answers it (RFC 9457). Version 2 only grows, so that there may be codes of later days. */
export interface Problem {
  /** An address that explains the problem to a reader. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly code: ProblemCode | (string & Record<never, never>);
  readonly timestamp: string;
  readonly correlationId: string;
  readonly requestId: string;
  readonly traceId?: string;
  readonly violations?: readonly ProblemViolation[];
  /** With EXTERNAL_REFERENCE_CONFLICT: the shipment that has the reference. */
  readonly existing?: { readonly shipmentId: string; readonly shipmentNumber: string; readonly href: string };
  /** With PRECONDITION_FAILED. */
  readonly currentVersion?: number;
  /** With SHIPMENT_NOT_CANCELLABLE. */
  readonly currentState?: string;
  readonly [member: string]: unknown;
}

/** Whether an answer is a problem of the service, and not the page of some proxy. */
export function isProblem(value: unknown): value is Problem {
  if (!isRecord(value)) return false;
  const { code, status, title, requestId } = value;
  return (
    typeof code === 'string' && typeof status === 'number' && typeof title === 'string' && typeof requestId === 'string'
  );
}

/** Whether this is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
