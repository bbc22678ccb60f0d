import type { ProblemCode } from '../core/catalogue.ts';

/** The client's own error codes, in addition to those of the service. */
export type ClientCode =
  /** No connection, a broken connection, or no response in time. The error's `outcome` says whether the service may have acted. */
  | 'NETWORK_FAILURE'
  /** The response is not from the service: a proxy's page or JSON, a redirect. */
  | 'UNEXPECTED_RESPONSE'
  /** The caller's signal aborted the call. */
  | 'ABORTED'
  /** The call could not be sent, for example because its input cannot be serialised as JSON. */
  | 'CLIENT_FAILURE';

/** A code of the service, of the client, or of a newer version of the service. */
export type MirsalErrorCode = ProblemCode | ClientCode | (string & Record<never, never>);

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
  /** With RETURN_QUANTITY_EXCEEDED: how many of each item can still go back. */
  readonly remaining?: readonly { readonly index: number; readonly quantity: number }[];
  /** With PRECONDITION_FAILED. */
  readonly currentVersion?: number;
  /** The seconds of Retry-After, which a response with several calls cannot say for each. */
  readonly retryAfterSeconds?: number;
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
