import type { Locale } from '../core/locale.ts';
import { DEPLOYMENT_MARK, fontEntries, SCRIPT_MARK, STYLESHEET_MARK } from '../http/web/asset-paths.ts';
import { type Html, html } from '../http/web/html.ts';

/** The content of one page. `languagePath` is its path for the link to the other language, or empty for the current address. */
export interface SitePage {
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  readonly languagePath: string;
  /** The part of the site that the page belongs to. */
  readonly area: 'home' | 'reference' | 'problems';
  readonly main: Html;
}

const TEXTS = {
  en: {
    name: 'Mirsal',
    skip: 'Skip to content',
    other: 'العربية',
    reference: 'Reference',
    problems: 'Problems',
    console: 'Console',
    parts: 'Parts of the site',
  },
  ar: {
    name: 'مرسال',
    skip: 'انتقل إلى المحتوى',
    other: 'English',
    reference: 'المرجع',
    problems: 'رموز الأخطاء',
    console: 'لوحة التحكم',
    parts: 'أقسام الموقع',
  },
} as const satisfies Record<Locale, Record<string, string>>;

const OTHER = { en: 'ar', ar: 'en' } as const satisfies Record<Locale, Locale>;

/** The whole HTML document. It has no inline script and no inline style, so a strict Content-Security-Policy allows it. */
export function renderPage(page: SitePage): string {
  const text = TEXTS[page.locale];
  const other = OTHER[page.locale];
  return html`<!doctype html>
<html lang="${page.locale}" dir="${directionOf(page.locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${page.title} · ${text.name}</title>
${fontEntries(page.locale).map(
  (name) => html`<link rel="preload" as="font" type="font/woff2" href="/assets/${name}" crossorigin>\n`,
)}<link rel="stylesheet" href="${STYLESHEET_MARK}">${
    page.area === 'reference' ? html`\n<script type="module" src="${SCRIPT_MARK}"></script>` : undefined
  }
</head>
<body data-deployment="${DEPLOYMENT_MARK}">
<a class="skip" href="#content">${text.skip}</a>
<header class="top">
<a class="brand" href="/?lang=${page.locale}">
${mark()}<span>${text.name}</span></a>
<nav aria-label="${text.parts}">${areaLink(page, 'reference', '/docs')}${areaLink(page, 'problems', '/problems')}<a href="/console?lang=${page.locale}">${text.console}</a><a href="${page.languagePath}?lang=${other}" hreflang="${other}"
  lang="${other}" dir="${directionOf(other)}">${text.other}</a></nav>
</header>
<main id="content" tabindex="-1">
${page.main}
</main>
</body>
</html>
`.markup;
}

function areaLink({ locale, area }: SitePage, own: 'reference' | 'problems', path: string): Html {
  const address = `${path}?lang=${locale}`;
  const name = TEXTS[locale][own];
  return own === area
    ? html`<a href="${address}" aria-current="true">${name}</a>`
    : html`<a href="${address}">${name}</a>`;
}

function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr';
}

/** Latin text with its inner spaces and punctuation, without the punctuation that ends a sentence. */
const LATIN_RUN = /([A-Za-z0-9/*](?:[A-Za-z0-9/*_.:=+ -]*[A-Za-z0-9/*])?)/;

/** A sentence. In Arabic, its codes, numbers and addresses stay left-to-right. */
export function prose(sentence: string, locale: Locale): Html {
  if (locale !== 'ar') return html`${sentence}`;
  // The expression has a capture group, so every second piece is a match.
  const pieces = sentence.split(LATIN_RUN);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<bdi dir="ltr">${piece}</bdi>` : piece))}`;
}

/** The logo: the letter mim, drawn as a map pin. */
function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 24 28" width="24" height="28" aria-hidden="true" focusable="false">
<path fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"
  d="M12 26V17.5M12 17.5a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM12 17.5H4"/></svg>`;
}
