import type { CompanyScope } from '../../access/require.ts';
import { type Event, event } from '../../contract/event.ts';
import { decimalPlacesOf, fromRest } from '../../contract/rest-numbers.ts';
import type { Instant } from '../../core/instant.ts';
import { parseJson } from '../../core/json.ts';
import { EVENTS_KEPT_DAYS } from '../../core/limits.ts';
import { ok, type Refusal, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Page, type PageDependencies, type PageRequest, readPage } from '../page.ts';
import { type Beginning, type EventFilter, eventById, eventPage, lastEvent } from './feed-store.ts';

export interface FeedRequest extends PageRequest, EventFilter {
  /** The last event that the caller has seen, or `latest` for the events from now on. */
  readonly after?: Uuid | 'latest' | undefined;
  /** Where the first page begins. Not together with `after`. */
  readonly from?: Instant | undefined;
}

/**
 * Events of the company, oldest first. Later commits get later positions, so a client that continues `after` its last
 * event misses none. An `after` that the company does not have, or no longer has, is refused.
 */
export async function listEvents(
  dependencies: PageDependencies,
  scope: CompanyScope,
  feedRequest: FeedRequest,
): Promise<Result<Page<Event>>> {
  const { limit, cursor, after, from, ...filter } = feedRequest;
  if (after !== undefined && from !== undefined) return refuseParameter({ field: 'from', code: 'FORBIDDEN_FIELD' });
  const { type, shipmentId } = filter;
  // Positions are those of one shard.
  const origin = after ?? from?.toString();
  const binding = ['events', scope.shard, scope.companyId, origin, type, shipmentId, 'position asc'];
  if (after === 'latest' && cursor === undefined) return latestPage(dependencies, scope, binding);
  const first: Beginning =
    after !== undefined && after !== 'latest' ? { after } : from === undefined ? START : { from };
  const page = await readPage(
    dependencies,
    { limit, cursor },
    {
      binding,
      select: (position, rows) =>
        eventPage(scope, filter, position === undefined ? first : { position: BigInt(position[0] ?? 0) }, rows),
      positionOf: (row) => [String(row.position)],
      present: ({ body }) => eventOf(body ?? ''),
      isCut: ({ body }) => !body,
    },
  );
  if (!page.ok || after === undefined || page.value.data.length > 0) return page;
  // Nothing has happened yet, so the same cursor still says where to continue.
  if (after === 'latest') return ok({ data: [], page: { nextCursor: cursor ?? null, hasMore: true } });
  const known = await dependencies.database.read(eventById(scope, after));
  if (!known.ok) return unavailable();
  return known.rows.length > 0 ? page : refuseParameter({ field: 'after', code: 'NOT_IN_ENUM', limit: KEPT_EVENT });
}

const START: Beginning = { position: 0n };
const KEPT_EVENT = `the id of an event of the last ${EVENTS_KEPT_DAYS} days. To begin again, send from instead`;

/** An empty page whose cursor stands after the last event of the company. */
async function latestPage(
  { database, cursors }: PageDependencies,
  scope: CompanyScope,
  binding: readonly (string | undefined)[],
): Promise<Result<Page<Event>>> {
  const last = await database.read(lastEvent(scope));
  if (!last.ok) return unavailable();
  const nextCursor = await cursors.seal(binding, [String(last.rows[0]?.position ?? 0)]);
  return ok({ data: [], page: { nextCursor, hasMore: true } });
}

function refuseParameter(violation: Violation): Refusal {
  return refuse('INVALID_QUERY_PARAMETER', { violations: [violation] });
}

const PLACES = decimalPlacesOf(event);

/** An envelope as it was sent, but with its decimals as strings, as everywhere inside the service. */
function eventOf(body: string): Event {
  const parsed = parseJson(body);
  if (!parsed.ok) throw new Error('A stored envelope is not JSON');
  return fromRest(parsed.value, PLACES) as Event;
}
