import type { CompanyScope } from '../../access/require.ts';
import { type Event, event } from '../../contract/event.ts';
import { decimalPlacesOf, fromRest } from '../../contract/rest-numbers.ts';
import { parseJson } from '../../core/json.ts';
import { EVENTS_KEPT_DAYS } from '../../core/limits.ts';
import { type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Page, type PageDependencies, type PageRequest, readPage } from '../page.ts';
import { type EventFilter, eventById, eventPage } from './feed-store.ts';

export interface FeedRequest extends PageRequest, EventFilter {
  /** The last event that the caller has seen. */
  readonly after?: Uuid | undefined;
}

/**
 * Events of the company, oldest first. Later commits get later positions, so a client that continues `after` its last
 * event misses none. An `after` that the company does not have, or no longer has, is refused.
 */
export async function listEvents(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { limit, cursor, after, ...filter }: FeedRequest,
): Promise<Result<Page<Event>>> {
  const { type, shipmentId } = filter;
  const page = await readPage(
    dependencies,
    { limit, cursor },
    {
      // Positions are those of one shard.
      binding: ['events', scope.shard, scope.companyId, after, type, shipmentId, 'position asc'],
      select: (position, rows) => {
        const isFirst = position === undefined && after !== undefined;
        return eventPage(scope, filter, isFirst ? { after } : { position: BigInt(position?.[0] ?? 0) }, rows);
      },
      positionOf: (row) => [String(row.position)],
      present: ({ body }) => eventOf(body),
      isCut: ({ body }) => body === '',
    },
  );
  if (!page.ok || after === undefined || page.value.data.length > 0) return page;
  const known = await dependencies.database.read(eventById(scope, after));
  if (!known.ok) return unavailable();
  if (known.rows.length > 0) return page;
  const violation = {
    field: 'after',
    code: 'NOT_IN_ENUM',
    limit: `the id of an event of the last ${EVENTS_KEPT_DAYS} days`,
  } as const;
  return refuse('INVALID_QUERY_PARAMETER', { violations: [violation] });
}

const PLACES = decimalPlacesOf(event);

/** An envelope as it was sent, but with its decimals as strings, as everywhere inside the service. */
function eventOf(body: string): Event {
  const parsed = parseJson(body);
  if (!parsed.ok) throw new Error('A stored envelope is not JSON');
  return fromRest(parsed.value, PLACES) as Event;
}
