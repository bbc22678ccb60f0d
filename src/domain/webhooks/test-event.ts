import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { type EventType, RECEIVER_CHECKS, type ReceiverCheck } from '../../contract/event-type.ts';
import type { TestEventResult } from '../../contract/webhook.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import { envelopeText } from '../events/record.ts';
import { type AttemptDependencies, attemptOnce, type Message } from './attempt.ts';
import { readEndpoint } from './endpoint.ts';
import { sampleOf } from './sample-event.ts';
import { EMPTY_SECRET, newSigningSecret } from './secret.ts';
import type { EndpointRow } from './store.ts';

export interface TestEventDependencies extends AttemptDependencies {
  readonly database: Database;
  readonly random: Random;
}

export interface TestEventOrder {
  readonly endpointId: Uuid;
  readonly eventType: EventType;
  readonly correlationId: Uuid;
  /** Whether to try the receiver with forged requests, too. */
  readonly checks?: boolean | undefined;
}

/**
 * Sends a sample event of a type to an endpoint once, even if the endpoint is disabled. Returns what was signed and sent,
 * and the answer. Nothing is stored: the event is in no list, does not count as a failure and is not retried.
 */
export async function sendTestEvent(
  dependencies: TestEventDependencies,
  scope: CompanyScope,
  order: TestEventOrder,
): Promise<Result<TestEventResult>> {
  const found = await readEndpoint(dependencies.database, scope, order.endpointId);
  if (!found.ok) return found;
  const endpoint = found.value;
  const message = sampleMessage(dependencies, scope, order);
  const { eventId, body } = message;
  const attempt = await attemptOnce(dependencies, endpoint, message);
  const { startedAt, durationMs, responseStatus, error, headers } = attempt;
  const result = { startedAt: formatInstant(startedAt), durationMs, responseStatus, error };
  const sent = { eventId, url: endpoint.url, headers, body, ...result };
  if (order.checks !== true) return ok(sent);
  // The receiver may have taken seconds. After a change no request may begin with the old address or secret.
  const current = await readEndpoint(dependencies.database, scope, order.endpointId);
  if (!current.ok || current.value.version !== endpoint.version) return ok(sent);
  const nextMessage = () => sampleMessage(dependencies, scope, order);
  const messages = checkMessages(dependencies, message, nextMessage);
  // At once, because each may take as long as a receiver may need.
  const checks = await Promise.all(
    RECEIVER_CHECKS.map((name) => checkOf(dependencies, endpoint, name, messages[name])),
  );
  return ok({ ...sent, checks });
}

/** A new sample event. */
function sampleMessage(
  { clock, random, config }: TestEventDependencies,
  { companyId }: CompanyScope,
  { eventType: type, correlationId }: TestEventOrder,
): Message {
  const [occurredAt, id] = [clock.now(), random.uuid()];
  const sample = sampleOf(type, occurredAt);
  const offsetSeconds = clock.offsetSeconds();
  const event = { id, type, companyId, shipmentId: null, isTest: true, occurredAt, correlationId, offsetSeconds };
  return { eventId: id, body: envelopeText(config.deployment, { ...event, ...sample }), isDown: false };
}

/** Far outside of what a receiver may tolerate: Standard Webhooks recommends some minutes. */
const OLD_SECONDS = 3600;

/** Forged events are new ones: a receiver that skips repeated events must not take one for a repeat. */
function checkMessages(
  { clock, random }: TestEventDependencies,
  sent: Message,
  next: () => Message,
): Readonly<Record<ReceiverCheck, Message>> {
  const old: Instant = addSeconds(clock.wall.now(), -OLD_SECONDS);
  return {
    WRONG_SIGNATURE: { ...next(), forged: { secrets: [newSigningSecret(random)] } },
    OLD_TIMESTAMP: { ...next(), forged: { at: old } },
    EMPTY_KEY: { ...next(), forged: { secrets: [EMPTY_SECRET] } },
    DUPLICATE: sent,
  };
}

async function checkOf(
  dependencies: TestEventDependencies,
  endpoint: EndpointRow,
  name: ReceiverCheck,
  message: Message,
): Promise<NonNullable<TestEventResult['checks']>[number]> {
  return { name, accepted: (await attemptOnce(dependencies, endpoint, message)).error === null };
}
