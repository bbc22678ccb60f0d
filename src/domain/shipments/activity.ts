import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Activity, ActivityFilter } from '../../contract/activity.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { ACTIVITY_FIGURES, type ActivityFigure } from '../../contract/shipment-state.ts';
import { addMillis, addSeconds, formatInstant, type Instant, instantFromMillis, toMillis } from '../../core/instant.ts';
import { ACTIVITY_DAYS } from '../../core/limits.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import { RIYADH_AHEAD_MS } from '../../core/riyadh.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Page, type PageDependencies, type PageRequest, readPage } from '../page.ts';
import { settle } from '../settle.ts';
import { activityCounted, activityReads, type DayRow, shipmentsBehind } from './activity-store.ts';
import { presentShipment } from './view.ts';

/*
 * Promise: each event of the days that are read is counted once. The days are sums of events up to one event, and that event
 * is compared and set by the unit that adds to them. A read adds the events after it without storing them, and stores
 * them when there are many. So a change of a shipment writes nothing for this, and a company whose home page is never
 * opened costs nothing.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Events that one reading adds without storing them. They take some milliseconds. */
const UNCOUNTED_MAX = 1000;
/** The parts that one reading stores: a company with more waiting events is complete after some readings. */
const PARTS_MAX = 20;
/**
 * Shipments counted in each state. Counting this many entries of the index takes about a millisecond. Of the shipments with
 * a driver the rows are read, too, but a company has at most some thousands of those.
 */
const OPEN_MAX = 10_000;
/** A driver is usually found sooner. */
const LONG_WAIT_SECONDS = 5 * 60;
/** The most of these that home shows. */
const WAITING_MAX = 5;
/** The rows of each stage that are searched for these, at every reading of home. */
const NEWEST_MAX = 500;

interface ActivityDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
}
type Figures = Record<ActivityFigure, number>;

/** What happened today and in the six days before, the shipments that have not ended, and those that have looked for a driver for long. */
export async function readActivity(
  { database, writer, clock }: ActivityDependencies,
  scope: CompanyScope,
  limit: number = UNCOUNTED_MAX,
): Promise<Result<Activity>> {
  const today = todayOf(clock);
  const firstDay = today - ACTIVITY_DAYS + 1;
  const range = {
    firstDay,
    since: addMillis(startOf(firstDay), -DAY_MS),
    limit,
    openLimit: OPEN_MAX + 1,
    lookingSince: addSeconds(clock.now(), -LONG_WAIT_SECONDS),
    waitingLimit: WAITING_MAX + 1,
    newestLimit: NEWEST_MAX,
  };
  for (let part = 1; ; part += 1) {
    const answer = await database.readAll(activityReads(scope, range));
    if (!answer.ok) return unavailable();
    const [counted, uncounted, [end], open, waiting] = answer.results;
    const rows = uncounted.filter(({ day }) => day >= firstDay);
    const isFull = end !== undefined && end.size === limit;
    if (isFull && part <= PARTS_MAX) {
      const statements = activityCounted(scope, { before: end.before, last: end.last, rows, firstDay });
      // Refused: another read has stored them. If the outcome is unknown, the days are answered as they were read.
      if (settle(await writer.commit({ statements })).ok) continue;
    }
    return ok({
      ...present(today, [...counted, ...rows], open),
      waiting: {
        shipments: waiting.slice(0, WAITING_MAX).map(presentShipment),
        isMore: waiting.length > WAITING_MAX,
      },
      isComplete: !isFull,
    });
  }
}

function present(
  today: number,
  rows: readonly DayRow[],
  open: readonly { readonly state: Shipment['state']; readonly count: number }[],
): Pick<Activity, 'days' | 'cities' | 'open'> {
  const week = Array.from({ length: ACTIVITY_DAYS }, (_, index) => today - ACTIVITY_DAYS + 1 + index);
  const shown = rows.filter(({ day }) => day <= today);
  const cities = [...new Set(shown.map(({ cityCode }) => cityCode))].toSorted();
  return {
    days: week.map((day) => ({ day: textOf(day), ...sumOf(shown.filter((row) => row.day === day)) })),
    cities: cities.map((cityCode) => ({ cityCode, ...sumOf(shown.filter((row) => row.cityCode === cityCode)) })),
    open: open.map(({ state, count }) => ({ state, count: Math.min(count, OPEN_MAX), isMore: count > OPEN_MAX })),
  };
}

function sumOf(rows: readonly DayRow[]): Figures {
  const sum: Figures = { created: 0, delivered: 0, firstAttempt: 0, inTime: 0, failed: 0, cancelled: 0 };
  for (const row of rows) for (const figure of ACTIVITY_FIGURES) sum[figure] += row[figure];
  return sum;
}

/** A page of the shipments behind a figure of a day or of several, while their events are kept. */
export function listActivity(
  dependencies: PageDependencies & { readonly clock: CompanyClock },
  scope: CompanyScope,
  { limit, cursor, days = 1, figure, cityCode, ...request }: PageRequest & ActivityFilter,
): Promise<Result<Page<Shipment>>> {
  const { day = instantFromMillis(todayOf(dependencies.clock) * DAY_MS) } = request;
  const [from, to] = [addMillis(day, -RIYADH_AHEAD_MS - (days - 1) * DAY_MS), addMillis(day, DAY_MS - RIYADH_AHEAD_MS)];
  const range = { figure, cityCode, from, to, since: addMillis(from, -HOUR_MS), until: addMillis(to, HOUR_MS) };
  return readPage(
    dependencies,
    { limit, cursor },
    {
      // Positions are those of one shard.
      binding: ['activity', scope.shard, scope.companyId, String(day), String(days), figure, cityCode, 'position desc'],
      select: (after, rows) => shipmentsBehind(scope, range, after === undefined ? null : Number(after[0]), rows),
      positionOf: ({ position }) => [String(position)],
      present: presentShipment,
    },
  );
}

/** Days since 1970-01-01, in Riyadh. */
function todayOf(clock: CompanyClock): number {
  return Math.floor((toMillis(clock.now()) + RIYADH_AHEAD_MS) / DAY_MS);
}

function startOf(day: number): Instant {
  return instantFromMillis(day * DAY_MS - RIYADH_AHEAD_MS);
}

function textOf(day: number): string {
  return formatInstant(instantFromMillis(day * DAY_MS)).slice(0, '2026-01-31'.length);
}
