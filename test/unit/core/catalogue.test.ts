import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { readText } from '../../../scripts/shared/repository-file.ts';
import { PROBLEM_CODES, PROBLEMS, problemCodeOf, problemSlug } from '../../../src/core/catalogue.ts';
import { problemText } from '../../../src/pages/problems/page.ts';

/** The codes of the contract with their statuses, written by hand. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  400: [
    'MALFORMED_JSON',
    'INVALID_PATH_PARAMETER',
    'TRPC_BATCH_NOT_SUPPORTED',
    'INVALID_QUERY_PARAMETER',
    'UNKNOWN_QUERY_PARAMETER',
    'LIMIT_OUT_OF_RANGE',
    'INVALID_CURSOR',
    'INVALID_HEADER',
    'IDEMPOTENCY_KEY_REQUIRED',
    'INVALID_IDEMPOTENCY_KEY',
  ],
  401: ['AUTHENTICATION_REQUIRED'],
  403: ['ACCESS_DENIED', 'ASSURANCE_REQUIRED', 'REAUTHENTICATION_REQUIRED', 'IDENTIFIER_RECENTLY_CHANGED'],
  404: ['ROUTE_NOT_FOUND', 'TRACKING_LINK_UNAVAILABLE', 'RESOURCE_NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  406: ['NOT_ACCEPTABLE'],
  408: ['REQUEST_TIMEOUT'],
  409: [
    'EXTERNAL_REFERENCE_CONFLICT',
    'PRICE_LIMIT_EXCEEDED',
    'PRICE_LOCK_USED',
    'IDEMPOTENCY_REQUEST_IN_PROGRESS',
    'SHIPMENT_NOT_CANCELLABLE',
    'AMENDMENT_NOT_ALLOWED',
    'RESOLUTION_NOT_OPEN',
    'RESOLUTION_ALREADY_CHOSEN',
    'RETURN_QUANTITY_EXCEEDED',
    'INVALID_STATE_TRANSITION',
    'TRACKING_LINK_LIMIT_REACHED',
    'TRACKING_LINK_NOT_ACTIVE',
    'SHIPMENT_TERMINAL',
    'CASE_ALREADY_OPEN',
    'CASE_LIMIT_REACHED',
    'WEBHOOK_ENDPOINT_LIMIT_REACHED',
    'SECRET_ROTATION_IN_PROGRESS',
    'REPLAY_IN_PROGRESS',
    'BATCH_TOO_MANY_RUNNING',
    'CLOCK_ADVANCING',
    'CREDENTIAL_ALREADY_EXISTS',
    'REGISTRATION_INCOMPLETE',
    'BRANCH_INACTIVE',
    'SANDBOX_NOT_READY',
    'SESSION_CHANGED',
  ],
  412: ['PRECONDITION_FAILED'],
  413: ['PAYLOAD_TOO_LARGE', 'DOCUMENT_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_DOCUMENT_TYPE'],
  422: [
    'VALIDATION_FAILED',
    'IDEMPOTENCY_KEY_REUSED',
    'PRICE_LOCK_INVALID',
    'PRICE_LOCK_EXPIRED',
    'PRICE_LOCK_MISMATCH',
    'PROOF_REQUIRED',
    'PROOF_PIN_INVALID',
    'OTP_INVALID',
    'OTP_EXPIRED',
    'DOCUMENT_CONTENT_MISMATCH',
    'WEBHOOK_URL_NOT_ALLOWED',
  ],
  428: ['PRECONDITION_REQUIRED'],
  429: ['RATE_LIMITED', 'OTP_RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  503: [
    'ROUTING_PROVIDER_UNAVAILABLE',
    'ADDRESS_PROVIDER_UNAVAILABLE',
    'STORAGE_PROVIDER_UNAVAILABLE',
    'MESSAGE_PROVIDER_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
};

const ARABIC_LETTER = /[\u0621-\u064a]/;

describe('the catalogue of problems', () => {
  it('has exactly the documented codes with their statuses', () => {
    const found: Record<string, string[]> = {};
    for (const code of PROBLEM_CODES) {
      const { status } = PROBLEMS[code];
      found[status] = [...(found[status] ?? []), code];
    }
    expect(found).toEqual(STATUSES);
  });

  it.each(PROBLEM_CODES)('%s has texts in both languages within their length limits', (code) => {
    expect(code).toMatch(/^[A-Z][A-Z0-9_]{1,63}$/);
    const { title, detail } = PROBLEMS[code];
    for (const locale of ['en', 'ar'] as const) {
      const { cause, fix } = problemText({
        code,
        locale,
        readText,
        document: openApiDocument,
        baseUrl: 'https://sandbox.example',
      });
      expect(title[locale].length).toBeGreaterThan(0);
      expect([...title[locale]].length).toBeLessThanOrEqual(128);
      expect([...detail[locale]].length).toBeLessThanOrEqual(512);
      for (const text of [title[locale], detail[locale], cause, fix]) {
        expect(ARABIC_LETTER.test(text)).toBe(locale === 'ar');
        expect(text).toBe(text.trim());
      }
      for (const sentence of [detail[locale], cause, fix]) expect(sentence).toMatch(/\.$/);
    }
  });
});

describe('the address of a code', () => {
  it('is its name in lower case with hyphens, and maps back to the code', () => {
    expect(problemSlug('IDEMPOTENCY_KEY_REUSED')).toBe('idempotency-key-reused');
    expect(problemCodeOf('idempotency-key-reused')).toBe('IDEMPOTENCY_KEY_REUSED');
    for (const code of PROBLEM_CODES) expect(problemCodeOf(problemSlug(code))).toBe(code);
  });

  it.each([
    '',
    'unknown',
    'VALIDATION_FAILED',
    'validation_failed',
    'Validation-Failed',
    'validation-failed/',
    'constructor',
    '--proto--',
  ])('%j is not a code', (slug) => {
    expect(problemCodeOf(slug)).toBeUndefined();
  });
});
