import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { chapterOf } from '../guides/guide.ts';
import { prose } from '../page.ts';
import { code } from '../reference/blocks.ts';
import { groupName, operationAddress, purposeOf, renderPart } from '../reference/contents.ts';
import { type LifecycleEdge, lifecycleDrawing, statesList } from '../reference/lifecycle.ts';
import { groupOperations, type OperationGroup } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { FRAME } from '../reference/words.ts';
import { CHAPTERS, OVERVIEW } from '../text.ts';

/** `baseUrl` has no trailing slash. `edges` are the legal changes of state. */
export interface ReferenceInput extends ReferenceContext {
  readonly edges: readonly LifecycleEdge[];
}

/** The first page of the reference: the guides, the lifecycle and an index of operations. It needs no script. */
export function referencePage(input: ReferenceInput): string {
  const { document, locale, edges } = input;
  const text = FRAME[locale];
  const groups = groupOperations(document);
  const main = html`${introduction(input)}
${chapterOf(input, OVERVIEW)}
${CHAPTERS.map((chapter) => html`${chapterOf(input, chapter)}\n`)}${lifecycleChapter(locale, edges)}
${operationsChapter(input, groups)}`;
  const { title, description } = text;
  return renderPart(input, { here: undefined, path: '/docs', title, description, main });
}

function introduction({ document, locale, baseUrl }: ReferenceInput): Html {
  const text = FRAME[locale];
  return html`<section class="chapter" aria-labelledby="reference">
<p class="overline">${text.version} <bdi dir="ltr">${document.info.version}</bdi></p>
<h1 id="reference">${text.title}</h1>
<p class="lead">${text.lead}</p>
<dl class="facts">
<div><dt>${text.address}</dt><dd>${code(baseUrl)}</dd></div>
<div><dt>${text.machine}</dt><dd><a href="/openapi.json">${code('openapi.json')}</a> ·
<a href="/llms.txt">${code('llms.txt')}</a></dd></div>
<div><dt>${text.headers}</dt><dd>${prose(text.commonHeaders, locale)}</dd></div>
</dl></section>`;
}

function lifecycleChapter(locale: Locale, edges: readonly LifecycleEdge[]): Html {
  const text = FRAME[locale];
  return html`<section class="chapter" aria-labelledby="lifecycle">
<h2 id="lifecycle">${text.lifecycle}</h2>
<p>${prose(text.lifecycleIntro, locale)}</p>
<figure class="lifecycle" dir="ltr" tabindex="0" aria-label="${text.lifecycle}">
${lifecycleDrawing(edges, text.lifecycle)}</figure>
<h3>${text.lifecycleTable}</h3>
${statesList(edges, locale)}
</section>`;
}

/** An index of all operations, so that the browser's search finds them. Its anchors are those of the operations. */
function operationsChapter(input: ReferenceInput, groups: readonly OperationGroup[]): Html {
  return html`<section class="chapter" aria-labelledby="operations">
<h2 id="operations">${FRAME[input.locale].operations}</h2>
${groups.map((group) => operationList(input, group))}
</section>`;
}

function operationList(input: ReferenceInput, group: OperationGroup): Html {
  const { locale } = input;
  const { name, description } = groupName(input, group);
  const entries = group.operations.map(
    (operation) => html`<li id="${operation.anchor}">
<a href="${operationAddress(group, operation, locale)}">${purposeOf(input, operation)}</a>
<bdi dir="ltr"><span class="method">${operation.method}</span> <code>${operation.path}</code></bdi></li>
`,
  );
  return html`<h3 id="${group.anchor}"><a href="/docs/${group.slug}?lang=${locale}">${name}</a></h3>
${description === undefined ? undefined : html`<p class="quiet">${description}</p>`}
<ul class="index">
${entries}</ul>
`;
}
