import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ShipmentMetadata } from '../../contract/shipment-metadata.ts';
import { canonicalJson, parseStored } from '../../core/json.ts';
import { FORGOTTEN_PHONE } from '../../core/phone.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changeVersioned } from '../audit/change.ts';
import { readRow } from '../rows.ts';
import { type MetadataRow, metadataOf, metadataReplacement } from './metadata-store.ts';

export interface MetadataDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
}

export interface MetadataOrder {
  readonly shipmentId: Uuid;
  readonly precondition: Precondition;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The metadata, and whether it was deleted with the recipient's data. Then its tag stays, although it has changed. */
export async function readMetadata(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<ShipmentMetadata & { readonly isForgotten: boolean }>> {
  const found = await readRow(database, metadataOf(scope, shipmentId), 'ACCESS_DENIED');
  return found.ok ? ok({ ...presentMetadata(found.value), isForgotten: isForgotten(found.value) }) : found;
}

/**
 * Replaces the metadata of a shipment in any state. A repeat finds its own entries and changes nothing, whatever version it
 * names: so it may be sent again if its outcome is unknown.
 */
export function replaceMetadata(
  dependencies: MetadataDependencies,
  scope: CompanyScope,
  { shipmentId, precondition, metadata }: MetadataOrder,
): Promise<Result<ShipmentMetadata>> {
  const { database, clock } = dependencies;
  return changeVersioned<MetadataRow, ShipmentMetadata>(dependencies, {
    read: () => readRow(database, metadataOf(scope, shipmentId), 'ACCESS_DENIED'),
    decide: (row) => {
      const current = presentMetadata(row);
      const isSame = canonicalJson(current.metadata) === canonicalJson(metadata);
      if (isSame && !isForgotten(row)) return ok({ kind: 'unchanged', value: current });
      const stale = checkPrecondition(precondition, row.version);
      if (stale !== undefined) return stale;
      if (isForgotten(row)) return refuse('SHIPMENT_TERMINAL');
      const { version } = row;
      return ok({
        kind: 'change',
        value: { metadata, version: version + 1 },
        unit: { statements: metadataReplacement(scope, shipmentId, { version, entries: JSON.stringify(metadata) }) },
        audit: auditOf(dependencies, scope, {
          action: 'shipment.metadata_replaced',
          subject: shipmentId,
          at: clock.now(),
          detail: { version: version + 1, entries: Object.keys(metadata).length },
        }),
      });
    },
  });
}

function presentMetadata({ version, entries }: MetadataRow): ShipmentMetadata {
  return { metadata: parseStored<Record<string, string>>(entries), version };
}

function isForgotten({ recipientPhone }: MetadataRow): boolean {
  return recipientPhone === FORGOTTEN_PHONE;
}
