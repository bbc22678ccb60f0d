import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/* The tables as a project that uses drizzle throughout would declare them. */

const micros = (name: string) => integer(name, { mode: 'number' });

export const branches = sqliteTable(
  'branches',
  {
    companyId: text('company_id').notNull(),
    branchCode: text('branch_code').notNull(),
    status: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.branchCode] })],
);

export const pickupLocations = sqliteTable(
  'pickup_locations',
  {
    companyId: text('company_id').notNull(),
    pickupLocationCode: text('pickup_location_code').notNull(),
    branchCode: text('branch_code').notNull(),
    addressLine: text('address_line').notNull(),
    cityCode: text('city_code').notNull(),
    latitude: text().notNull(),
    longitude: text().notNull(),
    status: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.pickupLocationCode] })],
);

export interface StoredAddress {
  addressLine: string;
  cityCode: string;
  latitude: string;
  longitude: string;
}
export interface Item {
  description: string;
  quantity: number;
  weightKilograms: string;
  lengthCentimetres?: string | null;
  widthCentimetres?: string | null;
  heightCentimetres?: string | null;
}

export const shipments = sqliteTable('shipments', {
  id: text().primaryKey(),
  companyId: text('company_id').notNull(),
  shipmentNumber: text('shipment_number').notNull(),
  externalReference: text('external_reference').notNull(),
  state: text().notNull(),
  version: integer().notNull(),
  createdAt: micros('created_at').notNull(),
  approvedAt: micros('approved_at'),
  branchCode: text('branch_code').notNull(),
  pickupLocationCode: text('pickup_location_code').notNull(),
  recipientName: text('recipient_name').notNull(),
  recipientPhone: text('recipient_phone').notNull(),
  alternateContactName: text('alternate_contact_name'),
  alternateContactPhone: text('alternate_contact_phone'),
  pickup: text({ mode: 'json' }).$type<StoredAddress>().notNull(),
  destination: text({ mode: 'json' }).$type<StoredAddress>().notNull(),
  totalWeightKilograms: text('total_weight_kilograms').notNull(),
  declaredValue: text('declared_value').notNull(),
  codAmount: text('cod_amount').notNull(),
  currency: text().notNull(),
  paymentMethod: text('payment_method').notNull(),
  pickupWindowStart: micros('pickup_window_start').notNull(),
  pickupWindowEnd: micros('pickup_window_end').notNull(),
  items: text({ mode: 'json' }).$type<Item[]>().notNull(),
  requirements: text({ mode: 'json' }).$type<string[]>().notNull(),
});

export const shipmentEvents = sqliteTable(
  'shipment_events',
  {
    shipmentId: text('shipment_id').notNull(),
    sequence: integer().notNull(),
    id: text().notNull(),
    companyId: text('company_id').notNull(),
    type: text().notNull(),
    state: text().notNull(),
    occurredAt: micros('occurred_at').notNull(),
    actor: text().notNull(),
    previousState: text('previous_state'),
    reasonCode: text('reason_code'),
    correlationId: text('correlation_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shipmentId, table.sequence] })],
);

export const idempotencyRecords = sqliteTable(
  'idempotency_records',
  {
    companyId: text('company_id').notNull(),
    clientId: text('client_id').notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    status: integer().notNull(),
    response: text().notNull(),
    etag: text().notNull(),
    location: text().notNull(),
    expiresAt: micros('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.clientId, table.operation, table.key] })],
);

export const shipmentTerms = sqliteTable('shipment_terms', {
  shipmentId: text('shipment_id').primaryKey(),
  companyId: text('company_id').notNull(),
  tariffVersion: integer('tariff_version').notNull(),
  currency: text().notNull(),
  lines: text({ mode: 'json' }).$type<{ code: string; amount: string }[]>().notNull(),
  vatRate: text('vat_rate').notNull(),
  cancellationAmount: text('cancellation_amount').notNull(),
  distanceMeters: integer('distance_meters').notNull(),
  durationSeconds: integer('duration_seconds').notNull(),
  geometry: text().notNull(),
  createdAt: micros('created_at').notNull(),
});

export const dispatches = sqliteTable('dispatches', {
  shipmentId: text('shipment_id').primaryKey(),
  companyId: text('company_id').notNull(),
  serviceLevelCode: text('service_level_code'),
  cityCode: text('city_code').notNull(),
  lengthCentimetres: text('length_centimetres').notNull(),
  held: integer().notNull(),
  endedAt: micros('ended_at'),
});

/** Events and deliveries. */
export const events = sqliteTable('events', {
  position: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  companyId: text('company_id').notNull(),
  type: text().notNull(),
  shipmentId: text('shipment_id'),
  sequence: integer().notNull(),
  occurredAt: micros('occurred_at').notNull(),
  body: text().notNull(),
});

export const webhookEndpoints = sqliteTable('webhook_endpoints', {
  id: text().primaryKey(),
  companyId: text('company_id').notNull(),
  eventTypes: text('event_types', { mode: 'json' }).$type<string[]>().notNull(),
  state: text().notNull(),
});

export const webhookDeliveries = sqliteTable('webhook_deliveries', {
  position: integer().primaryKey(),
  id: text().notNull(),
  endpointId: text('endpoint_id').notNull(),
  companyId: text('company_id').notNull(),
  eventId: text('event_id').notNull(),
  eventType: text('event_type').notNull(),
  shipmentId: text('shipment_id'),
  line: text(),
  status: text().notNull(),
  attemptCount: integer('attempt_count').notNull(),
  nextAttemptAt: micros('next_attempt_at'),
  createdAt: micros('created_at').notNull(),
});
