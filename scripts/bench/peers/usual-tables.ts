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

export interface Place {
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
  pickup: text({ mode: 'json' }).$type<Place>().notNull(),
  destination: text({ mode: 'json' }).$type<Place>().notNull(),
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
