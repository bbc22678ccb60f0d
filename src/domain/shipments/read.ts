import type { CompanyScope } from '../../access/require.ts';
import type { Shipment, TimelineEntry } from '../../contract/shipment.ts';
import type { ShipmentFilter } from '../../contract/shipment-filter.ts';
import { part } from '../../core/part.ts';
import { type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { timelinePage } from '../events/store.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { shipmentPage } from './store.ts';
import { presentShipment, presentTimelineEntry } from './view.ts';

const searchPart = part(() => import('./search.ts'));

/** Shipments of the company, newest first. */
export async function listShipments(
  dependencies: PageDependencies,
  scope: CompanyScope,
  request: PageRequest & ShipmentFilter,
): Promise<Result<Page<Shipment>>> {
  const { limit, cursor, state: states = [], externalReference, ...others } = request;
  const [state] = states;
  const isSearch = states.length > 1 || Object.values(others).some((value) => value !== undefined);
  if (isSearch) return (await searchPart()).searchShipments(dependencies, scope, request);
  const filter = { state, externalReference };
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding: ['shipments', scope.companyId, filter.state, filter.externalReference, 'createdAt desc'],
      select: (after, rows) => shipmentPage(scope, filter, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.id],
      present: presentShipment,
    },
  );
}

/** The timeline of one shipment, oldest first. Every shipment has an event, so no events mean that the company has no such shipment. */
export async function listTimeline(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { shipmentId, ...request }: PageRequest & { readonly shipmentId: Uuid },
): Promise<Result<Page<TimelineEntry>>> {
  const page = await readPage(dependencies, request, {
    binding: ['timeline', scope.companyId, shipmentId, 'sequence asc'],
    select: ([sequence = '0', reported = '0'] = [], rows) =>
      timelinePage(scope, shipmentId, { sequence: Number(sequence), reported: Number(reported) }, rows),
    positionOf: (row) => [String(row.sequence), String(row.reported)],
    present: presentTimelineEntry,
  });
  return page.ok && page.value.data.length === 0 ? refuse('ACCESS_DENIED') : page;
}
