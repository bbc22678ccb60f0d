import type { WebhookEndpoint } from '../../contract/webhook.ts';
import { formatInstant, type Instant, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import type { EndpointRow } from './store.ts';

/** An endpoint as its owner sees it. An expired secret and a pause that is over are not shown. */
export function presentEndpoint(row: EndpointRow, now: Instant): WebhookEndpoint {
  const { previousSecretExpiresAt: until, pausedUntil } = row;
  return {
    endpointId: row.id,
    url: row.url,
    description: row.description,
    eventTypes: parseStored<WebhookEndpoint['eventTypes']>(row.eventTypes),
    state: row.state === 'DELETED' ? 'DISABLED' : row.state,
    secretHint: row.secretHint,
    previousSecretExpiresAt: until === null || until <= now ? null : formatInstant(until),
    lastSuccessAt: instantOrNull(row.lastSuccessAt),
    lastFailureAt: instantOrNull(row.lastFailureAt),
    consecutiveFailures: row.consecutiveFailures,
    pausedUntil: pausedUntil === null || pausedUntil <= now ? null : formatInstant(pausedUntil),
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
    version: row.version,
  };
}

/** The parts that change without the version: deliveries count, and an overlap of secrets or a pause ends. */
export function derivedPartsOf(row: EndpointRow, now: Instant) {
  const { previousSecretExpiresAt: until } = row;
  const overlapUntil = until === null || until <= now ? null : until;
  const pausedUntil = row.pausedUntil === null || row.pausedUntil <= now ? null : row.pausedUntil;
  return [row.lastSuccessAt, row.lastFailureAt, row.consecutiveFailures, overlapUntil, pausedUntil];
}

/** The path of an endpoint. */
export function endpointLocationOf(endpointId: string): string {
  return `/v2/external/webhook-endpoints/${endpointId}`;
}
