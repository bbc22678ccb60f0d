import { describe, expect, it } from 'vitest';
import { PROBLEM_CODES, PROBLEMS, problemSlug } from '../../../src/core/catalogue.ts';
import { problemDocument, problemPage } from '../../../src/pages/problems/page.ts';
import { expectPlainDocument } from './expect-plain-document.ts';

const baseUrl = 'https://sandbox.example';

describe.each(['en', 'ar'] as const)('the page of a problem in %s', (locale) => {
  it.each(PROBLEM_CODES)('%s', (code) => {
    const page = problemPage({ code, baseUrl, locale });
    expectPlainDocument(page, locale);
    expect(page).toContain(`<code>${code}</code>`);
    expect(page).toContain(`href="/problems/${problemSlug(code)}?lang=${locale === 'ar' ? 'en' : 'ar'}"`);
    expect(page).toContain(`${baseUrl}/problems/${problemSlug(code)}`);
  });
});

describe('a problem as JSON', () => {
  it('has a whole example', () => {
    expect(problemDocument({ code: 'PRECONDITION_FAILED', baseUrl, locale: 'en' })).toEqual({
      code: 'PRECONDITION_FAILED',
      type: 'https://sandbox.example/problems/precondition-failed',
      status: 412,
      title: 'Precondition failed',
      cause: 'The resource changed after you read it, or If-Match holds a weak entity tag, which never matches.',
      fix: 'Read the resource again, check that the change still makes sense, and send its new ETag in If-Match.',
      example: {
        type: 'https://sandbox.example/problems/precondition-failed',
        title: 'Precondition failed',
        status: 412,
        detail: 'If-Match does not name the current version, which is given in currentVersion. Nothing was changed.',
        code: 'PRECONDITION_FAILED',
        timestamp: '2030-01-31T09:00:00.000000Z',
        correlationId: '01976e2a-8f00-7d3a-9c41-5b6f0a2e7d11',
        requestId: '01976e2a-8f01-7b52-a7d0-2c8e4f913a60',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        currentVersion: 3,
      },
    });
  });

  it('shows violations in the language of the page', () => {
    const { example } = problemDocument({ code: 'VALIDATION_FAILED', baseUrl, locale: 'ar' });
    expect(example.violations).toEqual([
      { field: 'recipient.name', code: 'REQUIRED', message: 'حقل مطلوب' },
      {
        field: 'items[0].quantity',
        code: 'OUT_OF_RANGE',
        message: 'القيمة خارج النطاق المسموح به، وهو: من 1 إلى 10000',
      },
    ]);
  });

  it.each([
    ['RATE_LIMITED', 'Retry-After: 5'],
    ['IDEMPOTENCY_REQUEST_IN_PROGRESS', 'Retry-After: 5'],
    ['AUTHENTICATION_REQUIRED', 'WWW-Authenticate: Bearer realm=&quot;mirsal&quot;'],
    ['METHOD_NOT_ALLOWED', 'Allow: GET, HEAD, POST, OPTIONS'],
  ] as const)('the page of %s shows the header %s', (code, header) => {
    expect(problemPage({ code, baseUrl, locale: 'en' })).toContain(header);
  });

  it('has statuses from 400 to 599 only', () => {
    for (const code of PROBLEM_CODES) {
      expect(PROBLEMS[code].status).toBeGreaterThanOrEqual(400);
      expect(PROBLEMS[code].status).toBeLessThanOrEqual(599);
    }
  });
});
