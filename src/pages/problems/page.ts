import { PROBLEMS, type ProblemCode } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';
import { exampleBody, exampleHeaders, type ProblemPageInput, problemAddress, retryOf } from './example.ts';
import { PROBLEM_TEXTS } from './texts.ts';

/** What a problem's address answers to a program. */
export interface ProblemDocument {
  readonly code: ProblemCode;
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const LABELS = {
  en: {
    type: 'Address',
    retry: 'Repeat unchanged',
    retryAfter: 'Yes, after the seconds in Retry-After',
    retrySafely: 'Yes, if it is a read or carries an Idempotency-Key',
    retryNever: 'No, something has to change first',
    cause: 'Why it happens',
    fix: 'What to do',
    example: 'Example answer',
    all: 'All codes, and which of them to retry',
  },
  ar: {
    type: 'العنوان',
    retry: 'إعادة الطلب دون تغيير',
    retryAfter: 'نعم، بعد عدد الثواني في Retry-After',
    retrySafely: 'نعم، إذا كان طلب قراءة أو يحمل Idempotency-Key',
    retryNever: 'لا، يجب تغيير شيء أولًا',
    cause: 'السبب',
    fix: 'الحل',
    example: 'مثال على الرد',
    all: 'جميع الرموز، وما يُعاد طلبه منها',
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** A problem's page as JSON. */
export function problemDocument(input: ProblemPageInput): ProblemDocument {
  const { code, baseUrl, locale } = input;
  const { status, title } = PROBLEMS[code];
  const { cause, fix } = PROBLEM_TEXTS[locale][code];
  const type = problemAddress(code, baseUrl);
  return { code, type, status, title: title[locale], cause, fix, example: exampleBody(input) };
}

/** A problem's page as HTML. */
export function problemPage(input: ProblemPageInput): string {
  const { code, baseUrl, locale } = input;
  const { status, title, cause, fix, type } = problemDocument(input);
  const label = LABELS[locale];
  const detail = PROBLEMS[code].detail[locale];
  const main = html`<article class="sheet">
<p class="overline"><bdi dir="ltr">${status}</bdi> · <bdi dir="ltr"><code>${code}</code></bdi></p>
<h1>${prose(title, locale)}</h1>
<p class="lead">${prose(detail, locale)}</p>
<section aria-labelledby="cause"><h2 id="cause">${label.cause}</h2><p>${prose(cause, locale)}</p></section>
<section aria-labelledby="fix"><h2 id="fix">${label.fix}</h2><p>${prose(fix, locale)}</p></section>
<dl class="facts">
<div><dt>${label.type}</dt><dd><bdi dir="ltr"><code>${type}</code></bdi></dd></div>
<div><dt>${label.retry}</dt><dd>${prose(label[retryOf(code)], locale)}</dd></div>
</dl>
<section aria-labelledby="example"><h2 id="example">${label.example}</h2>
<pre dir="ltr" tabindex="0" role="group" aria-labelledby="example"><code>${exampleText(input)}</code></pre></section>
<p><a href="/docs?lang=${locale}#errors">${label.all}</a></p>
</article>`;
  return renderPage({
    locale,
    title: `${title} (${code})`,
    description: detail,
    languagePath: pathOf(type, baseUrl),
    area: 'problems',
    main,
  });
}

function exampleText(input: ProblemPageInput): Html {
  const headers = [['Content-Type', 'application/problem+json'], ...exampleHeaders(input.code)];
  const head = [`HTTP/1.1 ${PROBLEMS[input.code].status}`, ...headers.map((header) => header.join(': '))];
  return html`${head.join('\n')}\n\n${isolateArabic(JSON.stringify(exampleBody(input), undefined, 2))}`;
}

/** Arabic texts within JSON, each in its own direction; without that, the parts of a mixed text change places. */
function isolateArabic(json: string): Html {
  const pieces = json.split(ARABIC_RUN);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<bdi dir="rtl">${piece}</bdi>` : piece))}`;
}

/** What a JSON string holds between its quotation marks, if it begins with an Arabic letter. */
const ARABIC_RUN = /(?<=")([\u0600-\u06ff][^"\n]*)(?=")/;

/** The address without the host: a page links to its own host, whatever that is called from outside. */
function pathOf(address: string, baseUrl: string): string {
  return address.slice(baseUrl.length);
}
