import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  ENDPOINT_STATES,
  EVENT_TYPES,
  REPLAY_STATES,
} from '../../../src/contract/event-type.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/** Where a company wants its events sent. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').notNull(),
    url: text().notNull(),
    description: text(),
    /** JSON array of event types, or `["*"]`. */
    eventTypes: text('event_types').notNull(),
    state: oneOf(ENDPOINT_STATES)().notNull(),
    /** Encrypted: see `EndpointSecrets`. */
    secret: text().notNull(),
    secretHint: text('secret_hint').notNull(),
    /** The previous secret. It also signs until it expires. */
    previousSecret: text('previous_secret'),
    previousSecretExpiresAt: instant('previous_secret_expires_at'),
    lastSuccessAt: instant('last_success_at'),
    lastFailureAt: instant('last_failure_at'),
    consecutiveFailures: count('consecutive_failures').notNull(),
    /** The first failure since the last success. */
    failingSince: instant('failing_since'),
    /** Nothing is sent before. Null once the receiver has answered otherwise than by asking for a pause. */
    pausedUntil: instant('paused_until'),
    /** Pauses in a row, by which they grow. */
    pauseCount: count('pause_count').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Covers what the owner sets. Delivery counters do not change it. */
    version: count().notNull(),
  },
  (table) => [
    check('webhook_endpoints_state', isOneOf(table.state, ENDPOINT_STATES)),
    // Fan-out, listing, and the number of a company's endpoints.
    index('webhook_endpoints_of_company').on(table.companyId, table.createdAt, table.id),
    // Sweep: deleted endpoints.
    index('webhook_endpoints_deleted').on(table.id).where(sql`${table.state} = 'DELETED'`),
  ],
);

/** Deliveries: one event to one endpoint. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** In order of insertion, which is the order of their events. */
    position: integer().primaryKey(),
    /** Of the first delivery of an event: with the time of the event's id. */
    id: uuid().notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    companyId: uuid('company_id').notNull(),
    eventId: uuid('event_id').notNull(),
    eventType: oneOf(EVENT_TYPES)('event_type').notNull(),
    shipmentId: uuid('shipment_id'),
    /** Deliveries of one line to one endpoint go one after the other. Null: waits for no other delivery. */
    line: text(),
    status: oneOf(DELIVERY_STATUSES)().notNull(),
    attemptCount: count('attempt_count').notNull(),
    /** Answers that paused the endpoint. They are no attempts. */
    pauseCount: count('pause_count').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    /**
     * The lease: the version of the endpoint that it is sent with and the queue that sends it; until when no other queue may. A new
     * delivery begins with one of the queue that is woken for it.
     */
    leaseToken: text('lease_token'),
    leaseUntil: instant('lease_until'),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
    replayOf: uuid('replay_of'),
    replayId: uuid('replay_id'),
    /** JSON of the attempt, if the first one succeeded. All others are rows of their own. */
    onlyAttempt: text('only_attempt'),
    /** What this attempt sent and got, encrypted; null once it is too old. */
    onlyExchange: text('only_exchange'),
  },
  (table) => {
    const isOpen = sql`${table.status} in ('PENDING', 'RETRYING')`;
    return [
      check('webhook_deliveries_status', isOneOf(table.status, DELIVERY_STATUSES)),
      // Where two indexes serve a statement equally, SQLite takes the one that was created last.
      // By id, where its event does not lead to it: see `positionOfDelivery`.
      uniqueIndex('webhook_deliveries_id')
        .on(table.id)
        .where(sql`${table.shipmentId} is null or ${table.replayOf} is not null`),
      // Listing: newest first within a company, and replays of a range. Those of each endpoint and type are merged.
      index('webhook_deliveries_of_endpoint').on(table.companyId, table.endpointId, table.eventType, table.createdAt),
      // Listing with shipmentId, and the queue: earlier deliveries of the same line.
      index('webhook_deliveries_of_shipment')
        .on(table.shipmentId, table.createdAt)
        .where(sql`${table.shipmentId} is not null`),
      // Progress of a replay.
      index('webhook_deliveries_of_replay').on(table.replayId).where(sql`${table.replayId} is not null`),
      // Listing with a status that few deliveries ever have, so that most cost no entry.
      index('webhook_deliveries_failed')
        .on(table.companyId, table.status, table.createdAt)
        .where(sql`${table.status} = 'RETRYING' or ${table.status} = 'EXHAUSTED' or ${table.status} = 'SKIPPED'`),
      // Queue: due deliveries. Listing with status PENDING. Backlog.
      index('webhook_deliveries_due').on(table.endpointId, table.nextAttemptAt, table.status).where(isOpen),
    ];
  },
);

/** Outcomes of attempts, except a first one that succeeded. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    deliveryId: uuid('delivery_id').notNull(),
    companyId: uuid('company_id').notNull(),
    /** From 1. */
    number: count().notNull(),
    startedAt: instant('started_at').notNull(),
    durationMs: count('duration_ms').notNull(),
    responseStatus: count('response_status'),
    error: oneOf(ATTEMPT_ERRORS)(),
    /** What the attempt sent and got, encrypted; null once it is too old. */
    exchange: text(),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryId, table.number] }),
    // Sweep: exchanges that are too old.
    index('webhook_attempts_exchanges').on(table.startedAt).where(sql`${table.exchange} is not null`),
    check('webhook_attempts_error', isOneOf(table.error, ATTEMPT_ERRORS)),
  ],
);

/** Replays: a range of deliveries is sent again, in the background. */
export const webhookReplays = sqliteTable(
  'webhook_replays',
  {
    id: uuid().primaryKey(),
    endpointId: uuid('endpoint_id').notNull(),
    companyId: uuid('company_id').notNull(),
    fromAt: instant('from_at').notNull(),
    toAt: instant('to_at').notNull(),
    /** JSON array. */
    statuses: text().notNull(),
    state: oneOf(REPLAY_STATES)().notNull(),
    matched: count().notNull(),
    queued: count().notNull(),
    /** The last delivery that was queued. */
    cursorAt: instant('cursor_at').notNull(),
    cursorPosition: count('cursor_position').notNull(),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (table) => [
    check('webhook_replays_state', isOneOf(table.state, REPLAY_STATES)),
    // At most one running replay per endpoint.
    uniqueIndex('webhook_replays_running').on(table.endpointId).where(sql`${table.state} = 'RUNNING'`),
    // Retention.
    index('webhook_replays_completed').on(table.completedAt),
  ],
);
