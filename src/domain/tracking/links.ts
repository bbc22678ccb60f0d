import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { TrackingLink } from '../../contract/tracking-link.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { readShipment } from '../shipments/command.ts';
import { shipmentById } from '../shipments/store.ts';
import { linkById, linkPage } from './store.ts';
import { presentLink } from './view.ts';

/** The links of a shipment, newest first, including expired and revoked ones. */
export async function listLinks(
  dependencies: PageDependencies & { readonly clock: CompanyClock },
  scope: CompanyScope,
  { shipmentId, ...request }: PageRequest & { readonly shipmentId: Uuid },
): Promise<Result<Page<TrackingLink>>> {
  const now = dependencies.clock.now();
  const page = await readPage(dependencies, request, {
    binding: ['tracking-links', scope.companyId, shipmentId, 'createdAt desc'],
    select: (after, rows) => linkPage(scope, shipmentId, positionOf(after), rows),
    positionOf: (row) => [String(row.createdAt), row.id],
    present: (row) => presentLink(row, now),
  });
  if (!page.ok || page.value.data.length > 0) return page;
  // No links, or the company does not have this shipment.
  const shipment = await readShipment(dependencies.database, scope, shipmentId);
  return shipment.ok ? page : shipment;
}

/** One link of a shipment. */
export async function readLink(
  { database, clock }: { readonly database: Database; readonly clock: CompanyClock },
  scope: CompanyScope,
  { shipmentId, linkId }: { readonly shipmentId: Uuid; readonly linkId: Uuid },
): Promise<Result<TrackingLink>> {
  const found = await database.readAll([shipmentById(scope, shipmentId), linkById(scope, shipmentId, linkId)] as const);
  if (!found.ok) return unavailable();
  const [[shipment], [link]] = found.results;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  return link === undefined ? refuse('RESOURCE_NOT_FOUND') : ok(presentLink(link, clock.now()));
}
