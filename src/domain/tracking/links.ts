import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { TrackingLink } from '../../contract/tracking-link.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { AnswerSeal } from '../idempotency/once.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { readShipment } from '../shipments/command.ts';
import { shipmentById } from '../shipments/store.ts';
import { linkById, linkPage, type TrackingLinkRow } from './store.ts';
import { presentLink, stateOf } from './view.ts';

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

interface LinkId {
  readonly shipmentId: Uuid;
  readonly linkId: Uuid;
}

/** One link of a shipment. */
export async function readLink(
  dependencies: { readonly database: Database; readonly clock: CompanyClock },
  scope: CompanyScope,
  id: LinkId,
): Promise<Result<TrackingLink>> {
  const found = await findLink(dependencies.database, scope, id);
  return found.ok ? ok(presentLink(found.value, dependencies.clock.now())) : found;
}

export interface LinkTokenDependencies {
  readonly database: Database;
  readonly clock: CompanyClock;
  readonly endpointSecrets: AnswerSeal;
}

/** The token of an active link. Links without one, and those whose key was removed, are refused. */
export async function readLinkToken(
  { database, clock, endpointSecrets }: LinkTokenDependencies,
  scope: CompanyScope,
  id: LinkId,
): Promise<Result<string>> {
  const found = await findLink(database, scope, id);
  if (!found.ok) return found;
  if (stateOf(found.value, clock.now()) !== 'ACTIVE') return refuse('TRACKING_LINK_NOT_ACTIVE');
  const { sealedToken } = found.value;
  if (sealedToken === null) return refuse('RESOURCE_NOT_FOUND');
  try {
    return ok(await endpointSecrets.open(id.linkId, sealedToken));
  } catch {
    // Its key was removed from the deployment.
    return refuse('RESOURCE_NOT_FOUND');
  }
}

async function findLink(
  database: Database,
  scope: CompanyScope,
  { shipmentId, linkId }: LinkId,
): Promise<Result<TrackingLinkRow>> {
  const found = await database.readAll([shipmentById(scope, shipmentId), linkById(scope, shipmentId, linkId)] as const);
  if (!found.ok) return unavailable();
  const [[shipment], [link]] = found.results;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  return link === undefined ? refuse('RESOURCE_NOT_FOUND') : ok(link);
}
