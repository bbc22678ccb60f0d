import { expect } from 'vitest';
import type { Environment, TestClient } from '../../scripts/shared/connection.ts';

export type Form = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A form-encoded request to an OAuth endpoint. */
export function postForm(
  environment: Environment,
  path: string,
  form: Form,
  headers: Readonly<Record<string, string>> = {},
) {
  const entries = Array.isArray(form) ? form : Object.entries(form);
  const body = new URLSearchParams(entries.map(([name, value]) => [name, value]));
  return environment.fetch(path, { method: 'POST', body, headers });
}

/** The client's HTTP Basic credentials (RFC 6749 section 2.3.1). */
export function basic({ clientId, clientSecret }: TestClient): { readonly authorization: string } {
  const text = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
}

export interface ExpectedOAuthError {
  readonly status: number;
  readonly error: string;
}

/** Fails unless the response is this error of RFC 6749 section 5.2, with the members of a problem. */
export async function expectOAuthError(
  response: Response,
  expected: ExpectedOAuthError,
): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, error: body['error'] }).toEqual(expected);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  // The characters that RFC 6749 section 5.2 allows.
  expect(body['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(body).toMatchObject({
    status: expected.status,
    type: expect.stringMatching(/^https:\/\/api\.mirsal\.test\/problems\/[a-z-]+$/),
    title: expect.any(String),
    code: expect.stringMatching(/^[A-Z][A-Z0-9_]{1,63}$/),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    requestId: response.headers.get('x-request-id'),
    correlationId: response.headers.get('x-correlation-id'),
  });
  return body;
}
