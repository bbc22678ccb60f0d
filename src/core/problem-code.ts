/** All machine codes with their HTTP status. The texts are in the catalogue, which a Worker loads with its first problem. */
export const PROBLEM_STATUSES = {
  MALFORMED_JSON: 400,
  INVALID_PATH_PARAMETER: 400,
  INVALID_QUERY_PARAMETER: 400,
  UNKNOWN_QUERY_PARAMETER: 400,
  LIMIT_OUT_OF_RANGE: 400,
  INVALID_CURSOR: 400,
  INVALID_HEADER: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  INVALID_IDEMPOTENCY_KEY: 400,
  AUTHENTICATION_REQUIRED: 401,
  ACCESS_DENIED: 403,
  ASSURANCE_REQUIRED: 403,
  REAUTHENTICATION_REQUIRED: 403,
  ROUTE_NOT_FOUND: 404,
  TRACKING_LINK_UNAVAILABLE: 404,
  RESOURCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  EXTERNAL_REFERENCE_CONFLICT: 409,
  IDEMPOTENCY_REQUEST_IN_PROGRESS: 409,
  SHIPMENT_NOT_CANCELLABLE: 409,
  INVALID_STATE_TRANSITION: 409,
  TRACKING_LINK_LIMIT_REACHED: 409,
  SHIPMENT_TERMINAL: 409,
  WEBHOOK_ENDPOINT_LIMIT_REACHED: 409,
  SECRET_ROTATION_IN_PROGRESS: 409,
  REPLAY_IN_PROGRESS: 409,
  CREDENTIAL_ALREADY_EXISTS: 409,
  REGISTRATION_INCOMPLETE: 409,
  BRANCH_INACTIVE: 409,
  SANDBOX_NOT_READY: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  DOCUMENT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_DOCUMENT_TYPE: 415,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  OTP_INVALID: 422,
  OTP_EXPIRED: 422,
  DOCUMENT_CONTENT_MISMATCH: 422,
  WEBHOOK_URL_NOT_ALLOWED: 422,
  PRECONDITION_REQUIRED: 428,
  RATE_LIMITED: 429,
  OTP_RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  ROUTING_PROVIDER_UNAVAILABLE: 503,
  STORAGE_PROVIDER_UNAVAILABLE: 503,
  MESSAGE_PROVIDER_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUSES;

/** Every machine code, in the order of the table: by status. */
export const PROBLEM_CODES: readonly ProblemCode[] = Object.keys(PROBLEM_STATUSES).filter(isProblemCode);

/** The name of a code in its address: `IDEMPOTENCY_KEY_REUSED` is `idempotency-key-reused`. */
export function problemSlug(code: ProblemCode): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** The code of an address, or undefined if there is none. */
export function problemCodeOf(slug: string): ProblemCode | undefined {
  const code = slug.toUpperCase().replaceAll('-', '_');
  return isProblemCode(code) && problemSlug(code) === slug ? code : undefined;
}

/** Whether the table has this code. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEM_STATUSES, code);
}

/** The codes of violated rules. */
export const VIOLATION_CODES = [
  'REQUIRED',
  'UNKNOWN_PROPERTY',
  'TYPE_MISMATCH',
  'NULL_NOT_ALLOWED',
  'TOO_SHORT',
  'TOO_LONG',
  'PATTERN_MISMATCH',
  'OUT_OF_RANGE',
  'NOT_IN_ENUM',
  'TOO_FEW_ITEMS',
  'TOO_MANY_ITEMS',
  'DUPLICATE_ITEM',
  'SCALE_EXCEEDED',
  'INVALID_INSTANT',
  'FORBIDDEN_FIELD',
  'COD_METHOD_REQUIRED',
  'CURRENCY_NOT_SUPPORTED',
  'WINDOW_ORDER_INVALID',
  'WINDOW_IN_PAST',
  'BRANCH_UNKNOWN',
  'PICKUP_LOCATION_UNKNOWN',
  'PICKUP_LOCATION_NOT_IN_BRANCH',
  'DESTINATION_NOT_SERVICEABLE',
] as const;

export type ViolationCode = (typeof VIOLATION_CODES)[number];
