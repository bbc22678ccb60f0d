import * as z from 'zod';
import { ATTEMPT_NUMBER_MAX, EXCHANGES_KEPT_DAYS, URL_LENGTH_MAX } from '../core/limits.ts';
import { eventType } from './event.ts';
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  ENDPOINT_STATES,
  EVENT_TYPES,
  RECEIVER_CHECKS,
  REPLAY_STATES,
} from './event-type.ts';
import { version } from './shipment.ts';
import { addRepetitions, addViolation, instant, instantOut, integer, text, uuidOut } from './values.ts';

/** Webhook endpoints, their deliveries, and replays. */

const DESCRIPTION_LENGTH_MAX = 240;
const EVERY_TYPE = '*';

/** Distinct event types, or `["*"]` alone, which means every event type, including future ones. */
const eventTypes = z
  .array(z.enum([...EVENT_TYPES, EVERY_TYPE]))
  .min(1)
  .max(EVENT_TYPES.length)
  .check((context) => {
    addRepetitions(context, context.value);
    if (new Set(context.value).size > 1 && context.value.includes(EVERY_TYPE))
      addViolation(context, 'TOO_MANY_ITEMS', 'oneAlone');
  })
  .meta({ uniqueItems: true })
  .describe('`["*"]` alone means every event type.');

const url = text({ min: 1, max: URL_LENGTH_MAX });
const description = text({ max: DESCRIPTION_LENGTH_MAX });

/** Members of a new endpoint. */
export const endpointRequest = {
  url,
  description: z.nullish(description),
  eventTypes,
  enabled: z.optional(z.boolean()),
};
export type EndpointRequest = z.output<z.ZodObject<typeof endpointRequest>>;

/** Members of a change of an endpoint. Absent members keep their values. */
export const endpointChanges = {
  url: z.optional(url),
  description: z.nullish(description),
  eventTypes: z.optional(eventTypes),
  enabled: z.optional(z.boolean()),
};
export type EndpointChanges = z.output<z.ZodObject<typeof endpointChanges>>;

/** Members of a test event. */
export const testEventRequest = { eventType: z.enum(EVENT_TYPES), checks: z.optional(z.boolean()) };

const count = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });
const endpointMembers = {
  endpointId: uuidOut,
  url: z.string(),
  description: z.nullable(z.string()),
  eventTypes: z.array(z.enum([...EVENT_TYPES, EVERY_TYPE])),
  state: z.enum(ENDPOINT_STATES).exclude(['DELETED']),
  secretHint: z.string(),
  previousSecretExpiresAt: z.nullable(instantOut),
  lastSuccessAt: z.nullable(instantOut),
  lastFailureAt: z.nullable(instantOut),
  consecutiveFailures: count,
  pausedUntil: z.nullable(instantOut),
  createdAt: instantOut,
  updatedAt: instantOut,
  version,
};
export const webhookEndpoint = z.strictObject(endpointMembers).meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** Present where a change takes something away from requests that may have begun. */
const inFlight = z.optional(count);

export const changedWebhookEndpoint = z
  .strictObject({ ...endpointMembers, inFlight })
  .meta({ id: 'ChangedWebhookEndpoint' });

const signingSecret = z.string().meta({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$', example: `whsec_${'A'.repeat(43)}=` });

export const newWebhookEndpoint = z
  .strictObject({
    ...endpointMembers,
    signingSecret,
    sameUrlAs: z
      .optional(z.array(uuidOut))
      .describe('Earlier endpoints with the same address. Absent if there are none.'),
  })
  .describe('Only this response contains the signing secret.')
  .meta({ id: 'NewWebhookEndpoint' });

export const secretRotation = z
  .strictObject({ signingSecret, previousSecretExpiresAt: z.nullable(instantOut), inFlight })
  .meta({ id: 'SecretRotation' });

const attemptMembers = {
  startedAt: instantOut,
  durationMs: count,
  responseStatus: z
    .nullable(z.number().meta({ override: { type: 'integer' as const } }))
    .describe('The HTTP status that the endpoint answered; null without an answer.'),
  error: z.nullable(z.enum(ATTEMPT_ERRORS)),
};
const deliveryAttempt = z
  .strictObject({ number: count.describe('The number of the attempt, from 1.'), ...attemptMembers })
  .meta({ id: 'WebhookAttempt' });

const receiverCheck = z
  .strictObject({
    name: z.enum(RECEIVER_CHECKS),
    accepted: z
      .boolean()
      .describe('Whether the receiver answered 2xx: wrong for forged requests, and right for the repeated one.'),
  })
  .meta({ id: 'ReceiverCheck' });

export const testEventResult = z
  .strictObject({
    eventId: uuidOut,
    url: z.string(),
    headers: z.strictObject({
      'content-type': z.string().describe('The media type of the body.'),
      'user-agent': z.string().describe('Identifies the sender.'),
      'mirsal-webhook-endpoint': uuidOut.describe('The endpoint that the request is for.'),
      'webhook-id': z.string().describe('The id of the event.'),
      'webhook-timestamp': z.string().describe('When the attempt was made, in seconds since 1970.'),
      'webhook-signature': z.string().describe('One or more signatures, separated by spaces.'),
    }),
    body: z.string().describe('The text that was signed and sent.'),
    ...attemptMembers,
    checks: z.optional(z.array(receiverCheck)),
  })
  .meta({ id: 'TestEventResult' });
export type TestEventResult = z.output<typeof testEventResult>;

export const deliveryStatus = z.enum(DELIVERY_STATUSES);
const deliveryMembers = {
  deliveryId: uuidOut.describe('Identifies the delivery of an event to an endpoint.'),
  endpointId: uuidOut,
  eventId: uuidOut,
  eventType,
  shipmentId: z.nullable(uuidOut),
  status: deliveryStatus,
  attemptCount: count.describe(
    'Attempts that were made so far. An answer of 429, 502, 503 or 504 pauses the endpoint and is not counted.',
  ),
  nextAttemptAt: z.nullable(instantOut).describe('When the next attempt is due; null if there is none.'),
  createdAt: instantOut,
  completedAt: z.nullable(instantOut),
  replayOf: z.nullable(uuidOut).describe('The delivery that this one repeats; null if it is the first.'),
};
export const webhookDelivery = z.strictObject(deliveryMembers).meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** Failed deliveries without those that were sent again. */
export const unsentDeliveries = z.strictObject({ data: z.array(webhookDelivery) });
export type UnsentDeliveries = z.output<typeof unsentDeliveries>;

export const webhookDeliveryWithAttempts = z
  .strictObject({
    ...deliveryMembers,
    attempts: z
      .array(deliveryAttempt)
      .describe('The attempts, the first one first. The first ten answers that paused the endpoint are among them.'),
  })
  .meta({ id: 'WebhookDeliveryWithAttempts' });
export type WebhookDeliveryWithAttempts = z.output<typeof webhookDeliveryWithAttempts>;

/** The number of an attempt, from 1. */
export const attemptNumber = integer(1, ATTEMPT_NUMBER_MAX);

const headers = z.record(z.string(), z.string());
const receiverResponse = z
  .strictObject({
    status: z.number().meta({ override: { type: 'integer' as const, minimum: 100, maximum: 599 } }),
    headers: headers.describe('Some of the headers, such as `content-type`, `location` and request ids.'),
    body: z.string().describe('The first 4 KiB of text. Empty if the body is not text.'),
    truncated: z.boolean().describe('Whether `body` is not the whole body.'),
  })
  .meta({ id: 'ReceiverResponse' });

const sentRequest = z
  .strictObject({
    url: z
      .nullable(z.string())
      .describe(`The address. After ${EXCHANGES_KEPT_DAYS} days that of the endpoint now, null if it was deleted.`),
    headers: headers.describe('The headers of the webhook.'),
    body: z.nullable(z.string()).describe('The text that was signed. Null if the event was deleted.'),
  })
  .meta({ id: 'SentRequest' });

export const webhookExchange = z
  .strictObject({
    request: sentRequest.describe(
      `The request of the attempt. With DNS, BLOCKED_ADDRESS, CONNECT or TLS it may not have been sent. Time and signature are kept for ${EXCHANGES_KEPT_DAYS} days.`,
    ),
    response: z
      .nullable(receiverResponse)
      .describe(
        `What the endpoint answered: null without an answer, and ${EXCHANGES_KEPT_DAYS} days after the attempt.`,
      ),
    durationMs: attemptMembers.durationMs,
    error: attemptMembers.error,
  })
  .meta({ id: 'WebhookExchange' });
export type WebhookExchange = z.output<typeof webhookExchange>;

/** Statuses of finished deliveries. An open delivery needs no replay. */
const replayStatuses = z
  .array(z.enum(DELIVERY_STATUSES).exclude(['PENDING', 'RETRYING']))
  .min(1)
  .max(3);

/** Members of a request to replay a range. */
export const replayRequest = { from: instant, to: instant, statuses: z.optional(replayStatuses) };
export type ReplayRequest = z.output<z.ZodObject<typeof replayRequest>>;

/** What a replay of failed and skipped deliveries would send. `from` is null if there is nothing. */
export const recovery = z.strictObject({ from: z.nullable(instantOut), matched: count });
export type Recovery = z.output<typeof recovery>;

export const startedReplay = z.strictObject({ replayId: uuidOut, matched: count }).meta({ id: 'StartedReplay' });

export const webhookReplay = z
  .strictObject({
    replayId: uuidOut,
    endpointId: uuidOut,
    from: instantOut,
    to: instantOut,
    statuses: z.array(deliveryStatus),
    state: z.enum(REPLAY_STATES),
    matched: count,
    queued: count.describe('Deliveries that the replay has queued.'),
    succeeded: count.describe('Deliveries of the replay that succeeded.'),
    exhausted: count.describe('Deliveries of the replay whose every attempt failed.'),
    createdAt: instantOut,
    completedAt: z.nullable(instantOut),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.output<typeof webhookReplay>;
