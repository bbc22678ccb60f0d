import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { readText } from '../../../scripts/shared/repository-file.ts';
import { PROBLEM_CODES, PROBLEMS, problemSlug } from '../../../src/core/catalogue.ts';
import { problemIndex, problemIndexPage } from '../../../src/pages/problems/index-page.ts';
import { problemDocument, problemPage } from '../../../src/pages/problems/page.ts';
import { expectPlainDocument } from '../../support/expect-plain-document.ts';

const baseUrl = 'https://sandbox.example';
const site = { baseUrl, document: openApiDocument, readText };

describe.each(['en', 'ar'] as const)('the page of a problem in %s', (locale) => {
  it.each(PROBLEM_CODES)('%s', (code) => {
    const page = problemPage({ ...site, code, locale });
    expectPlainDocument(page, locale);
    expect(page).toContain(`<code>${code}</code>`);
    expect(page).toContain(`href="/problems/${problemSlug(code)}?lang=${locale === 'ar' ? 'en' : 'ar'}"`);
    expect(page).toContain(`${baseUrl}/problems/${problemSlug(code)}`);
    expect(page).toContain(`href="/docs?lang=${locale}#errors"`);
    expect(page).toContain(`href="/problems?lang=${locale}"`);
  });

  it('lists the operations that return it, unless they are many', () => {
    const few = problemPage({ ...site, code: 'SHIPMENT_NOT_CANCELLABLE', locale });
    expect(few).toContain(`href="/docs/shipments?lang=${locale}#shipments-cancel"`);
    expect(problemPage({ ...site, code: 'RATE_LIMITED', locale })).not.toContain('id="operations"');
  });

  it('has an index of all problems', () => {
    const page = problemIndexPage({ baseUrl, locale });
    expectPlainDocument(page, locale);
    for (const code of PROBLEM_CODES) expect(page).toContain(`href="/problems/${problemSlug(code)}?lang=${locale}"`);
    const { data } = problemIndex({ baseUrl, locale });
    expect(data.map(({ code }) => code).toSorted()).toEqual(PROBLEM_CODES.toSorted());
    expect(data.find(({ code }) => code === 'RATE_LIMITED')).toEqual({
      code: 'RATE_LIMITED',
      status: 429,
      title: PROBLEMS.RATE_LIMITED.title[locale],
      type: `${baseUrl}/problems/rate-limited`,
      retry: 'AFTER_RETRY_AFTER',
    });
  });
});

describe('a problem as JSON', () => {
  it('has a complete example', () => {
    expect(problemDocument({ ...site, code: 'PRECONDITION_FAILED', locale: 'en' })).toEqual({
      code: 'PRECONDITION_FAILED',
      type: 'https://sandbox.example/problems/precondition-failed',
      status: 412,
      title: 'Precondition failed',
      cause: 'The resource changed after you read it. Or If-Match has a weak entity tag, which never matches.',
      fix: 'Read the resource again, check that the change still makes sense, and send its new ETag in If-Match.',
      example: {
        type: 'https://sandbox.example/problems/precondition-failed',
        title: 'Precondition failed',
        status: 412,
        detail: 'If-Match does not name the current version, which is given in currentVersion. Nothing was changed.',
        instance: '/v2/external/shipments/01976e2a-7c10-7f4e-8b21-6d90c3a5e842/cancellations',
        code: 'PRECONDITION_FAILED',
        timestamp: '2030-01-31T09:00:00.000000Z',
        correlationId: '01976e2a-8f00-7d3a-9c41-5b6f0a2e7d11',
        requestId: '01976e2a-8f01-7b52-a7d0-2c8e4f913a60',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        currentVersion: 3,
      },
      guide: 'https://sandbox.example/docs#errors',
    });
  });

  it('shows violations in the language of the page', () => {
    const { example } = problemDocument({ ...site, code: 'VALIDATION_FAILED', locale: 'ar' });
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
    expect(problemPage({ ...site, code, locale: 'en' })).toContain(header);
  });

  it('has statuses from 400 to 599 only', () => {
    for (const code of PROBLEM_CODES) {
      expect(PROBLEMS[code].status).toBeGreaterThanOrEqual(400);
      expect(PROBLEMS[code].status).toBeLessThanOrEqual(599);
    }
  });
});
