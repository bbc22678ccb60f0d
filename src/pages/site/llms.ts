import { EVENT_TYPES } from '../../contract/event-type.ts';
import { PROBLEMS } from '../../core/catalogue.ts';
import { readGuide } from '../guides/guide.ts';
import { inWords, LIMITS } from '../limits.ts';
import { groupOperations, type ReferenceOperation } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { CALLERS } from '../reference/texts.ts';
import { MARKDOWN_GUIDES } from '../text.ts';

/** The service in one Markdown text for language models (llmstxt.org). `baseUrl` has no trailing slash. */
export function llmsText(context: ReferenceContext): string {
  const { document, baseUrl } = context;
  const about = document.info.summary ?? document.info.description ?? 'Merchant shipment service.';
  const groups = groupOperations(document).map(
    (group) =>
      `### [${oneLine(group.tag)}](${baseUrl}/docs/${group.slug})\n\n${group.operations.map(operationLine).join('\n')}`,
  );
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

${RULES.map((rule) => `- ${rule}`).join('\n')}

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

const RULES = [
  'Authentication: `POST /oauth/token`, form-encoded, `grant_type=client_credentials`, with the client id and secret. ' +
    `Send the token as \`Authorization: Bearer\`. It is valid for ${inWords(LIMITS.accessTokenSeconds, 'en')}. ` +
    '`shipments:write` does not include `shipments:read`.',
  'Idempotency: creating a shipment needs `Idempotency-Key` ' +
    `(${LIMITS.keyLengthMin} to ${LIMITS.keyLengthMax} characters). Use one key for each order and send it with the same ` +
    'body on every retry. An exact replay gets 200 with the first body. The same key with another body gets 422 ' +
    `\`IDEMPOTENCY_KEY_REUSED\`. Keys are kept for ${inWords(LIMITS.keySeconds, 'en')}. \`externalReference\` stays unique forever. Every other POST that makes something takes an optional key, kept for 24 hours.`,
  'Decimals are JSON numbers with up to 19 significant digits. Do not convert them to binary floating point. ' +
    'Send money without rounding, with no more fraction digits than its currency has.',
  'Instants are UTC, such as `2030-01-31T09:00:00.000000Z`. Requests need seconds and `Z` or `+00:00`; fraction digits after the sixth must be zero.',
  'Request bodies must not have unknown members. Responses may gain members; ignore those that you do not know.',
  'Cursors: a list answers `{ "data": [...], "page": { "nextCursor", "hasMore" } }`. Pass `nextCursor` unchanged as ' +
    `\`cursor\` with the same filters until it is null. \`limit\` is 1 to ${LIMITS.pageMax}, ${LIMITS.pageDefault} by default, and is never adjusted. \`Accept: text/csv\` answers CSV, with the next page in \`Link\`.`,
  'If-Match: send the `ETag` of the latest representation, with its quotation marks. Without it the service answers ' +
    '428; with an old one it answers 412 with `currentVersion`. In both cases nothing has changed.',
  'Errors are `application/problem+json` with `code`, `status`, `title`, `detail`, `requestId` and, for 422, ' +
    '`violations`. Decide by `code`. After 429 and 503, wait for `Retry-After`, then retry with growing delays. ' +
    '408 means that the body came too slowly and nothing was done: send it again.',
  'An answer without the documented status and members, such as a 200 of a captive portal, is no answer: the outcome is ' +
    'unknown. Repeat the call with the same key.',
  'A shipment that does not exist and a shipment of another company both get 403 `ACCESS_DENIED`.',
  'Webhooks are signed by Standard Webhooks 1.0.0: HMAC-SHA256 over `webhook-id.webhook-timestamp.body` with the base64 ' +
    'after `whsec_`, at least 24 bytes. An empty or missing secret is an error. One matching `v1,` signature is enough. ' +
    `Refuse timestamps more than ${inWords(LIMITS.signatureToleranceSeconds, 'en')} away from your clock. ` +
    'Delivery is at least once; deduplicate by `webhook-id`. ' +
    `Answer 2xx within ${inWords(LIMITS.webhookAnswerSeconds, 'en')}.`,
  'Read the state each time; do not assume a sequence. New states and event types may appear.',
] as const;

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
