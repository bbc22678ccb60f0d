import { html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { renderPart } from '../reference/contents.ts';
import { GUIDE_TITLES } from '../reference/guide-titles.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { FRAME } from '../reference/texts.ts';
import { type Guide, renderBlocks } from './guide.ts';

/** The page of a guide at `/docs/{slug}`. */
export function guidePage(context: ReferenceContext, { slug, blocks }: Guide): string {
  const { locale } = context;
  const { title, lead } = GUIDE_TITLES[slug][locale];
  const main = html`<section class="chapter guide" aria-labelledby="guide">
<p class="overline">${FRAME[locale].guides}</p>
<h1 id="guide">${title}</h1>
<p class="lead">${prose(lead, locale)}</p>
${renderBlocks(blocks[locale](context), locale)}</section>`;
  return renderPart(context, {
    here: slug,
    path: `/docs/${slug}`,
    title: `${title} · ${FRAME[locale].title}`,
    description: lead,
    main,
  });
}
