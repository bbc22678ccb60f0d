import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ADDRESS_GATES } from '../../../src/contract/address-state.ts';
import {
  PAYMENT_METHODS,
  SHIPMENT_STATES,
  type ShipmentState,
  takesDriverPlace,
} from '../../../src/contract/shipment-state.ts';
import { WINDOW_STATUSES } from '../../../src/contract/window-state.ts';
import { count, decimal, instant, oneOf, uuid } from '../../columns.ts';

/*
 * No CHECK on these tables lists the values of a column: SQLite would rebuild the whole table for each new value. The
 * lifecycle decides on states and actors, the contract on payment methods.
 */

/** The stage of all shipments that drivers have or are asked for. Each other state is a stage of its own. */
export const WITH_DRIVER = 'WITH_DRIVER';
export type Stage = ShipmentState | typeof WITH_DRIVER;

/**
 * The stage of a state. Lists by state walk an index of stages, which is written less often than one of states would be:
 * drivers have few shipments at once, so a list of one of their states may read those of the others.
 */
export function stageOf(state: ShipmentState): Stage {
  return takesDriverPlace(state) ? WITH_DRIVER : state;
}

export const shipments = sqliteTable(
  'shipments',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').notNull(),
    shipmentNumber: text('shipment_number').notNull(),
    externalReference: text('external_reference').notNull(),
    state: oneOf(SHIPMENT_STATES)().notNull(),
    /** `stageOf` the state. A statement names it only if it changes: SQLite writes the index again for the same value. */
    stage: oneOf<Stage>([...SHIPMENT_STATES, WITH_DRIVER])().notNull(),
    version: count().notNull(),
    createdAt: instant('created_at').notNull(),
    approvedAt: instant('approved_at'),
    /** When the service has to act next; null if only a person can change the shipment's state. */
    dueAt: instant('due_at'),
    /** No driver is looked for before this time: some time before the pickup window. Null: none is set. */
    searchFrom: instant('search_from'),
    // Only dispatch and the end of a shipment read the columns from here to `forgottenAt`: see DISPATCH_COLUMNS.
    /** Chosen at creation. Null if no service level was eligible. */
    serviceLevelCode: text('service_level_code'),
    /** The driver pool: drivers of the city where the shipment is picked up. */
    pickupCityCode: text('pickup_city_code').notNull(),
    /** Of the longest side of any item. */
    lengthCentimetres: decimal('length_centimetres').notNull(),
    /** 1 while the sandbox holds the shipment before any offer. */
    held: count().notNull().default(0),
    /** How the company's policy on National Addresses applies to it. */
    addressGate: oneOf(ADDRESS_GATES)('address_gate').notNull().default('OFF'),
    /** When the shipment last started to wait for a driver; for a later pickup window a time to come. */
    readySince: instant('ready_since'),
    /** When this search for a driver began, with approval, release by the driver or retry. */
    searchSince: instant('search_since'),
    /** Offers of this search. */
    searchOffers: count('search_offers').notNull().default(0),
    /** The driver who has an open offer or the shipment, or has delivered it or failed to. */
    driverId: uuid('driver_id'),
    /** The driver who last declined, ignored or released it. The next offer goes to another driver. */
    lastRefusedDriverId: uuid('last_refused_driver_id'),
    /** When the shipment was delivered, failed or was cancelled. */
    endedAt: instant('ended_at'),
    /** When the service deleted the recipient's personal data, some time after the end. */
    forgottenAt: instant('forgotten_at'),
    branchCode: text('branch_code').notNull(),
    pickupLocationCode: text('pickup_location_code').notNull(),
    recipientName: text('recipient_name').notNull(),
    /** The name as searches compare it: see src/core/folded.ts. */
    recipientFoldedName: text('recipient_folded_name').notNull().default(''),
    /** E.164, like every phone here. */
    recipientPhone: text('recipient_phone').notNull(),
    alternateContactName: text('alternate_contact_name'),
    alternateContactPhone: text('alternate_contact_phone'),
    /** JSON of a Location, the pickup as it was at creation; decimals are strings. */
    pickup: text().notNull(),
    destination: text().notNull(),
    totalWeightKilograms: decimal('total_weight_kilograms').notNull(),
    declaredValue: decimal('declared_value').notNull(),
    codAmount: decimal('cod_amount').notNull(),
    currency: text().notNull(),
    paymentMethod: oneOf(PAYMENT_METHODS)('payment_method').notNull(),
    pickupWindowStart: instant('pickup_window_start').notNull(),
    pickupWindowEnd: instant('pickup_window_end').notNull(),
    /** JSON array of ShipmentItem; decimals are strings. */
    items: text().notNull(),
    /** JSON array of capability codes. */
    requirements: text().notNull(),
    /** Events of the shipment that merchants can read: the sequence of the latest. */
    eventCount: count('event_count').notNull().default(0),
    /** Where the driver leaves the parcel, as JSON of a DeliveryPlace; null until somebody says so. */
    place: text(),
    /** What the driver has to know at the door. */
    instructions: text(),
    /** When the recipient wants the parcel; null until somebody asks for a window. */
    deliveryWindowStart: instant('delivery_window_start'),
    deliveryWindowEnd: instant('delivery_window_end'),
    /** Changes without the version, so it is not in the rows that commands keep: see DISPATCH_COLUMNS. */
    windowStatus: oneOf(WINDOW_STATUSES)('window_status'),
    /** How often it was amended. */
    amendmentCount: count('amendment_count').notNull().default(0),
    /** Raised by each change of the metadata, which changes neither the state nor the version of the shipment. */
    metadataVersion: count('metadata_version').notNull().default(0),
  },
  (table) => [
    // Creation and listing by externalReference: one shipment a reference, for ever.
    uniqueIndex('shipments_external_reference').on(table.companyId, table.externalReference),
    // Creation: a shipment number is used once per company.
    uniqueIndex('shipments_number').on(table.companyId, table.shipmentNumber),
    // Listing: newest first within a company.
    index('shipments_newest').on(table.companyId, table.createdAt, table.id),
    // Listing with state.
    index('shipments_newest_of_stage').on(table.companyId, table.stage, table.createdAt, table.id),
    // Alarm and sweep: due shipments of all companies. Partial, so that it has only waiting shipments.
    index('shipments_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    // Dispatch: shipments without a driver, the longest waiting first.
    index('shipments_waiting')
      .on(table.readySince)
      .where(sql`${table.readySince} is not null and ${table.driverId} is null and ${table.endedAt} is null`),
    // Sweep: shipments whose recipient is still known, the longest ended first.
    index('shipments_remembered')
      .on(table.endedAt)
      .where(sql`${table.endedAt} is not null and ${table.forgottenAt} is null`),
    // Operators' queues, of all companies. Most shipments are never in one of them: the service approves them, and they find a driver.
    index('shipments_pending_approval')
      .on(table.createdAt, table.id)
      .where(sql`${table.state} = 'PENDING_APPROVAL' and ${table.dueAt} is null`),
    index('shipments_address_blocked')
      .on(table.createdAt, table.id)
      .where(sql`${table.addressGate} = 'CLOSED' and ${table.endedAt} is null`),
    index('shipments_unresolved').on(table.createdAt, table.id).where(sql`${table.state} = 'DISPATCH_UNRESOLVED'`),
  ],
);

/** What commands, lists and answers of shipments do not read. */
export const DISPATCH_COLUMNS = [
  'serviceLevelCode',
  'pickupCityCode',
  'lengthCentimetres',
  'held',
  'addressGate',
  'readySince',
  'searchSince',
  'searchOffers',
  'driverId',
  'lastRefusedDriverId',
  'endedAt',
  'forgottenAt',
  'windowStatus',
] as const;

/**
 * The first answer of an operation with an idempotency key, so that a replay repeats it. A creation is kept for seven days,
 * every other operation for one day and sealed.
 */
export const idempotencyRecords = sqliteTable(
  'idempotency_records',
  {
    companyId: uuid('company_id').notNull(),
    clientId: text('client_id').notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of the parsed, canonical body. */
    fingerprint: text().notNull(),
    status: count().notNull(),
    /** The body as first sent; of all but creations the sealed answer with its headers. */
    response: text().notNull(),
    etag: text().notNull(),
    location: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    // Creation: the guarantee itself.
    primaryKey({ columns: [table.companyId, table.clientId, table.operation, table.key] }),
    // Sweep: expired keys.
    index('idempotency_records_expires_at').on(table.expiresAt),
  ],
);
