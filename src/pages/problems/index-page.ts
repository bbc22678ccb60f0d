import { PROBLEM_CODES, PROBLEMS, type ProblemCode, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';
import { problemAddress, retryOf } from './example.ts';

/** `baseUrl` has no trailing slash. */
export interface ProblemIndexInput {
  readonly baseUrl: string;
  readonly locale: Locale;
}

/** One code in the index, as JSON. */
export interface ProblemIndexEntry {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly type: string;
  readonly retry: 'AFTER_RETRY_AFTER' | 'IF_SAFE' | 'NEVER';
}

const TEXTS = {
  en: {
    title: 'Problems',
    lead:
      'All codes that an error can have. Let your program decide by the code, because its meaning never changes. New ' +
      'codes may appear. Treat a code that you do not know by its status.',
    retryAfter: 'retry after the time in Retry-After',
    retrySafely: 'retry if safe',
    guide: 'Errors and retries: what to do after each status',
  },
  ar: {
    title: 'رموز الأخطاء',
    lead:
      'جميع الرموز التي قد يحملها خطأ. اجعل برنامجك يقرر بحسب الرمز لأن معناه لا يتغير. قد تظهر رموز جديدة. عامل الرمز ' +
      'الذي لا تعرفه بحسب حالة HTTP.',
    retryAfter: 'أعد المحاولة بعد المدة في Retry-After',
    retrySafely: 'أعد المحاولة إن كانت آمنة',
    guide: 'الأخطاء وإعادة المحاولة: ما العمل بعد كل حالة',
  },
} as const satisfies Record<Locale, Record<string, string>>;

const RETRIES = { retryAfter: 'AFTER_RETRY_AFTER', retrySafely: 'IF_SAFE', retryNever: 'NEVER' } as const;

/** All problems as JSON, ordered by status. */
export function problemIndex({ baseUrl, locale }: ProblemIndexInput): { readonly data: readonly ProblemIndexEntry[] } {
  const data = inOrder().map((code) => ({
    code,
    status: PROBLEMS[code].status,
    title: PROBLEMS[code].title[locale],
    type: problemAddress(code, baseUrl),
    retry: RETRIES[retryOf(code)],
  }));
  return { data };
}

/** All problems as HTML, grouped by status. */
export function problemIndexPage({ locale }: ProblemIndexInput): string {
  const text = TEXTS[locale];
  const statuses = [...Map.groupBy(inOrder(), (code) => PROBLEMS[code].status)];
  const sections = statuses.map(
    ([status, codes]) => html`<section aria-labelledby="status-${status}">
<h2 id="status-${status}"><bdi dir="ltr">${status}</bdi></h2>
<ul class="index">${codes.map((code) => entry(code, locale))}</ul></section>
`,
  );
  const main = html`<div class="sheet">
<h1>${text.title}</h1>
<p class="lead">${prose(text.lead, locale)}</p>
<p><a href="/docs?lang=${locale}#errors">${text.guide}</a></p>
${sections}</div>`;
  return renderPage({
    locale,
    title: text.title,
    description: text.lead,
    languagePath: '/problems',
    area: 'problems',
    main,
  });
}

function entry(code: ProblemCode, locale: Locale) {
  const retry = retryOf(code);
  return html`<li><a href="/problems/${problemSlug(code)}?lang=${locale}">${prose(PROBLEMS[code].title[locale], locale)}</a>
<bdi dir="ltr"><code>${code}</code></bdi>
${retry === 'retryNever' ? undefined : html`<span class="quiet">${prose(TEXTS[locale][retry], locale)}</span>`}</li>
`;
}

function inOrder(): readonly ProblemCode[] {
  return PROBLEM_CODES.toSorted((one, other) => PROBLEMS[one].status - PROBLEMS[other].status);
}
