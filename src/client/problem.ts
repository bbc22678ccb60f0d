import type { ProblemCode } from '../core/catalogue.ts';

/** One violation in a request. */
export interface ProblemViolation {
  /** The path of the field: `items[3].weightKilograms`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A problem body (RFC 9457). New codes may appear within version 2. */
export interface Problem {
  /** The address of a page that explains the problem. */
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
  /** With ACCESS_DENIED, if the carrier has suspended the company. */
  readonly companyState?: 'SUSPENDED';
  /** With SHIPMENT_NOT_CANCELLABLE. */
  readonly currentState?: string;
  readonly [member: string]: unknown;
}

/** Whether a response body is a problem of the service, not a proxy's page. */
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
