import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ListedDetails, ShipmentsIfChanged } from '../../contract/activity.ts';
import type { ShipmentFilter } from '../../contract/shipment-filter.ts';
import { hasDriver } from '../../contract/shipment-state.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { PageDependencies, PageRequest } from '../page.ts';
import { listedDetails, newestEvent } from './listed-store.ts';
import { listShipments } from './read.ts';
import { noteOf } from './view.ts';

type ChangingFilter = Omit<ShipmentFilter, 'metadata' | 'branchCode'>;

/**
 * A page of the list, unless `known` is still the company's newest event. Creations and transitions write an event in their
 * unit, so without a newer event the page is the same. The event is read before the page: a page may be newer than its
 * event, never older.
 */
export async function listIfChanged(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { known, ...request }: PageRequest & ChangingFilter & { readonly known?: Uuid | undefined },
): Promise<Result<ShipmentsIfChanged>> {
  const answer = await dependencies.database.read(newestEvent(scope));
  if (!answer.ok) return unavailable();
  const newest = answer.rows[0]?.id ?? null;
  if (newest !== null && newest === known) return ok({ newest, list: null });
  const list = await listShipments(dependencies, scope, request);
  return list.ok ? ok({ newest, list: list.value }) : list;
}

/** What the list shows beside each shipment. Shipments that are unknown or another company's are left out. */
export async function readListedDetails(
  database: Database,
  scope: CompanyScope,
  ids: readonly Uuid[],
): Promise<Result<ListedDetails>> {
  const answer = await database.read(listedDetails(scope, ids));
  if (!answer.ok) return unavailable();
  const data = answer.rows.map(
    ({ shipmentId, shipmentNumber, externalReference, version, state, firstName, ...last }) => ({
      shipmentId,
      shipmentNumber,
      externalReference,
      version,
      driver: firstName === null || !hasDriver(state) ? null : { firstName },
      lastEvent: { type: last.type, occurredAt: formatInstant(last.occurredAt), note: noteOf(last) },
    }),
  );
  return ok({ data });
}
