import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { LoggedRequest, LoggedRequestWithEvents, RequestLogFilter } from '../../contract/request-log.ts';
import {
  addMicros,
  addMillis,
  addSeconds,
  type Instant,
  instantFromMillis,
  parseInstant,
  toMillis,
} from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { FAILURES_LOGGED_DAYS } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { AFTER_UUIDS, millisOf, type Uuid, uuidsFrom } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { correlatedEvents } from '../events/store.ts';
import type { Page, PageRequest } from '../page.ts';
import { curlOf } from './curl.ts';
import { unpack } from './rows.ts';
import { type FoundRow, rowsOf } from './store.ts';

/** No request takes as long, so an entry is in a row whose last request began at most so much later. */
const ROW_SECONDS = 60;
/** Rows in one read, and characters of unpacked entries in one response: what takes some hundredths of a second. */
const ROWS_AT_ONCE = 20;
const CHARACTERS_MAX = 2 * 1024 * 1024;
const DAY_SECONDS = 24 * 3600;

export interface ReadLogDependencies {
  /** Undefined if the deployment keeps no log. */
  readonly requestLog: { readonly database: Database } | undefined;
  /** The company's shard. */
  readonly database: Database;
  readonly cursors: Sealer;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

/**
 * Entries of the company, newest first. Successful reads that are equal and follow each other are one entry. A response that
 * would have to unpack too much ends early, with the cursor to go on.
 */
export async function listRequests(
  { requestLog, cursors, clock }: ReadLogDependencies,
  scope: CompanyScope,
  { limit, cursor, ...filter }: PageRequest & RequestLogFilter,
): Promise<Result<Page<LoggedRequest>>> {
  if (requestLog === undefined) return ok({ data: [], page: { nextCursor: null, hasMore: false } });
  const { from, to, ...others } = filter;
  const binding = ['request-log', scope.companyId, JSON.stringify({ ...others, from: String(from), to: String(to) })];
  const opened = cursor === undefined ? [AFTER_UUIDS] : await cursors.open(binding, cursor);
  const [after] = opened ?? [];
  if (after === undefined) return refuse('INVALID_CURSOR');
  const now = clock.now();
  const earliest = addSeconds(now, -FAILURES_LOGGED_DAYS * DAY_SECONDS);
  const latest = addSeconds(now, ROW_SECONDS);
  const range = {
    from: from === undefined || from < earliest ? earliest : from,
    to: to === undefined || to > latest ? latest : to,
    after,
  };
  const reader = new Reader(requestLog.database, scope, filter, range);
  const groups: LoggedRequest[] = [];
  for (;;) {
    const found = await reader.next();
    if (found === undefined) return unavailable();
    for (const entry of found.entries) {
      const last = groups.at(-1);
      if (last !== undefined && isEqualRead(last, entry)) {
        last.repeats += 1 + entry.repeats;
        reader.position = entry.requestId;
      } else if (groups.length < limit) {
        groups.push(entry);
        reader.position = entry.requestId;
      } else {
        return ok(await pageOf(groups, cursors, binding, reader.position));
      }
    }
    if (found.next === undefined) return ok(await pageOf(groups, cursors, binding, undefined));
    reader.position = found.next;
    if (reader.characters > CHARACTERS_MAX) return ok(await pageOf(groups, cursors, binding, reader.position));
  }
}

async function pageOf(
  data: LoggedRequest[],
  cursors: Sealer,
  binding: readonly string[],
  position: string | undefined,
): Promise<Page<LoggedRequest>> {
  const nextCursor = position === undefined ? null : await cursors.seal(binding, [position]);
  return { data, page: { nextCursor, hasMore: nextCursor !== null } };
}

function isEqualRead(one: LoggedRequest, other: LoggedRequest): boolean {
  const isRead = (one.method === 'GET' || one.method === 'HEAD') && one.status < 400;
  return (
    isRead &&
    // Paths with a hidden value may differ in it.
    !one.path.includes('<') &&
    one.path === other.path &&
    one.operation === other.operation &&
    one.status === other.status &&
    one.clientId === other.clientId &&
    one.method === other.method
  );
}

interface Range {
  readonly from: Instant;
  readonly to: Instant;
  /** Only entries with an earlier id. */
  readonly after: string;
}

/** Reads rows, newest first, and returns their entries in order once no unread row can have a newer one. */
class Reader {
  readonly #database: Database;
  readonly #scope: CompanyScope;
  readonly #filter: RequestLogFilter;
  readonly #range: Range;
  /** Rows whose last request began before this are unread. */
  #unreadBefore: Instant;
  #pool: LoggedRequest[] = [];
  /** Characters that were unpacked. */
  characters = 0;
  /** The id of the last entry that was given. */
  position: string;

  constructor(database: Database, scope: CompanyScope, filter: RequestLogFilter, range: Range) {
    this.#database = database;
    this.#scope = scope;
    this.#filter = filter;
    this.#range = range;
    this.position = range.after;
    this.#unreadBefore = addSeconds(this.#newest, ROW_SECONDS);
  }

  /** No entry that is wanted began later. */
  get #newest(): Instant {
    const { to, after } = this.#range;
    const instant =
      after === AFTER_UUIDS ? to : instantFromMillis(Number.parseInt(after.replace('-', '').slice(0, 12), 16) + 1);
    return instant < to ? instant : to;
  }

  /** Undefined if the database did not answer. `next` is where to go on after these entries, unless they are the last. */
  async next() {
    const { from } = this.#range;
    const range = { from, to: this.#newest, before: this.#unreadBefore, limit: ROWS_AT_ONCE };
    const kinds = kindsOf(this.#filter.status);
    const answer = await this.#database.readAll(kinds.map((isFailure) => rowsOf(this.#scope, { ...range, isFailure })));
    if (!answer.ok) return undefined;
    const found = answer.results.flat();
    // Rows of both kinds are taken down to where the first kind may have more. Those below are read again.
    const [end] = answer.results
      .flatMap((rows) => (rows.length < ROWS_AT_ONCE ? [] : (rows.at(-1)?.lastAt ?? [])))
      .toSorted((left, right) => (left < right ? 1 : -1));
    const newer = found.filter(({ lastAt }) => end === undefined || lastAt > end);
    // More rows than one read has may end in the same millisecond only if a hundred processes serve the company.
    const rows = newer.length > 0 || end === undefined ? newer : found;
    const bound = (await this.#takeSome(rows)) ?? end;
    this.#pool.sort((left, right) => (left.requestId < right.requestId ? 1 : -1));
    const next = bound === undefined ? undefined : uuidsFrom(toMillis(bound) + 1);
    const entries = next === undefined ? this.#pool : this.#pool.filter(({ requestId }) => requestId > next);
    this.#pool = next === undefined ? [] : this.#pool.filter(({ requestId }) => requestId <= next);
    if (bound !== undefined) this.#unreadBefore = newer.length > 0 ? addMicros(bound, 1) : bound;
    return { entries, next };
  }

  /** Takes rows, newest first, until there are enough characters. Then it returns where the first row ends that it left. */
  async #takeSome(rows: readonly FoundRow[]): Promise<Instant | undefined> {
    let last: Instant | undefined;
    for (const row of rows.toSorted((left, right) => (left.lastAt < right.lastAt ? 1 : -1))) {
      if (this.characters > CHARACTERS_MAX && row.lastAt !== last) return row.lastAt;
      await this.#take(row);
      last = row.lastAt;
    }
    return undefined;
  }

  async #take({ entries }: FoundRow): Promise<void> {
    const text = await unpack(entries);
    this.characters += text.length;
    for (const line of text.split('\n')) {
      const entry = parseStored<LoggedRequest>(line);
      if (entry.requestId < this.#range.after && this.#isWanted(entry)) this.#pool.push(entry);
    }
  }

  #isWanted(entry: LoggedRequest): boolean {
    const { from, to } = this.#range;
    const { status, method, operation, correlationId, shipmentId, externalReference, source } = this.#filter;
    const at = parseInstant(entry.at) ?? from;
    return (
      at >= from &&
      at <= to &&
      isOfStatus(entry.status, status) &&
      isSame(method, entry.method) &&
      isSame(operation, entry.operation) &&
      isSame(correlationId, entry.correlationId) &&
      isSame(shipmentId, entry.shipmentId) &&
      isSame(externalReference, entry.externalReference) &&
      isSame(source, entry.source)
    );
  }
}

function isSame(wanted: string | undefined, value: string | null): boolean {
  return wanted === undefined || wanted === value;
}

function isOfStatus(status: number, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith('xx') ? String(status).startsWith(wanted.slice(0, 1)) : String(status) === wanted;
}

/** The rows that can have entries of a status: those of successes, of failures, or both. */
function kindsOf(status: string | undefined): readonly (0 | 1)[] {
  if (status === undefined) return [0, 1];
  return status < '4' ? [0] : [1];
}

/** One entry of the company. An unknown one and one of another company get the same refusal. */
export async function readRequest(
  { requestLog, database, config }: ReadLogDependencies,
  scope: CompanyScope,
  requestId: Uuid,
): Promise<Result<LoggedRequestWithEvents>> {
  if (requestLog === undefined) return refuse('RESOURCE_NOT_FOUND');
  const entry = await findEntry(requestLog.database, scope, requestId);
  if (entry === undefined) return unavailable();
  if (entry === null) return refuse('RESOURCE_NOT_FOUND');
  const events = await eventsOf(database, scope, entry);
  if (events === undefined) return unavailable();
  return ok({ ...entry, relatedEvents: events, curl: curlOf(entry, config.baseUrl) });
}

/** Null if there is no such entry, undefined if the database did not answer. */
async function findEntry(
  database: Database,
  scope: CompanyScope,
  requestId: Uuid,
): Promise<LoggedRequest | null | undefined> {
  const at = instantFromMillis(millisOf(requestId));
  for (const isFailure of [1, 0] as const) {
    let before = addSeconds(addMillis(at, 1), ROW_SECONDS);
    for (let isMore = true; isMore; ) {
      const answer = await database.read(rowsOf(scope, { from: at, to: at, before, limit: ROWS_AT_ONCE, isFailure }));
      if (!answer.ok) return undefined;
      for (const { entries, lastAt } of answer.rows) {
        const line = (await unpack(entries)).split('\n').find((one) => one.includes(`"requestId":"${requestId}"`));
        if (line !== undefined) return parseStored<LoggedRequest>(line);
        before = lastAt;
      }
      isMore = answer.rows.length === ROWS_AT_ONCE;
    }
  }
  return null;
}

/** The events of the entry's shipment with its correlation id. */
async function eventsOf(
  database: Database,
  scope: CompanyScope,
  { shipmentId, correlationId }: LoggedRequest,
): Promise<Uuid[] | undefined> {
  if (shipmentId === null) return [];
  const answer = await database.read(correlatedEvents(scope, shipmentId as Uuid, correlationId as Uuid));
  return answer.ok ? answer.rows.map(({ id }) => id) : undefined;
}
