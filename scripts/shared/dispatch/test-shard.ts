import { type CompanyScope, requireCompany } from '../../../src/access/require.ts';
import type { ShipmentRequest } from '../../../src/contract/shipment.ts';
import { newId, requireUuid } from '../seed-values.ts';
import type { processOf, TestClock } from './process.ts';

export interface TestShard {
  readonly clock: TestClock;
  readonly scope: CompanyScope;
  /** Where its company ships from, in Riyadh. */
  readonly places: Pick<ShipmentRequest, 'branchCode' | 'pickupLocationCode'>;
  /** Rows of the shard, as arrays of their columns. */
  readonly rows: (sql: string, args?: readonly string[]) => Promise<unknown[][]>;
  /** What one process of the service works with. Each call is another process, with writers of its own. */
  readonly process: () => ReturnType<typeof processOf>;
  /** Forgets all shipments and drivers. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a client of the company may do there. */
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

/** In an order that no foreign key objects to. */
export const CLEARED = [
  'events',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_replays',
  'webhook_endpoints',
  'offers',
  'dispatches',
  'later_charges',
  'shipment_terms',
  'shipment_events',
  'media_assets',
  'media_lists',
  'tracking_links',
  'shipments',
  'idempotency_records',
  'driver_sessions',
  'drivers',
];
