import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../../src/core/catalogue.ts';
import { exampleBody } from '../../../src/pages/problems/example.ts';

/* Example bodies of errors: those of the pages about problems. */

const BASE_URL = 'https://api.example.com';
/** Without paths, so that each example is about shipments. */
const NO_OPERATIONS = { info: { title: '', version: '' }, paths: {} };

export function problemExample(code: ProblemCode): Readonly<Record<string, unknown>> {
  return exampleBody({ code, baseUrl: BASE_URL, locale: 'en', document: NO_OPERATIONS });
}

/** One of each problem. The first has every member that problems share. */
export const PROBLEM_EXAMPLES = (['VALIDATION_FAILED', ...PROBLEM_CODES] as const).map(problemExample);

/** The same as an OAuth error (RFC 6749 section 5.2). */
export function oauthExample(code: ProblemCode, error: string): Readonly<Record<string, unknown>> {
  return { ...problemExample(code), error, error_description: PROBLEMS[code].detail.en };
}
