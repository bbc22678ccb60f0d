import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { WebhookDelivery, WebhookDeliveryWithAttempts } from '../../contract/webhook.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import type { DeliveryAttempt } from './delivery-store.ts';
import {
  type AttemptRow,
  attemptsOf,
  type DeliveryFilter,
  type DeliveryRow,
  deliveryById,
  deliveryPage,
} from './log-store.ts';
import { instantOrNull } from './view.ts';

/** Deliveries of the company, newest first. */
export function listDeliveries(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { limit, cursor, ...filter }: PageRequest & DeliveryFilter,
): Promise<Result<Page<WebhookDelivery>>> {
  const { endpointId, status, eventType, shipmentId } = filter;
  return readPage(
    dependencies,
    { limit, cursor },
    {
      // Positions are those of one shard.
      binding: [
        'webhook-deliveries',
        scope.shard,
        scope.companyId,
        endpointId,
        status,
        eventType,
        shipmentId,
        'createdAt desc',
      ],
      select: (after, rows) => deliveryPage(scope, filter, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), String(row.position)],
      present: presentDelivery,
    },
  );
}

/**
 * One delivery of the company with its attempts. An unknown delivery and one of another company get the same refusal.
 */
export async function readDelivery(
  database: Database,
  scope: CompanyScope,
  id: Uuid,
): Promise<Result<WebhookDeliveryWithAttempts>> {
  const answer = await database.readAll([deliveryById(scope, id), attemptsOf(scope, id)] as const);
  if (!answer.ok) return unavailable();
  const [[row], attempts] = answer.results;
  if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
  const { onlyAttempt } = row;
  const shown = onlyAttempt === null ? attempts.map(presentAttempt) : [parseStored<DeliveryAttempt>(onlyAttempt)];
  return ok({ ...presentDelivery(row), attempts: shown });
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    deliveryId: row.id,
    endpointId: row.endpointId,
    eventId: row.eventId,
    eventType: row.eventType,
    shipmentId: row.shipmentId,
    status: row.status,
    attemptCount: row.attemptCount,
    nextAttemptAt: instantOrNull(row.nextAttemptAt),
    createdAt: formatInstant(row.createdAt),
    completedAt: instantOrNull(row.completedAt),
    replayOf: row.replayOf,
  };
}

function presentAttempt({ number, startedAt, durationMs, responseStatus, error }: AttemptRow) {
  return { number, startedAt: formatInstant(startedAt), durationMs, responseStatus, error };
}
