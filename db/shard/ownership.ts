import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { MOVING } from '../commit.ts';
import { RESTING } from './moving.ts';
import { activityDays, activityProgress } from './schema/activity.ts';
import { shardAudit } from './schema/audit.ts';
import { shipmentBatches, shipmentBatchItems } from './schema/batches.ts';
import { caseMessages, cases } from './schema/cases.ts';
import { codCollections } from './schema/cod-collections.ts';
import { companySettings } from './schema/companies.ts';
import { deliveryProofs, proofMedia, proofProgress } from './schema/delivery-proofs.ts';
import { drivers, offers } from './schema/dispatch.ts';
import { driverSessions, recipientLooks } from './schema/driver-access.ts';
import { events } from './schema/events.ts';
import { lateReports } from './schema/late-reports.ts';
import { mediaAssets, mediaLists } from './schema/media-assets.ts';
import { nationalAddresses } from './schema/national-addresses.ts';
import { branches, pickupLocations } from './schema/places.ts';
import { recipientReplies } from './schema/recipient-replies.ts';
import { followUps, resolutions } from './schema/resolutions.ts';
import { sandboxes, sandboxFaults, sandboxScenarios } from './schema/sandbox.ts';
import { shipmentAmendments } from './schema/shipment-amendments.ts';
import { shipmentMetadata } from './schema/shipment-metadata.ts';
import { shipmentRatings } from './schema/shipment-ratings.ts';
import { idempotencyRecords, shipments } from './schema/shipments.ts';
import { laterCharges, shipmentTerms } from './schema/terms.ts';
import { trackingBrands } from './schema/tracking-brands.ts';
import { trackingLinks } from './schema/tracking-links.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookReplays } from './schema/webhooks.ts';

/** A table whose rows belong to companies. */
export interface OwnedTable {
  readonly table: SQLiteTable;
  /** The company of a row: its own `company_id`, or that of the row that this column names. */
  readonly by: { readonly column: string; readonly in?: string };
  /** A position that belongs to the shard. Copied rows get new positions in the same order. */
  readonly renumbered?: string;
  /** Rows found by a token alone, in the first shard that answers. The old ones are deleted before writes start. */
  readonly foundByToken?: true;
}

const BY_COMPANY = { column: 'company_id' };
const BY_SHIPMENT = { column: 'shipment_id', in: 'shipments' };

/**
 * Every table with company rows; a referenced table comes before the referring one. Other tables belong to the
 * shard: service levels, migrations, moves.
 */
export const OWNED_TABLES: readonly OwnedTable[] = [
  { table: companySettings, by: BY_COMPANY },
  { table: branches, by: BY_COMPANY },
  { table: pickupLocations, by: BY_COMPANY },
  // Only sandbox drivers have a company.
  { table: drivers, by: BY_COMPANY },
  { table: driverSessions, by: { column: 'driver_id', in: 'drivers' }, foundByToken: true },
  { table: sandboxes, by: BY_COMPANY },
  { table: sandboxFaults, by: BY_COMPANY },
  { table: shipments, by: BY_COMPANY },
  { table: shipmentMetadata, by: BY_COMPANY },
  { table: shipmentRatings, by: BY_COMPANY },
  { table: nationalAddresses, by: BY_COMPANY },
  { table: shipmentTerms, by: BY_COMPANY },
  { table: laterCharges, by: BY_COMPANY },
  { table: shipmentAmendments, by: BY_COMPANY },
  { table: codCollections, by: BY_COMPANY },
  { table: resolutions, by: BY_COMPANY },
  { table: followUps, by: BY_COMPANY },
  { table: cases, by: BY_COMPANY },
  { table: caseMessages, by: BY_COMPANY },
  { table: deliveryProofs, by: BY_COMPANY },
  { table: proofProgress, by: BY_COMPANY },
  { table: proofMedia, by: BY_COMPANY },
  { table: recipientReplies, by: BY_COMPANY },
  { table: offers, by: BY_SHIPMENT },
  { table: lateReports, by: BY_COMPANY },
  { table: recipientLooks, by: BY_SHIPMENT },
  { table: sandboxScenarios, by: BY_COMPANY },
  { table: trackingLinks, by: BY_COMPANY, foundByToken: true },
  { table: trackingBrands, by: BY_COMPANY },
  { table: idempotencyRecords, by: BY_COMPANY },
  { table: mediaAssets, by: BY_COMPANY },
  { table: mediaLists, by: BY_COMPANY },
  { table: events, by: BY_COMPANY, renumbered: 'position' },
  { table: activityDays, by: BY_COMPANY },
  { table: activityProgress, by: BY_COMPANY },
  { table: webhookEndpoints, by: BY_COMPANY },
  { table: webhookDeliveries, by: BY_COMPANY, renumbered: 'position' },
  { table: webhookAttempts, by: BY_COMPANY },
  { table: webhookReplays, by: BY_COMPANY },
  { table: shipmentBatches, by: BY_COMPANY },
  { table: shipmentBatchItems, by: BY_COMPANY },
  { table: shardAudit, by: BY_COMPANY },
];

/**
 * Triggers that refuse every change of a row whose company is FROZEN or MOVED. The migrations contain them, and a test
 * compares both.
 */
export function moveTriggers(): { readonly name: string; readonly sql: string }[] {
  return OWNED_TABLES.flatMap(({ table, by }) => {
    const { name } = getTableConfig(table);
    return (['insert', 'update', 'delete'] as const).map((event) => {
      const row = event === 'insert' ? 'NEW' : 'OLD';
      const owner =
        by.in === undefined
          ? `${row}.${by.column}`
          : `(SELECT company_id FROM ${by.in} WHERE id = ${row}.${by.column})`;
      const trigger = `${name}_${event}_moving`;
      const condition = `EXISTS (SELECT 1 FROM company_moves WHERE company_id = ${owner} AND state IN ${RESTING})`;
      const verb = event.toUpperCase();
      return {
        name: trigger,
        sql: `CREATE TRIGGER ${trigger} BEFORE ${verb} ON ${name} WHEN ${condition} BEGIN SELECT RAISE(ABORT, '${MOVING}'); END`,
      };
    });
  });
}
