import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { TestEventResult } from '../../contract/webhook.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import { envelopeText } from '../events/record.ts';
import { type AttemptDependencies, attemptOnce } from './attempt.ts';
import { readEndpoint } from './endpoint.ts';
import { sampleOf } from './sample-event.ts';

export interface TestEventDependencies extends AttemptDependencies {
  readonly database: Database;
  readonly random: Random;
}

export interface TestEventOrder {
  readonly endpointId: Uuid;
  readonly eventType: EventType;
  readonly correlationId: Uuid;
}

/**
 * Sends a sample event of a type to an endpoint once, even if the endpoint is disabled. Returns what was signed and sent,
 * and the answer. Nothing is stored: the event is in no list, does not count as a failure and is not retried.
 */
export async function sendTestEvent(
  dependencies: TestEventDependencies,
  scope: CompanyScope,
  { endpointId, eventType, correlationId }: TestEventOrder,
): Promise<Result<TestEventResult>> {
  const { database, clock, random, config } = dependencies;
  const found = await readEndpoint(database, scope, endpointId);
  if (!found.ok) return found;
  const endpoint = found.value;
  const [now, eventId] = [clock.now(), random.uuid()];
  const body = envelopeText(config.deployment, {
    id: eventId,
    type: eventType,
    companyId: scope.companyId,
    shipmentId: null,
    isTest: true,
    occurredAt: now,
    correlationId,
    offsetSeconds: clock.offsetSeconds(),
    ...sampleOf(eventType, now),
  });
  const attempt = await attemptOnce(dependencies, endpoint, { eventId, body, isDown: false });
  const { startedAt, durationMs, responseStatus, error, headers } = attempt;
  return ok({
    eventId,
    url: endpoint.url,
    headers,
    body,
    startedAt: formatInstant(startedAt),
    durationMs,
    responseStatus,
    error,
  });
}
