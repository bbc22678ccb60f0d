import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';
import { CHAPTERS, GUIDES, siteText, wordOf } from '../text.ts';
import { arabicName } from './arabic.ts';
import { english } from './blocks.ts';
import { groupOperations, type OperationGroup, type ReferenceOperation } from './operations.ts';
import type { ReferenceContext } from './samples.ts';
import { FRAME } from './words.ts';

/** The purpose of an operation, in the reader's language if there is a translation. */
export function purposeOf(context: ReferenceContext, operation: ReferenceOperation): Html {
  const arabic = arabicName(context, operation.id ?? '');
  return arabic === undefined ? english(operation.purpose) : prose(arabic, 'ar');
}

/** The name and description of a group, in the reader's language if there is a translation. */
export function groupName(
  context: ReferenceContext,
  group: OperationGroup,
): { readonly plain: string; readonly name: Html; readonly description: Html | undefined } {
  const arabic = arabicName(context, group.tag);
  if (arabic !== undefined) {
    const about = arabicName(context, `${group.tag} description`) ?? '';
    return { plain: arabic, name: prose(arabic, 'ar'), description: prose(about, 'ar') };
  }
  const { tag, description } = group;
  return { plain: tag, name: english(tag), description: description === undefined ? undefined : english(description) };
}

/** The address of an operation's description. */
export function operationAddress(group: OperationGroup, operation: ReferenceOperation, locale: Locale): string {
  return `/docs/${group.slug}?lang=${locale}#${operation.anchor}`;
}

/** A page beside the table of contents. `here` is its last segment there, or undefined for the first page. */
export interface Part {
  readonly here: string | undefined;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly main: Html;
}

export function renderPart(context: ReferenceContext, { here, path, main, ...page }: Part): string {
  const { document, locale } = context;
  const framed = html`<div class="reference">
${contents(context, groupOperations(document), here)}
<div>
${main}
</div>
</div>`;
  return renderPage({ ...page, locale, languagePath: path, area: 'reference', main: framed });
}

/** The table of contents, with the operations of the current group. `here` is the current page. */
function contents(context: ReferenceContext, groups: readonly OperationGroup[], here: string | undefined): Html {
  const { locale } = context;
  const titleOf = (slug: string) => wordOf(siteText(context, `guides/${slug}`), 'title');
  const text = FRAME[locale];
  const chapters = [...CHAPTERS.map(({ slug, anchor }) => [anchor, titleOf(slug)]), ['lifecycle', text.lifecycle]].map(
    ([anchor, title]) => html`<li><a href="/docs?lang=${locale}#${anchor}">${title}</a></li>`,
  );
  const guides = GUIDES.map(
    (slug) => html`<li>${pageLink(`/docs/${slug}?lang=${locale}`, html`${titleOf(slug)}`, slug === here)}</li>`,
  );
  const changes = pageLink(`/changes?lang=${locale}`, html`${text.changes}`, here === CHANGES_PAGE);
  const tags = groups.map((group) => {
    const isHere = group.slug === here;
    return html`<li>${pageLink(`/docs/${group.slug}?lang=${locale}`, groupName(context, group).name, isHere)}${
      isHere ? operationLinks(context, group) : undefined
    }</li>
`;
  });
  return html`<nav class="contents" aria-label="${text.contents}">${searchField(locale)}<details><summary>${text.contents}</summary>
<p class="overline">${text.guides}</p>
<ul>${chapters}
${guides}
<li>${changes}</li></ul>
<p class="overline">${text.operations}</p>
<ul>${tags}
<li>${pageLink(`/docs/objects?lang=${locale}`, html`${text.objects}`, here === 'objects')}</li></ul></details></nav>`;
}

/** The field of the search. It needs a script, so the stylesheet hides it from browsers without one. */
function searchField(locale: Locale): Html {
  const { search } = FRAME[locale];
  return html`<search class="find"><label for="find">${search}</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-describedby="find-news">
<p id="find-news" class="quiet" role="status"></p><ul id="found"></ul></search>
`;
}

/** The page of changes in the table of contents. It is not below `/docs/`. */
export const CHANGES_PAGE = 'changes';

function pageLink(address: string, name: Html, isHere: boolean): Html {
  return isHere ? html`<a href="${address}" aria-current="page">${name}</a>` : html`<a href="${address}">${name}</a>`;
}

function operationLinks(context: ReferenceContext, group: OperationGroup): Html {
  return html`<ul>${group.operations.map(
    (operation) => html`<li><a href="#${operation.anchor}">${purposeOf(context, operation)}</a></li>`,
  )}</ul>`;
}
