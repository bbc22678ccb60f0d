import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type {
  UnsentDeliveries,
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
  WebhookExchange,
} from '../../contract/webhook.ts';
import { addSeconds, formatInstant, instantOrNull, parseInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ACTIVITY_DAYS, EXCHANGES_KEPT_SECONDS } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { constantHeadersOf } from './attempt.ts';
import { openExchange } from './exchange.ts';
import {
  type AttemptRow,
  attemptsOf,
  attemptWithExchange,
  type DeliveryFilter,
  type DeliveryRow,
  deliveryById,
  deliveryPage,
  sentBy,
  unsentDeliveries,
} from './log-store.ts';
import type { DeliveryAttempt } from './outcome-store.ts';
import type { EndpointSecrets } from './secret.ts';

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

/** Older failures are only in the log. By then the receiver has the data from elsewhere or does not need it. */
const UNSENT_SECONDS = ACTIVITY_DAYS * 86_400;

/** The newest deliveries of the last days that failed for good and need somebody. */
export async function listUnsent(
  { database, clock }: { readonly database: Database; readonly clock: CompanyClock },
  scope: CompanyScope,
  limit: number,
): Promise<Result<UnsentDeliveries>> {
  const since = addSeconds(clock.now(), -UNSENT_SECONDS);
  const answer = await database.read(unsentDeliveries(scope, since, limit));
  return answer.ok ? ok({ data: answer.rows.map(presentDelivery) }) : unavailable();
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

export interface ExchangeDependencies {
  readonly database: Database;
  readonly clock: CompanyClock;
  readonly endpointSecrets: EndpointSecrets;
}

export interface AttemptId {
  readonly deliveryId: Uuid;
  readonly number: number;
}

/**
 * What an attempt sent and got. If it was not recorded or is too old, there is no response, and the request has the constant
 * headers and the endpoint's present address.
 */
export async function readAttempt(
  { database, clock, endpointSecrets }: ExchangeDependencies,
  scope: CompanyScope,
  id: AttemptId,
): Promise<Result<WebhookExchange>> {
  const reads = [sentBy(scope, id.deliveryId), attemptWithExchange(scope, id.deliveryId, id.number)] as const;
  const answer = await database.readAll(reads);
  if (!answer.ok) return unavailable();
  const [[sent], [row]] = answer.results;
  const only = sent?.onlyAttempt == null ? undefined : parseStored<DeliveryAttempt>(sent.onlyAttempt);
  const attempt = row === undefined ? only : presentAttempt(row);
  if (sent === undefined || attempt?.number !== id.number) return refuse('RESOURCE_NOT_FOUND');
  const sealed = row === undefined ? sent.onlyExchange : row.exchange;
  const startedAt = row === undefined ? parseInstant(attempt.startedAt) : row.startedAt;
  const isKept = startedAt !== undefined && clock.now() < addSeconds(startedAt, EXCHANGES_KEPT_SECONDS);
  const exchange = sealed === null || !isKept ? null : await openExchange(endpointSecrets, id, sealed);
  const request = exchange?.request ?? {
    url: sent.url,
    headers: { ...constantHeadersOf(sent.endpointId), 'webhook-id': sent.eventId },
  };
  const { durationMs, error } = attempt;
  return ok({ request: { ...request, body: sent.body }, response: exchange?.response ?? null, durationMs, error });
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
