import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../../src/core/catalogue.ts';
import { exampleBody } from '../../../src/pages/problems/example.ts';

/* Example bodies of errors: those of the pages about problems. */

const BASE_URL = 'https://api.example.com';
/** Without paths, so that each example is about shipments. */
const NO_OPERATIONS = { info: { title: '', version: '' }, paths: {} };

/** Without the path, because operations share the example. */
export function problemExample(code: ProblemCode): Readonly<Record<string, unknown>> {
  const { instance: _path, ...body } = wholeExample(code);
  return body;
}

function wholeExample(code: ProblemCode): Readonly<Record<string, unknown>> {
  return exampleBody({ code, baseUrl: BASE_URL, locale: 'en', document: NO_OPERATIONS });
}

/** One of each problem. The first has every member that problems share. */
export const PROBLEM_EXAMPLES = (['VALIDATION_FAILED', ...PROBLEM_CODES] as const).map(wholeExample);

/** An OAuth error (RFC 6749 section 5.2): its status and its sentence are OAuth's, and it has no violations. */
export function oauthExample(
  code: ProblemCode,
  { status, error, description }: { readonly status: number; readonly error: string; readonly description?: string },
): Readonly<Record<string, unknown>> {
  const { violations: _violations, ...body } = problemExample(code);
  const detail = description ?? PROBLEMS[code].detail.en;
  return { ...body, status, detail, error, error_description: detail };
}
