import { EVENT_TYPES } from '../../contract/event-type.ts';
import { PROBLEMS } from '../../core/catalogue.ts';
import { readGuide } from '../guides/guide.ts';
import { filledText } from '../guides/placeholders.ts';
import { groupOperations, type ReferenceOperation } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { CALLERS } from '../reference/words.ts';
import { MARKDOWN_GUIDES, siteText } from '../text.ts';

/** The service in one Markdown text for language models (llmstxt.org). `baseUrl` has no trailing slash. */
export function llmsText(context: ReferenceContext): string {
  const { document, baseUrl } = context;
  const about = document.info.summary ?? document.info.description ?? 'Merchant shipment service.';
  const groups = groupOperations(document).map(
    (group) =>
      `### [${oneLine(group.tag)}](${baseUrl}/docs/${group.slug})\n\n${group.operations.map(operationLine).join('\n')}`,
  );
  const { body: rules } = filledText(siteText(context, 'pages/llms-rules'), context);
  return `# ${oneLine(document.info.title)}

> ${oneLine(about)}

Base address: ${baseUrl} (all paths are relative to it). Interface version ${oneLine(document.info.version)}.

## Documentation

- [API reference](${baseUrl}/docs): guides, and links to every operation
- [OpenAPI document](${baseUrl}/openapi.json): OpenAPI 3.1, complete and machine-readable
${MARKDOWN_GUIDES.map((slug) => guideLine(context, slug)).join('\n')}
- [Changes](${baseUrl}/changes): what is new, the newest version first
- [Lifecycle](${baseUrl}/docs#lifecycle): the states of a shipment and the events between them
- [Objects](${baseUrl}/docs/objects): the fields of every response
- [Problems](${baseUrl}/problems): every code with cause, fix and example; JSON with \`Accept: application/json\`

## Rules for every caller

${rules.trim().replaceAll('\n  ', ' ')}

## Operations

Each line: method and path (scope): purpose. Fields, responses and samples are on the page of the group.

${groups.join('\n\n')}

## Events

The service sends these to webhook endpoints and lists them at \`GET /v2/external/events\`: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.

## Problem codes

Each code has a page at ${baseUrl}/problems/{code in lower case, with hyphens}.

${codeLines()}
`;
}

function operationLine({ access, method, path, purpose }: ReferenceOperation): string {
  const rights = access.length === 0 ? 'no authentication' : access.map((one) => CALLERS[one]?.en ?? one).join(' or ');
  return `- \`${method} ${path}\` (${rights}): ${oneLine(purpose)}`;
}

/** A guide, as Markdown. */
function guideLine(context: ReferenceContext, slug: string): string {
  const { title, lead } = readGuide(context, slug);
  return `- [${title}](${context.baseUrl}/docs/${slug}.md): ${lead}`;
}

function codeLines(): string {
  const statuses = new Map<number, string[]>();
  for (const [code, { status }] of Object.entries(PROBLEMS)) {
    statuses.set(status, [...(statuses.get(status) ?? []), `\`${code}\``]);
  }
  return [...statuses]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => `- ${status}: ${codes.join(', ')}`)
    .join('\n');
}

/** Joins lines, because a line break would end the list item or the quotation. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
