import { expect } from 'vitest';
import * as z from 'zod';
import { BASE_URL } from '../../scripts/shared/connection.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** A problem document. It is open, because some codes have additional members. */
const problem = z.looseObject({
  type: z.url(),
  title: z.string().min(1).max(128),
  status: z.int().min(400).max(599),
  detail: z.string().min(1).max(512).optional(),
  instance: z.string().optional(),
  code: z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/),
  timestamp: z.string().regex(INSTANT),
  correlationId: z.uuid(),
  requestId: z.uuid(),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  violations: z
    .array(
      z.strictObject({
        field: z.string().min(1).max(128),
        code: z.string().min(1).max(64),
        message: z.string().min(1).max(256),
      }),
    )
    .max(20)
    .optional(),
});
export type ProblemBody = z.output<typeof problem>;

/** Each violation as `field CODE`, in any order; leave it out if the problem must have no violations. */
export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  readonly violations?: readonly string[];
}

/** Fails unless the response is this problem, in the documented form of every problem. */
export async function expectProblem(response: Response, expected: ExpectedProblem): Promise<ProblemBody> {
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({
    status: expected.status,
    text: expect.stringContaining(expected.code),
  });
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = problem.parse(JSON.parse(text));
  expect(body).toMatchObject({ status: expected.status, code: expected.code });
  expect(body.type).toBe(`${BASE_URL}/problems/${expected.code.toLowerCase().replaceAll('_', '-')}`);
  expect(body.requestId).toBe(response.headers.get('x-request-id'));
  expect(body.correlationId).toBe(response.headers.get('x-correlation-id'));
  expect(violationsOf(body)).toEqual(expected.violations === undefined ? undefined : [...expected.violations].sort());
  return body;
}

/** The violations as `field CODE`, sorted. */
function violationsOf(body: ProblemBody): string[] | undefined {
  return body.violations?.map(({ field, code }) => `${field} ${code}`).sort();
}

/** A problem without its ids and timestamp, for comparison. */
export function timelessText(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, '<instant>');
}
