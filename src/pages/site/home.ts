import { html } from '../../http/web/html.ts';
import { filledText } from '../guides/placeholders.ts';
import { prose, renderPage } from '../page.ts';
import { renderMarkdown, sectionsOf } from '../reference/markdown.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { siteText, wordOf } from '../text.ts';

/** The page at `/`: what the service is, and links to its parts. */
export function homePage(context: ReferenceContext): string {
  const { locale } = context;
  const text = filledText(siteText(context, 'pages/home'), context);
  const sections = sectionsOf(text.body).filter(({ id }) => id !== undefined);
  const main = html`<article class="sheet">
<h1>${wordOf(text, 'title')}</h1>
<p class="lead">${wordOf(text, 'lead')}</p>
<p class="ways"><a class="way" href="/console/sign-up?lang=${locale}">${wordOf(text, 'signUp')}</a> <a href="/console?lang=${locale}">${wordOf(text, 'signIn')}</a></p>
${sections.map(({ title, body }) => html`<section>\n<h2>${title}</h2>\n${renderMarkdown(body, locale)}\n</section>\n`)}</article>`;
  return renderPage({
    locale,
    title: wordOf(text, 'title'),
    description: wordOf(text, 'description'),
    languagePath: '/',
    area: 'home',
    main,
  });
}

/** The page for an address that does not exist. It leads back to the places for people. */
export function notFoundPage(context: ReferenceContext): string {
  const { locale } = context;
  const text = filledText(siteText(context, 'pages/not-found'), context);
  const home = filledText(siteText(context, 'pages/home'), context);
  const people = sectionsOf(home.body).find(({ id }) => id === 'people');
  const [title, lead] = [wordOf(text, 'title'), wordOf(text, 'lead')];
  const places = `- **[${wordOf(text, 'home')}](/)**: ${wordOf(home, 'lead')}\n${people?.body.trim()}`;
  const main = html`<article class="sheet">
<h1>${title}</h1>
<p class="lead">${prose(lead, locale)}</p>
${renderMarkdown(text.body, locale)}
<section>
<h2>${people?.title}</h2>
${renderMarkdown(places, locale)}
</section>
</article>`;
  return renderPage({ locale, title, description: lead, languagePath: '', area: 'home', main });
}
