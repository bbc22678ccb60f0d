import { PROBLEMS, type ProblemCode, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { filledText } from '../guides/placeholders.ts';
import { prose, renderPage } from '../page.ts';
import { operationAddress, purposeOf } from '../reference/contents.ts';
import { renderMarkdown, type Section, sectionsOf } from '../reference/markdown.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { siteText } from '../text.ts';
import {
  exampleBody,
  exampleHeaders,
  type ProblemExampleInput,
  problemAddress,
  retryOf,
  sourcesOf,
} from './example.ts';

export type ProblemPageInput = ReferenceContext & ProblemExampleInput;

/** A problem's page as JSON. */
export interface ProblemDocument {
  readonly code: ProblemCode;
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly guide: string;
}

const LABELS = {
  en: {
    type: 'Address',
    retry: 'Retry unchanged',
    retryAfter: 'Yes, after the time in Retry-After',
    retrySafely: 'Yes, if it is a read or has an Idempotency-Key',
    retryNever: 'No, something must change first',
    example: 'Example response',
    operations: 'Operations that return it',
    guide: 'Errors and retries: what to do after each status',
    all: 'All problems',
  },
  ar: {
    type: 'العنوان',
    retry: 'إعادة الطلب دون تغيير',
    retryAfter: 'نعم، بعد عدد الثواني في Retry-After',
    retrySafely: 'نعم، إذا كان طلب قراءة أو يحمل Idempotency-Key',
    retryNever: 'لا، يجب تغيير شيء أولًا',
    example: 'مثال على الرد',
    operations: 'العمليات التي قد ترد به',
    guide: 'الأخطاء وإعادة المحاولة: ما العمل بعد كل حالة',
    all: 'جميع رموز الأخطاء',
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** A problem's page as JSON. */
export function problemDocument(input: ProblemPageInput): ProblemDocument {
  const { code, baseUrl, locale } = input;
  const { status, title } = PROBLEMS[code];
  const { cause, fix } = problemText(input);
  const type = problemAddress(code, baseUrl);
  return {
    code,
    type,
    status,
    title: title[locale],
    cause,
    fix,
    example: exampleBody(input),
    guide: `${baseUrl}/docs#errors`,
  };
}

/** A problem's page as HTML. */
export function problemPage(input: ProblemPageInput): string {
  const { code, baseUrl, locale } = input;
  const { status, title, type } = problemDocument(input);
  const label = LABELS[locale];
  const detail = PROBLEMS[code].detail[locale];
  const main = html`<article class="sheet">
<p class="overline"><bdi dir="ltr">${status}</bdi> · <bdi dir="ltr"><code>${code}</code></bdi></p>
<h1>${prose(title, locale)}</h1>
<p class="lead">${prose(detail, locale)}</p>
${sectionsOfProblem(input).map((section) => textSection(section, locale))}<dl class="facts">
<div><dt>${label.type}</dt><dd><bdi dir="ltr"><code>${type}</code></bdi></dd></div>
<div><dt>${label.retry}</dt><dd>${prose(label[retryOf(code)], locale)}</dd></div>
</dl>
<section aria-labelledby="example"><h2 id="example">${label.example}</h2>
<pre dir="ltr" tabindex="0" role="group" aria-labelledby="example"><code>${exampleText(input)}</code></pre></section>
${operationsSection(input, label.operations)}
<p><a href="/docs?lang=${locale}#errors">${label.guide}</a> · <a href="/problems?lang=${locale}">${label.all}</a></p>
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

/** A list of more operations than this would not help to find the cause. */
const OPERATIONS_MAX = 12;

function operationsSection(input: ProblemPageInput, title: string): Html | undefined {
  const { document, code, locale } = input;
  const sources = sourcesOf(document, code);
  if (sources.length === 0 || sources.length > OPERATIONS_MAX) return undefined;
  const entries = sources.map(
    ({
      group,
      operation,
    }) => html`<li><a href="${operationAddress(group, operation, locale)}">${purposeOf(input, operation)}</a>
<bdi dir="ltr"><span class="method">${operation.method}</span> <code>${operation.path}</code></bdi></li>
`,
  );
  return html`<section aria-labelledby="operations"><h2 id="operations">${title}</h2>
<ul class="index">${entries}</ul></section>`;
}

function exampleText(input: ProblemPageInput): Html {
  const headers = [['Content-Type', 'application/problem+json'], ...exampleHeaders(input.code)];
  const head = [`HTTP/1.1 ${PROBLEMS[input.code].status}`, ...headers.map((header) => header.join(': '))];
  return html`${head.join('\n')}\n\n${isolateArabic(JSON.stringify(exampleBody(input), undefined, 2))}`;
}

/** Marks Arabic strings within JSON as right-to-left. Otherwise parts of mixed text would swap places. */
function isolateArabic(json: string): Html {
  const pieces = json.split(ARABIC_RUN);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<bdi dir="rtl">${piece}</bdi>` : piece))}`;
}

/** The content of a JSON string that starts with an Arabic letter. */
const ARABIC_RUN = /(?<=")([\u0600-\u06ff][^"\n]*)(?=")/;

/** The path of an address. Pages link to their own host, whatever its public name is. */
function pathOf(address: string, baseUrl: string): string {
  return address.slice(baseUrl.length);
}

/** Why a problem occurs and how integrators fix it, as plain text. */
export interface ProblemText {
  readonly cause: string;
  readonly fix: string;
}

export function problemText(input: ProblemPageInput): ProblemText {
  const sections = sectionsOfProblem(input);
  const plain = (name: string) => {
    const section = sections.find(({ id }) => id === name);
    if (section === undefined) throw new Error(`The text of ${input.code} has no heading {#${name}}`);
    return section.body.replaceAll(/\s+/g, ' ').trim();
  };
  return { cause: plain('cause'), fix: plain('fix') };
}

function sectionsOfProblem(input: ProblemPageInput): readonly Section[] {
  const text = filledText(siteText(input, `problems/${problemSlug(input.code)}`), input);
  return sectionsOf(text.body).filter(({ id }) => id !== undefined);
}

function textSection({ id = '', title, body }: Section, locale: Locale): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${renderMarkdown(body, locale)}</section>
`;
}
