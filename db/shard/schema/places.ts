import { check, foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { PLACE_STATUSES } from '../../../src/contract/shipment-state.ts';
import { count, decimal, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

export const branches = sqliteTable(
  'branches',
  {
    companyId: uuid('company_id').notNull(),
    branchCode: text('branch_code').notNull(),
    name: text().notNull(),
    nameAr: text('name_ar'),
    cityCode: text('city_code').notNull(),
    status: oneOf(PLACE_STATUSES)().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    version: count().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.branchCode] }),
    check('branches_status', isOneOf(table.status, PLACE_STATUSES)),
    // Listing: newest first within a company.
    index('branches_newest').on(table.companyId, table.createdAt, table.branchCode),
  ],
);

export const pickupLocations = sqliteTable(
  'pickup_locations',
  {
    companyId: uuid('company_id').notNull(),
    pickupLocationCode: text('pickup_location_code').notNull(),
    branchCode: text('branch_code').notNull(),
    name: text().notNull(),
    nameAr: text('name_ar'),
    addressLine: text('address_line').notNull(),
    cityCode: text('city_code').notNull(),
    latitude: decimal().notNull(),
    longitude: decimal().notNull(),
    contactName: text('contact_name'),
    /** E.164. */
    contactPhone: text('contact_phone'),
    instructions: text(),
    status: oneOf(PLACE_STATUSES)().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    version: count().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.pickupLocationCode] }),
    foreignKey({
      columns: [table.companyId, table.branchCode],
      foreignColumns: [branches.companyId, branches.branchCode],
    }),
    check('pickup_locations_status', isOneOf(table.status, PLACE_STATUSES)),
    // Listing: newest first within a company.
    index('pickup_locations_newest').on(table.companyId, table.createdAt, table.pickupLocationCode),
    // Listing with branchCode, and the foreign key.
    index('pickup_locations_of_branch').on(
      table.companyId,
      table.branchCode,
      table.createdAt,
      table.pickupLocationCode,
    ),
  ],
);
