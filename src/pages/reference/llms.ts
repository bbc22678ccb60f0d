import { EVENT_TYPES } from '../../contract/event-type.ts';
import { PROBLEMS } from '../../core/catalogue.ts';
import type { OpenApiDocument } from './document.ts';
import { groupOperations, type Operation } from './operations.ts';
import { CALLERS } from './texts.ts';

/**
 * The service in one Markdown text for language models, after the llms.txt convention. `baseUrl` has no slash at its
 * end.
 */
export function llmsText({ document, baseUrl }: { document: OpenApiDocument; baseUrl: string }): string {
  const about = document.info.summary ?? document.info.description ?? 'Merchant shipment service.';
  const groups = groupOperations(document).map(
    (group) =>
      `### [${oneLine(group.tag)}](${baseUrl}/docs/${group.slug})\n\n${group.operations.map(operationLine).join('\n')}`,
  );
  return `# ${oneLine(document.info.title)}

> ${oneLine(about)}

Base address: ${baseUrl} (all paths are relative to it). Interface version ${oneLine(document.info.version)}.

## Documentation

- [API reference](${baseUrl}/docs): guides, and where each operation is
- [OpenAPI document](${baseUrl}/openapi.json): OpenAPI 3.1, complete and machine-readable
- [First shipment in five minutes](${baseUrl}/docs#first-shipment): from a credential to a delivered shipment
- [Receiving webhooks](${baseUrl}/docs#webhooks): with verification in TypeScript, Python, PHP, Go and C#
- [Errors and retries](${baseUrl}/docs#errors): what to do after each status
- [Lifecycle](${baseUrl}/docs#lifecycle): the states of a shipment and what moves it between them
- [Objects](${baseUrl}/docs/objects): the fields of every answer
- [Problems](${baseUrl}/problems): every code with cause, fix and example; JSON with \`Accept: application/json\`

## Rules for every caller

${RULES.map((rule) => `- ${rule}`).join('\n')}

## Operations

Each line: method and path (scope): purpose. Fields, answers and samples are on the page of the group.

${groups.join('\n\n')}

## Events

Sent to webhook endpoints and listed by \`GET /v2/external/events\`: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.

## Problem codes

Each has its page at ${baseUrl}/problems/{code in lower case, with hyphens}.

${codeLines()}
`;
}

const RULES = [
  'Authentication: `POST /oauth/token`, form-encoded, `grant_type=client_credentials`, with the client id and secret; ' +
    'send the token as `Authorization: Bearer`. It lives one hour. `shipments:write` does not imply `shipments:read`.',
  'Idempotency: creating a shipment needs `Idempotency-Key` (16 to 128 characters). Use one key for each order and ' +
    'repeat it with the same body on every retry: an exact replay answers 200 with the first body. The same key with ' +
    'another body is 422 `IDEMPOTENCY_KEY_REUSED`. Keys are kept for 7 days; `externalReference` stays unique for ever.',
  'Decimals are JSON numbers with up to 19 significant digits. Do not pass them through binary floating point; print ' +
    'money without rounding and with no more fraction digits than its currency has.',
  'Instants are UTC, such as `2030-01-31T09:00:00.000000Z`. Requests need seconds and `Z` or `+00:00`.',
  'Request bodies must not have unknown members. Answers may gain members: ignore what you do not know.',
  'Cursors: a list answers `{ "data": [...], "page": { "nextCursor", "hasMore" } }`. Pass `nextCursor` unchanged as ' +
    '`cursor` with the same filters until it is null. `limit` is 1 to 100, 25 by default, and is never clamped.',
  'If-Match: send the `ETag` of the last representation, quotation marks included. Without it 428, with an old one 412 ' +
    'and `currentVersion`; nothing has changed then.',
  'Errors are `application/problem+json` with `code`, `status`, `title`, `detail`, `requestId` and, for 422, ' +
    '`violations`. Decide by `code`. Wait for `Retry-After` after 429 and 503, then retry with growing delays.',
  'A shipment that does not exist and one of another company are the same 403 `ACCESS_DENIED`.',
  'Webhooks are signed by Standard Webhooks 1.0.0: HMAC-SHA256 over `webhook-id.webhook-timestamp.body` with the base64 ' +
    'after `whsec_`; any one of the `v1,` signatures suffices; refuse timestamps more than 5 minutes off. At least once: ' +
    'go by `webhook-id`. Answer 2xx within 15 seconds.',
  'State is a value to read, not a sequence: new states and event kinds may appear.',
] as const;

function operationLine({ access, method, path, purpose }: Operation): string {
  const rights = access.length === 0 ? 'no authentication' : access.map((one) => CALLERS[one]?.en ?? one).join(' or ');
  return `- \`${method} ${path}\` (${rights}): ${oneLine(purpose)}`;
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

/** Line breaks would end the list or the quotation that a text stands in. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
