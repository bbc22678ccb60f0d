import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';
import { code, english, table } from './blocks.ts';
import type { OpenApiDocument } from './document.ts';
import { GUIDES } from './guide-texts.ts';
import { errorsGuide, firstShipmentGuide } from './guides.ts';
import { type LifecycleEdge, lifecycleDrawing } from './lifecycle.ts';
import { fieldsTable, objectAnchor, operationSection, type ReferenceContext } from './operation-section.ts';
import { groupOperations, listOperations, type OperationGroup } from './operations.ts';
import { refName } from './resolve.ts';
import { FRAME } from './texts.ts';

/** What the reference is made from. `baseUrl` has no slash at its end; `edges` are the legal changes of state. */
export interface ReferenceInput {
  readonly document: OpenApiDocument;
  readonly locale: Locale;
  readonly baseUrl: string;
  readonly edges: readonly LifecycleEdge[];
}

/** The API reference as one HTML document that needs no script. */
export function referencePage(input: ReferenceInput): string {
  const { document, locale, baseUrl, edges } = input;
  const text = FRAME[locale];
  const context: ReferenceContext = { document, locale, baseUrl };
  const groups = groupOperations(document);
  const objects = answeredObjects(document);
  const main = html`<div class="reference">
${contents(locale, groups, objects)}
<div>
${introduction(input)}
${firstShipmentGuide(baseUrl, locale)}
${errorsGuide(locale)}
${lifecycleChapter(locale, edges)}
${groups.map((group) => groupChapter(context, group))}
${objectsChapter(context, objects)}
</div>
</div>`;
  return renderPage({ locale, title: text.title, description: text.description, languagePath: '/docs', main });
}

function introduction({ document, locale, baseUrl }: ReferenceInput): Html {
  const text = FRAME[locale];
  const { title, version, summary, description } = document.info;
  const about = summary ?? description;
  return html`<section class="chapter">
<p class="overline"><span lang="en" dir="ltr">${title}</span> · ${text.version} <bdi dir="ltr">${version}</bdi></p>
<h1>${text.title}</h1>
${about === undefined ? undefined : html`<p class="lead">${english(about)}</p>`}
<p>${code(baseUrl)}</p>
<p><span class="quiet">${text.machine}:</span>
<a href="/openapi.json">${code('openapi.json')}</a> · <a href="/llms.txt">${code('llms.txt')}</a></p>
</section>`;
}

function contents(locale: Locale, groups: readonly OperationGroup[], objects: readonly string[]): Html {
  const text = FRAME[locale];
  const guide = GUIDES[locale];
  const tags = groups.map(
    (group) => html`<li><a href="#${group.anchor}"><b>${english(group.tag)}</b></a><ul>
${group.operations.map(
  (operation) => html`<li><a href="#${operation.anchor}">${english(operation.purpose)}</a></li>
`,
)}</ul></li>
`,
  );
  return html`<nav class="contents" aria-label="${text.contents}"><details><summary>${text.contents}</summary><ul>
<li><a href="#first-shipment">${guide.first}</a></li>
<li><a href="#errors">${guide.errors}</a></li>
<li><a href="#lifecycle">${text.lifecycle}</a></li>
${tags}
${objects.length === 0 ? undefined : html`<li><a href="#objects"><b>${text.objects}</b></a></li>`}
</ul></details></nav>`;
}

function lifecycleChapter(locale: Locale, edges: readonly LifecycleEdge[]): Html {
  const text = FRAME[locale];
  const rows = edges.map((edge) => [code(edge.from), code(edge.to), english(edge.label)]);
  return html`<section class="chapter" aria-labelledby="lifecycle">
<h2 id="lifecycle">${text.lifecycle}</h2>
<p>${prose(text.lifecycleIntro, locale)}</p>
<figure class="lifecycle" dir="ltr" tabindex="0" aria-label="${text.lifecycle}">
${lifecycleDrawing(edges, text.lifecycle)}</figure>
${table(text.lifecycle, [text.from, text.to, text.cause], rows)}
</section>`;
}

function groupChapter(context: ReferenceContext, group: OperationGroup): Html {
  return html`<section class="chapter" aria-labelledby="${group.anchor}">
<h2 id="${group.anchor}">${english(group.tag)}</h2>
${group.description === undefined ? undefined : html`<p>${english(group.description)}</p>`}
${group.operations.map((operation) => operationSection(context, operation))}
</section>
`;
}

/** The objects that answers name, each described once. */
function objectsChapter(context: ReferenceContext, names: readonly string[]): Html | undefined {
  const text = FRAME[context.locale];
  if (names.length === 0) return undefined;
  const sections = names.map((name) => {
    const schema = context.document.components?.schemas?.[name] ?? {};
    return html`<section class="operation" aria-labelledby="${objectAnchor(name)}">
<h3 id="${objectAnchor(name)}">${code(name)}</h3>
${schema.description === undefined ? undefined : html`<p>${english(schema.description)}</p>`}
${fieldsTable(context, schema, name)}</section>
`;
  });
  return html`<section class="chapter" aria-labelledby="objects"><h2 id="objects">${text.objects}</h2>
${sections}</section>`;
}

function answeredObjects(document: OpenApiDocument): readonly string[] {
  const successes = listOperations(document).flatMap(({ responses }) =>
    responses.filter((response) => response.status.startsWith('2')),
  );
  const references = successes.map((response) => response.content?.schema?.$ref).filter((ref) => ref !== undefined);
  return [...new Set(references.map(refName))].sort();
}
