import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { renderPart } from '../reference/contents.ts';
import { HEADING, renderMarkdown } from '../reference/markdown.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { FRAME } from '../reference/words.ts';
import { type Chapter, siteText, wordOf } from '../text.ts';
import { filledText } from './placeholders.ts';

/** A guide with the values of its placeholders. */
export interface Guide {
  readonly title: string;
  readonly lead: string;
  readonly body: string;
}

export function readGuide(context: ReferenceContext, slug: string): Guide {
  const text = filledText(siteText(context, `guides/${slug}`), context);
  return { title: wordOf(text, 'title'), lead: wordOf(text, 'lead'), body: text.body };
}

/** The page of a guide at `/docs/{slug}`. */
export function guidePage(context: ReferenceContext, slug: string): string {
  const { locale } = context;
  const { title, lead, body } = readGuide(context, slug);
  const main = html`<section class="chapter guide" aria-labelledby="guide">
<p class="overline">${FRAME[locale].guides}</p>
<h1 id="guide">${title}</h1>
<p class="lead">${prose(lead, locale)}</p>
${renderMarkdown(body, locale)}</section>`;
  return renderPart(context, {
    here: slug,
    path: `/docs/${slug}`,
    title: `${title} · ${FRAME[locale].title}`,
    description: lead,
    main,
  });
}

/** A guide on the first page of the reference. */
export function chapterOf(context: ReferenceContext, { slug, anchor }: Chapter): Html {
  const { title, body } = readGuide(context, slug);
  return html`<section class="chapter" aria-labelledby="${anchor}">
<h2 id="${anchor}">${title}</h2>
${renderMarkdown(body, context.locale)}</section>`;
}

/** A guide as Markdown, at `/docs/{slug}.md`. */
export function guideMarkdown(context: ReferenceContext, slug: string): string {
  const { title, lead, body } = readGuide(context, slug);
  return `# ${title}\n\n> ${lead}\n\n${body.trim().replaceAll(HEADING, '$1 $2')}\n`;
}
