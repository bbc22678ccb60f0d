import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { DRIVER_STATUSES, OFF_DUTY_REASONS, OFFER_STATES, VEHICLE_TYPES } from '../../../src/contract/driver-state.ts';
import { count, decimal, instant, isOneOf, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** Service levels of this shard: what each can carry, and in which cities. */
export const serviceLevels = sqliteTable(
  'service_levels',
  {
    code: text().primaryKey(),
    /** JSON array of capability codes. */
    capabilities: text().notNull(),
    /** Of a whole shipment. */
    weightKilogramsMax: decimal('weight_kilograms_max').notNull(),
    /** Of the longest side of any item. */
    lengthCentimetresMax: decimal('length_centimetres_max').notNull(),
    /** JSON array of city codes. */
    cities: text().notNull(),
    /** The eligible service level with the lowest rank is chosen. */
    rank: count().notNull(),
    status: oneOf(DRIVER_STATUSES)().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    version: count().notNull(),
  },
  (table) => [check('service_levels_status', isOneOf(table.status, DRIVER_STATUSES))],
);

export const drivers = sqliteTable(
  'drivers',
  {
    id: uuid().primaryKey(),
    /** E.164. */
    phone: text().notNull(),
    firstName: text('first_name').notNull(),
    vehicleType: oneOf(VEHICLE_TYPES)('vehicle_type').notNull(),
    /** Set for sandbox drivers, who take only this company's shipments. */
    companyId: uuid('company_id'),
    /** JSON array of capability codes. */
    capabilities: text().notNull(),
    weightKilogramsMax: decimal('weight_kilograms_max').notNull(),
    lengthCentimetresMax: decimal('length_centimetres_max').notNull(),
    cityCode: text('city_code').notNull(),
    status: oneOf(DRIVER_STATUSES)().notNull(),
    onDuty: count('on_duty').notNull(),
    /**
     * Shipments offered to or accepted by the driver. An offer that would exceed `activeMax` is refused. A follow-up that begins in
     * the driver's hands may exceed it, because the parcel is there already.
     */
    activeCount: count('active_count').notNull(),
    activeMax: count('active_max').notNull(),
    latitude: decimal(),
    longitude: decimal(),
    positionAt: instant('position_at'),
    /** When the driver last became less busy. */
    idleSince: instant('idle_since').notNull(),
    /** Offers in a row that ran out without an answer. */
    missedOffers: count('missed_offers').notNull().default(0),
    /** When the driver last sent anything, some minutes late; from going on duty on. */
    seenAt: instant('seen_at'),
    /** Why the service put the driver off duty; null after any other change of duty. */
    offDutyReason: oneOf(OFF_DUTY_REASONS)('off_duty_reason'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    version: count().notNull(),
  },
  (table) => [
    check('drivers_status', isOneOf(table.status, DRIVER_STATUSES)),
    check('drivers_within_limit', sql`${table.activeCount} >= 0`),
    // Sign-in.
    uniqueIndex('drivers_phone').on(table.phone),
    // Dispatch: drivers of a city. Without the number of shipments, which changes with each offer.
    index('drivers_of_city').on(table.cityCode, table.onDuty),
  ],
);

/** Offers of shipments to drivers. An offer without an end is current: open or accepted. */
export const offers = sqliteTable(
  'offers',
  {
    id: uuid().notNull(),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    driverId: uuid('driver_id')
      .notNull()
      .references(() => drivers.id),
    state: oneOf(OFFER_STATES)().notNull(),
    offeredAt: instant('offered_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    /** JSON of an Arrival: when this driver first arrived at the pickup location, and at the recipient's door. */
    pickupArrival: text('pickup_arrival'),
    doorArrival: text('door_arrival'),
  },
  (table) => [
    check('offers_state', isOneOf(table.state, OFFER_STATES)),
    // The current offer of a shipment, and earlier ones.
    primaryKey({ columns: [table.shipmentId, table.offeredAt, table.id] }),
    // Driver: current offers, which are few, and shipments that have ended. Without the state, so that accepting leaves it as it is.
    index('offers_of_driver').on(table.driverId, table.endedAt),
  ],
);
