import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';
import { HOME_TEXTS } from './texts.ts';

/** The page at `/`: what this is, and where everything is. */
export function homePage(locale: Locale): string {
  const text = HOME_TEXTS[locale];
  const places = (list: typeof text.forPeople) =>
    html`<dl class="facts">${list.map((place) => placeOf(place, locale))}</dl>`;
  const main = html`<article class="sheet">
<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
<section>
<h2>${text.people}</h2>
${places(text.forPeople)}
</section>
<section>
<h2>${text.tracking}</h2>
<p>${text.trackingText}</p>
</section>
<section>
<h2>${text.machines}</h2>
${places(text.forMachines)}
</section>
</article>`;
  return renderPage({
    locale,
    title: text.title,
    description: text.description,
    languagePath: '/',
    area: 'home',
    main,
  });
}

function placeOf(
  { path, name, text }: { readonly path: string; readonly name: string; readonly text: string },
  locale: Locale,
): Html {
  // Only pages have languages.
  const address = /^\/(?:console|docs|problems)\b/.test(path) ? `${path}?lang=${locale}` : path;
  return html`<div><dt><a href="${address}">${name}</a></dt><dd>${prose(text, locale)}</dd></div>\n`;
}
