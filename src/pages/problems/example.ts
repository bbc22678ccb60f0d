import { PROBLEMS, type ProblemCode, problemSlug, violationMessage } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import type { OpenApiDocument } from '../reference/document.ts';
import { groupOperations, type OperationGroup, type ReferenceOperation } from '../reference/operations.ts';

/** `baseUrl` has no trailing slash. */
export interface ProblemExampleInput {
  readonly code: ProblemCode;
  readonly baseUrl: string;
  readonly locale: Locale;
  /** Its responses say which operations return the problem. */
  readonly document: OpenApiDocument;
}

/** The address of a problem, which is also its `type`. */
export function problemAddress(code: ProblemCode, baseUrl: string): string {
  return `${baseUrl}/problems/${problemSlug(code)}`;
}

/** A problem body as the service sends it, with fixed identifiers and times. */
export function exampleBody({
  code,
  baseUrl,
  locale,
  document,
}: ProblemExampleInput): Readonly<Record<string, unknown>> {
  const entry = PROBLEMS[code];
  return {
    type: problemAddress(code, baseUrl),
    title: entry.title[locale],
    status: entry.status,
    detail: entry.detail[locale],
    instance: instanceOf(document, code),
    code,
    timestamp: '2030-01-31T09:00:00.000000Z',
    correlationId: '01976e2a-8f00-7d3a-9c41-5b6f0a2e7d11',
    requestId: '01976e2a-8f01-7b52-a7d0-2c8e4f913a60',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    ...(retryOf(code) === 'retryAfter' ? { retryAfterSeconds: 5 } : {}),
    ...EXTRA_MEMBERS[code]?.(locale),
  };
}

/** The response headers that belong to a problem. */
export function exampleHeaders(code: ProblemCode): readonly (readonly [string, string])[] {
  if (code === 'AUTHENTICATION_REQUIRED') return [['WWW-Authenticate', 'Bearer realm="mirsal"']];
  if (code === 'METHOD_NOT_ALLOWED') return [['Allow', 'GET, HEAD, POST, OPTIONS']];
  return retryOf(code) === 'retryAfter' ? [['Retry-After', '5']] : [];
}

export type Retry = 'retryAfter' | 'retrySafely' | 'retryNever';

/** Whether the same request can be sent again: after Retry-After, only if it is safe to repeat, or never. */
export function retryOf(code: ProblemCode): Retry {
  const { status } = PROBLEMS[code];
  if (status === 429 || status === 503 || code === 'IDEMPOTENCY_REQUEST_IN_PROGRESS') return 'retryAfter';
  return status === 500 ? 'retrySafely' : 'retryNever';
}

type Members = (locale: Locale) => Readonly<Record<string, unknown>>;

const EXTRA_MEMBERS: Readonly<Partial<Record<ProblemCode, Members>>> = {
  VALIDATION_FAILED: (locale) => ({
    violations: [
      { field: 'recipient.name', code: 'REQUIRED', message: violationMessage({ code: 'REQUIRED' }, locale) },
      {
        field: 'items[0].quantity',
        code: 'OUT_OF_RANGE',
        message: violationMessage({ code: 'OUT_OF_RANGE', limit: 'from 1 to 10000' }, locale),
      },
    ],
  }),
  EXTERNAL_REFERENCE_CONFLICT: () => ({
    existing: {
      shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
      shipmentNumber: 'SHP-7ZQ4N0K2RD5',
      href: '/v2/external/shipments/01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
    },
  }),
  CASE_ALREADY_OPEN: () => ({
    existing: {
      caseId: '01976e2f-1c85-7b40-9d0e-7a4f63c2b815',
      number: 'CAS-5HQ2M8T1WXY',
      href: '/v2/external/cases/01976e2f-1c85-7b40-9d0e-7a4f63c2b815',
    },
  }),
  PRICE_LIMIT_EXCEEDED: () => ({
    limit: 30,
    price: { currency: 'SAR', netAmount: 29.5, vatRate: 0.15, vatAmount: 4.43, totalAmount: 33.93 },
  }),
  PRICE_LOCK_USED: () => ({
    existing: {
      shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
      shipmentNumber: 'SHP-7ZQ4N0K2RD5',
      href: '/v2/external/shipments/01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
    },
  }),
  PRICE_LOCK_EXPIRED: () => ({
    expiredAt: '2030-01-31T08:58:20.000000Z',
    price: { currency: 'SAR', netAmount: 29.5, vatRate: 0.15, vatAmount: 4.43, totalAmount: 33.93 },
  }),
  PRICE_LOCK_MISMATCH: oneViolation('destination.cityCode', { code: 'NOT_AS_LOCKED' }),
  PROOF_REQUIRED: () => ({ missing: ['PIN'] }),
  PROOF_PIN_INVALID: () => ({ attemptsRemaining: 4 }),
  UNKNOWN_QUERY_PARAMETER: oneViolation('page', { code: 'UNKNOWN_PROPERTY' }),
  INVALID_QUERY_PARAMETER: oneViolation('state', {
    code: 'NOT_IN_ENUM',
    limit: 'PENDING_APPROVAL, READY_FOR_DISPATCH, OFFERED, …',
  }),
  LIMIT_OUT_OF_RANGE: oneViolation('limit', { code: 'OUT_OF_RANGE', limit: 'from 1 to 100' }),
  INVALID_PATH_PARAMETER: oneViolation('shipmentId', { code: 'PATTERN_MISMATCH', limit: 'uuid' }),
  IDEMPOTENCY_KEY_REQUIRED: oneViolation('Idempotency-Key', { code: 'REQUIRED' }),
  INVALID_IDEMPOTENCY_KEY: oneViolation('Idempotency-Key', { code: 'TOO_SHORT', limit: '16' }),
  UNSUPPORTED_DOCUMENT_TYPE: () => ({ contentTypes: ['application/pdf', 'image/jpeg', 'image/png'] }),
  SHIPMENT_TERMINAL: () => ({ currentState: 'DELIVERED' }),
  WEBHOOK_URL_NOT_ALLOWED: (locale) => ({
    reason: 'IP_ADDRESS',
    ...oneViolation('url', { code: 'PATTERN_MISMATCH', limit: 'addressNumbers' })(locale),
  }),
  REGISTRATION_INCOMPLETE: () => ({
    requiredDocuments: [
      {
        documentType: 'NATIONAL_ADDRESS',
        state: 'UPLOADED',
        maxBytes: 1_048_576,
        contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
      },
      {
        documentType: 'COMMERCIAL_REGISTRATION',
        state: 'MISSING',
        maxBytes: 1_048_576,
        contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
      },
    ],
  }),
  SHIPMENT_NOT_CANCELLABLE: () => ({
    currentState: 'PICKED_UP',
    instead: {
      operation: 'recalls',
      price: { currency: 'SAR', netAmount: 25.5, vatRate: 0.15, vatAmount: 3.83, totalAmount: 29.33 },
    },
  }),
  AMENDMENT_NOT_ALLOWED: () => ({ change: 'ADDRESS_LINE', reason: 'TOO_LATE', currentState: 'OUT_FOR_DELIVERY' }),
  RESOLUTION_NOT_OPEN: () => ({ currentState: 'DELIVERY_FAILED', reason: 'ATTEMPTS_USED' }),
  RESOLUTION_ALREADY_CHOSEN: () => ({
    kind: 'RETURN',
    followUp: {
      shipmentId: '01976e2e-3b7a-7d52-a4c8-9f1b60e2d735',
      shipmentNumber: 'SHP-3KX8P1M7WTC',
      href: '/v2/external/shipments/01976e2e-3b7a-7d52-a4c8-9f1b60e2d735',
    },
  }),
  RETURN_QUANTITY_EXCEEDED: () => ({ remaining: [{ index: 0, quantity: 1 }] }),
  INVALID_STATE_TRANSITION: () => ({ currentState: 'ACCEPTED' }),
  IDENTIFIER_RECENTLY_CHANGED: () => ({ heldUntil: '2030-02-01T08:12:30.000000Z' }),
  PRECONDITION_FAILED: () => ({ currentVersion: 3 }),
  OTP_INVALID: () => ({ attemptsRemaining: 4 }),
};

function oneViolation(field: string, violation: Parameters<typeof violationMessage>[0]): Members {
  return (locale) => ({
    violations: [{ field, code: violation.code, message: violationMessage(violation, locale) }],
  });
}

/** An operation that can return a problem, and its group in the reference. */
export interface ProblemSource {
  readonly group: OperationGroup;
  readonly operation: ReferenceOperation;
}

/** The operations whose documented responses have the code. */
export function sourcesOf(document: OpenApiDocument, code: ProblemCode): readonly ProblemSource[] {
  return groupOperations(document).flatMap((group) =>
    group.operations
      .filter((operation) => operation.responses.some(({ codes }) => codes.includes(code)))
      .map((operation) => ({ group, operation })),
  );
}

const SHIPMENTS = '/v2/external/shipments';
const SAMPLE_ID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';

/** A path that can return the problem, preferably one of shipments. */
function instanceOf(document: OpenApiDocument, code: ProblemCode): string {
  const paths = sourcesOf(document, code).map(({ operation }) => operation.path);
  const path = paths.find((one) => one.startsWith(SHIPMENTS)) ?? paths[0] ?? SHIPMENTS;
  return path.replace(/\{\w+\}/g, SAMPLE_ID);
}
