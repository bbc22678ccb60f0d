import type { JsonAnswer } from './failure.ts';
import { isRecord } from './problem.ts';

/*
 * Proxies and captive portals answer too, often with 200. Only an answer with the members of its operation is a success. Any
 * other answer that is not a problem of the service leaves the outcome unknown.
 */

/**
 * Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an operation
 * without a row, such as a newer one, need X-Request-Id. It is the weaker proof: some proxies drop it and others add one.
 */
const SHAPES = `
POST /oauth/token access_token expires_in
DELETE .* 204
GET .*/(shipments|timeline|amendments|items|tracking-links|media-assets) data page
GET .*/(branches|pickup-locations|events|webhook-endpoints|webhook-deliveries|requests) data page
GET .*/statements/[^/]+ data page
GET .*/(cities|capabilities) data
POST .*/(shipments|amendments|amendment-previews|cancellations|resolutions|recalls|returns|dispatch-retries|dispatch-releases|scenarios) shipmentId
POST .*/rejections askedAt
POST .*/cases caseId
[A-Z]+ .*/cases/[^/]+(/messages|/decisions|/withdrawals)? caseId
POST .*/decisions amendmentId
GET .*/(shipments/[^/]+|cancellation-preview|resolution) shipmentId
GET .*/relations followUps
[A-Z]+ .*/shipment-batches(/[^/]+)? batchId
POST .*/shipment-validations violations
[A-Z]+ .*/tracking-links(/[^/]+)? linkId
[A-Z]+ .*/webhook-endpoints(/[^/]+)? endpointId
[A-Z]+ .*/webhook-deliveries/[^/]+(/replays)? deliveryId
[A-Z]+ .*/replays(/[^/]+)? replayId
POST .*/secret-rotations signingSecret
POST .*/test-events eventId
POST .*/(media-assets|proof-media) mediaAssetId
GET .*/proof sha256
POST .*/pin-resends resendsRemaining
[A-Z]+ .*/metadata metadata
POST .*/price-locks priceLock
POST .*/national-address-lookups shortAddress
[A-Z]+ .*/national-address policy
POST .*/address-suggestions data
[A-Z]+ .*/(shipment-price-estimates|charges) currency
[A-Z]+ .*/sandbox/(bootstrap|readiness|dispatch-hold|dispatch-settings|resets) branchCode
`;

/** Members that are no text. */
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  data: Array.isArray,
  followUps: Array.isArray,
  violations: Array.isArray,
  page: isRecord,
  metadata: isRecord,
  expires_in: (value) => typeof value === 'number',
  resendsRemaining: (value) => typeof value === 'number',
};

const ROWS = SHAPES.trim()
  .split('\n')
  .map((row) => {
    const [method = '', path = '', ...members] = row.split(' ');
    return { pattern: new RegExp(`^${method} ${path}$`), members };
  });

/** Whether an answer is a success of the operation. `path` may have a query. An empty body is null. */
export function isSuccess(operation: string, { status, headers, body }: JsonAnswer): boolean {
  const [name = ''] = operation.split('?');
  const members = ROWS.find(({ pattern }) => pattern.test(name))?.members;
  if (members?.[0] === '204') return status === 204;
  if (![200, 201, 202].includes(status) || !isRecord(body)) return false;
  if (members === undefined) return headers.has('x-request-id');
  return members.every((member) => (KINDS[member] ?? isText)(body[member]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
