import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { code, english } from './blocks.ts';
import { groupName, renderPart } from './contents.ts';
import type { OpenApiDocument } from './document.ts';
import { fieldsTable, objectAnchor, objectName, operationSection } from './operation-section.ts';
import { groupOperations, listOperations } from './operations.ts';
import type { ReferenceContext } from './samples.ts';
import { FRAME } from './words.ts';

/** The page that describes the objects, beside the pages of the groups. */
export const OBJECTS_PAGE = 'objects';

/** The operations of a group, with their fields, responses and samples. */
export function groupPage(context: ReferenceContext, slug: string): string {
  const { document, locale } = context;
  const group = groupOperations(document).find((each) => each.slug === slug);
  if (group === undefined) throw new Error(`There is no group of operations ${slug}`);
  const text = FRAME[locale];
  const { plain, name, description } = groupName(context, group);
  const main = html`<section class="chapter" aria-labelledby="${group.anchor}">
<p class="overline">${text.title}</p>
<h1 id="${group.anchor}">${name}</h1>
${description === undefined ? undefined : html`<p class="lead">${description}</p>`}
<p class="quiet">${prose(text.variables, locale)} ${prose(text.setUp, locale)}
<a href="/docs?lang=${locale}#client">${text.setUpLink}</a></p>
${group.operations.map((operation) => operationSection(context, operation))}
</section>`;
  return pageOf(context, { slug, title: `${plain} · ${text.title}`, main });
}

/** The objects in responses, each described once. */
export function objectsPage(context: ReferenceContext): string {
  const { document, locale } = context;
  const text = FRAME[locale];
  const sections = answeredObjects(document).map((name) => {
    const schema = document.components?.schemas?.[name] ?? {};
    return html`<section class="operation" aria-labelledby="${objectAnchor(name)}">
<h2 id="${objectAnchor(name)}">${code(name)}</h2>
${schema.description === undefined ? undefined : html`<p>${english(schema.description)}</p>`}
${fieldsTable(context, schema, name)}</section>
`;
  });
  const main = html`<section class="chapter" aria-labelledby="objects">
<p class="overline">${text.title}</p>
<h1 id="objects">${text.objects}</h1>
<p class="lead">${text.objectsIntro}</p>
${sections}</section>`;
  return pageOf(context, { slug: OBJECTS_PAGE, title: `${text.objects} · ${text.title}`, main });
}

function pageOf(context: ReferenceContext, { slug, title, main }: { slug: string; title: string; main: Html }): string {
  const { description } = FRAME[context.locale];
  return renderPart(context, { here: slug, path: `/docs/${slug}`, title, description, main });
}

/** The names of the objects in responses, sorted. */
export function answeredObjects(document: OpenApiDocument): readonly string[] {
  const successes = listOperations(document).flatMap(({ responses }) =>
    responses.filter((response) => response.status.startsWith('2')),
  );
  const names = successes.map((response) => objectName(response.content?.schema ?? {}));
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
