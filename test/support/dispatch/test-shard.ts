import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import { type CompanyScope, requireCompany } from '../../../src/access/require.ts';
import type { ShipmentRequest } from '../../../src/contract/shipment.ts';
import type { processOf, TestClock } from './process.ts';

export interface TestShard {
  readonly clock: TestClock;
  readonly scope: CompanyScope;
  /** The company's pickup location, in Riyadh. */
  readonly places: Pick<ShipmentRequest, 'branchCode' | 'pickupLocationCode'>;
  /** Rows of the shard, as arrays of their columns. */
  readonly rows: (sql: string, args?: readonly string[]) => Promise<unknown[][]>;
  /** The dependencies of one process. Each call is another process with its own writers. */
  readonly process: () => ReturnType<typeof processOf>;
  /** Deletes all shipments and drivers. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A scope of the company for a client. */
export function scopeOf(companyId: string, clientId = 'mcl_test'): CompanyScope {
  const holder = {
    clientId,
    secretId: newId(),
    tokenId: newId(),
    scopes: new Set(['shipments:write'] as const),
  };
  return requireCompany(
    { kind: 'company', companyId: requireUuid(companyId), shard: 'shard-1', ...holder },
    'shipments:write',
  );
}

/** In an order that respects foreign keys. */
export const CLEARED = [
  'events',
  'sweep_marks',
  'activity_days',
  'activity_progress',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_replays',
  'shipment_batch_items',
  'shipment_batches',
  'webhook_endpoints',
  'offers',
  'later_charges',
  'cod_collections',
  'delivery_proofs',
  'proof_progress',
  'proof_media',
  'resolutions',
  'follow_ups',
  'shipment_amendments',
  'case_messages',
  'cases',
  'national_addresses',
  'resolutions',
  'follow_ups',
  'shipment_terms',
  'shipment_metadata',
  'media_assets',
  'media_lists',
  'tracking_links',
  'shipments',
  'idempotency_records',
  'driver_sessions',
  'drivers',
];
