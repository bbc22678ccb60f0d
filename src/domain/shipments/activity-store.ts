import { and, desc, eq, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { activityDays, activityProgress } from '../../../db/shard/schema/activity.ts';
import { events, shipmentEvents } from '../../../db/shard/schema/events.ts';
import { shipments, stageOf, WITH_DRIVER } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { columnsOf, placeholder, queries, read, variants, type WriteStatement, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import { type ShipmentEventType } from '../../contract/event-type.ts';
import {
  ACTIVITY_FIGURES,
  type ActivityFigure,
  isTerminal,
  SHIPMENT_STATES,
  type ShipmentState,
  takesDriverPlace,
} from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import { RIYADH_AHEAD_MS } from '../../core/riyadh.ts';
import type { Uuid } from '../../core/uuid.ts';
import { firstPositions, isKept } from '../events/positions.ts';
import { shipmentColumns } from './store.ts';

/*
 * The SQL of what happened on a day. Events are followed by position, not by time: a sandbox may have advanced its clock,
 * and several processes create events.
 */

const days = columnsOf(activityDays);
/** A row of counts, for one day and city. */
export type DayRow = Omit<typeof activityDays.$inferSelect, 'companyId'>;

/** The type of event that each figure counts. */
const TYPES: Readonly<Record<ActivityFigure, ShipmentEventType>> = {
  created: 'shipment.created',
  delivered: 'shipment.delivered',
  firstAttempt: 'shipment.delivered',
  inTime: 'shipment.delivered',
  failed: 'shipment.delivery_failed',
  cancelled: 'shipment.cancelled',
};
const COUNTED = [...new Set(Object.values(TYPES))];
const countedTypes = sql.raw(`(select value as type from json_each('${JSON.stringify(COUNTED)}'))`);
const driveMicros = sql`coalesce((select ${shipmentTerms.durationSeconds} from ${shipmentTerms} where ${eq(shipmentTerms.shipmentId, shipments.id)}), 0) * 1000000`;
/** What must be true besides the type. `page` has the events, `shipments` their shipments. */
const CONDITIONS: Readonly<Partial<Record<ActivityFigure, SQL>>> = {
  firstAttempt: sql`not exists (select 1 from ${shipmentEvents} where ${and(eq(shipmentEvents.shipmentId, shipments.id), eq(shipmentEvents.type, 'shipment.delivery_failed'))})`,
  inTime: sql`page.occurred_at <= ${shipments.pickupWindowEnd} + ${driveMicros}`,
};
const cityCode = sql`coalesce(json_extract(${shipments.destination}, '$.cityCode'), '')`;

const OFFSET_MICROS = RIYADH_AHEAD_MS * 1000;
const DAY_MICROS = 86_400_000_000;

/** The position of the event that created a shipment. Null if the event is no longer kept, or if there is no shipment. */
function creationOf(shipment: SQLWrapper): SQL {
  return sql`(select position from ${events} where shipment_id = (${shipment}) and step = 1 and ${isKept})`;
}
const ofCompany = eq(shipments.companyId, placeholder('companyId'));
/**
 * A position before all events since `since`. The company's events follow its clock to within seconds, and the caller
 * allows a day. No index has the times of events, but one has those of creations.
 */
const positionBefore = creationOf(
  queries
    .select({ id: shipments.id })
    .from(shipments)
    .where(and(ofCompany, lt(shipments.createdAt, placeholder('since'))))
    .orderBy(desc(shipments.createdAt), desc(shipments.id))
    .limit(1),
);
const positionAfter = creationOf(
  queries
    .select({ id: shipments.id })
    .from(shipments)
    .where(and(ofCompany, gte(shipments.createdAt, placeholder('until'))))
    .orderBy(shipments.createdAt, shipments.id)
    .limit(1),
);
const progress = sql`select event_id from ${activityProgress} where company_id = ${placeholder('companyId')}`;
/** If the counted event has been deleted, all up to it are too old for the days that are read. */
const countedPosition = sql`(select position from ${events} where id = (${progress}) and ${isKept})`;

const isUncounted = sql`position > max(coalesce(${countedPosition}, 0), coalesce(${positionBefore}, 0))`;
const uncounted = sql`(select each.position, id, type, shipment_id, occurred_at
  from ${firstPositions(isUncounted, sql`${placeholder('limit')}`, countedTypes)} as wanted cross join ${events} as each on each.position = wanted.position) as page`;

// Numbers only take the type of their column.
const endColumns = {
  before: activityProgress.eventId,
  last: activityProgress.eventId,
  position: activityDays.created,
  size: activityDays.created,
};
const selectEnd = read(endColumns, () =>
  queries
    // Beside one `max`, SQLite takes other columns from the row that has it.
    .select({
      before: sql`(${progress})`,
      last: sql`page.id`,
      position: sql`max(page.position)`,
      size: sql`count(*)`,
    })
    .from(uncounted),
);

const dayColumns = { day: days.day, cityCode: days.cityCode, ...figuresOf(days) };
const selectDays = read(dayColumns, (columns) =>
  queries
    .select(columns)
    .from(activityDays)
    .where(and(eq(activityDays.companyId, placeholder('companyId')), gte(activityDays.day, placeholder('firstDay')))),
);
const selectUncounted = read(dayColumns, () =>
  queries
    .select({
      day: sql`(page.occurred_at + ${sql.raw(String(OFFSET_MICROS))}) / ${sql.raw(String(DAY_MICROS))}`.as('day'),
      cityCode: sql`${cityCode}`.as('city_code'),
      ...Object.fromEntries(ACTIVITY_FIGURES.map((figure) => [figure, sql`sum(${isCounted(figure)})`])),
    })
    .from(uncounted)
    .crossJoin(sql`${shipments} on ${shipments.id} = page.shipment_id`)
    .groupBy(sql`1, 2`),
);

const OPEN_STATES = SHIPMENT_STATES.filter((state) => !isTerminal(state));
const WITH_DRIVER_STATES = OPEN_STATES.filter(takesDriverPlace).length;
const openColumns = { state: shipments.state, count: activityDays.created };
const selectOpen = read(openColumns, () => {
  const ofStage = (stage: string) =>
    sql`from ${shipments} where ${and(ofCompany, eq(shipments.stage, sql.raw(`'${stage}'`)))} limit`;
  const ofState = (state: ShipmentState) => {
    const text = sql.raw(`'${state}'`);
    const rows =
      stageOf(state) === WITH_DRIVER
        ? sql`with_driver where state = ${text}`
        : sql`(select 1 ${ofStage(state)} ${placeholder('openLimit')})`;
    return sql`select ${text} as state, count(*) as count from ${rows}`;
  };
  const all = sql.join(OPEN_STATES.map(ofState), sql` union all `);
  // The index does not tell these states apart, so their rows are read once for all of them.
  const withDriver = sql`with with_driver as materialized (select state ${ofStage(WITH_DRIVER)} ${placeholder('withDriverLimit')})`;
  return queries.select({ state: sql`state`, count: sql`count` }).from(sql`(${withDriver} ${all})`);
});

/** The states in which a shipment looks for a driver. The index does not tell an offer from what follows it. */
const LOOKING = sql.raw(`('READY_FOR_DISPATCH', 'OFFERED')`);
/**
 * Among the newest of each stage: a search takes half an hour, so what searches now was usually created lately. No index
 * has the times of searches, because every shipment would write an entry more.
 */
const selectWaiting = read(shipmentColumns, (columns) => {
  const ofStage = (stage: string) =>
    sql`select rowid from (select rowid from ${shipments} where ${and(ofCompany, eq(shipments.stage, sql.raw(`'${stage}'`)))}
      order by ${desc(shipments.createdAt)}, ${desc(shipments.id)} limit ${placeholder('newestLimit')})`;
  const rows = sql`${ofStage('READY_FOR_DISPATCH')} union all ${ofStage(WITH_DRIVER)}`;
  return queries
    .select(columns)
    .from(shipments)
    .where(
      sql`${shipments}.rowid in (${rows}) and +${shipments.state} in ${LOOKING} and ${shipments.held} = 0 and ${shipments.searchSince} <= ${placeholder('lookingSince')}`,
    )
    .orderBy(shipments.searchSince, shipments.id)
    .limit(placeholder('waitingLimit'));
});

export interface ActivityRange {
  /** Days before this one are not read. */
  readonly firstDay: number;
  /** A day before its start. */
  readonly since: Instant;
  /** The most events to count. */
  readonly limit: number;
  /** The most open shipments to count in each state; of the states with a driver, on average. */
  readonly openLimit: number;
  /** Shipments whose search for a driver began until then have waited long, and the most of them to read. */
  readonly lookingSince: Instant;
  readonly waitingLimit: number;
  /** How many of the newest shipments without a driver, and of the newest with one, are searched for these. */
  readonly newestLimit: number;
}

/**
 * The days that are counted, the next events of those that are not, the open shipments, and those that have waited long. To be read in one transaction,
 * so that each event is in one of the first two.
 */
export function activityReads(scope: CompanyScope, range: ActivityRange) {
  const { companyId } = scope;
  const { firstDay, since, limit, openLimit, lookingSince, waitingLimit, newestLimit } = range;
  const withDriverLimit = openLimit * WITH_DRIVER_STATES;
  return [
    selectDays({ companyId, firstDay }),
    selectUncounted({ companyId, since, limit }),
    selectEnd({ companyId, since, limit }),
    selectOpen({ companyId, openLimit, withDriverLimit }),
    selectWaiting({ companyId, newestLimit, lookingSince, waitingLimit }),
  ] as const;
}

const insertProgress = write(
  queries.insert(activityProgress).values({ companyId: placeholder('companyId'), eventId: placeholder('last') }),
);
const moveProgress = write(
  queries
    .update(activityProgress)
    .set({ eventId: sql`${placeholder('last')}` })
    .where(
      and(
        eq(activityProgress.companyId, placeholder('companyId')),
        eq(activityProgress.eventId, placeholder('before')),
      ),
    ),
  { mustChange: true },
);
const member = (name: string) => sql.raw(`entry.value ->> '$.${name}'`);
const addRows = write(
  queries
    .insert(activityDays)
    .select(
      sql`select ${placeholder('companyId')}, ${member('day')}, ${member('cityCode')}, ${sql.join(ACTIVITY_FIGURES.map(member), sql`, `)}
        from json_each(${placeholder('rows')}) as entry where true`,
    )
    .onConflictDoUpdate({
      target: [activityDays.companyId, activityDays.day, activityDays.cityCode],
      set: Object.fromEntries(
        ACTIVITY_FIGURES.map((figure) => [
          figure,
          sql`${days[figure]} + excluded.${sql.identifier(days[figure].name)}`,
        ]),
      ),
    }),
);
const deleteDays = write(
  queries
    .delete(activityDays)
    .where(and(eq(activityDays.companyId, placeholder('companyId')), lt(activityDays.day, placeholder('firstDay')))),
);
/**
 * Adds counted events to the days, and deletes days that are no longer read. Refuses the unit if others were counted since
 * the event `before`.
 */
export function activityCounted(
  scope: CompanyScope,
  counted: {
    readonly before: Uuid | null;
    readonly last: Uuid;
    readonly rows: readonly DayRow[];
    readonly firstDay: number;
  },
): WriteStatement[] {
  const { companyId } = scope;
  const { before, last, rows, firstDay } = counted;
  return [
    before === null ? insertProgress({ companyId, last }) : moveProgress({ companyId, last, before }),
    addRows({ companyId, rows: JSON.stringify(rows) }),
    deleteDays({ companyId, firstDay }),
  ];
}

const selectBehind = variants((figure: ActivityFigure, hasCity: boolean) =>
  read({ ...shipmentColumns, position: activityDays.created }, () => {
    const page = sql`(select position, type, shipment_id, occurred_at from ${events}
      where company_id = ${placeholder('companyId')} and type = ${sql.raw(`'${TYPES[figure]}'`)} and ${isKept}
      and position > coalesce(${positionBefore}, 0) and position < coalesce(${placeholder('before')}, ${positionAfter}, ${sql.raw(String(Number.MAX_SAFE_INTEGER))})
      and occurred_at >= ${placeholder('from')} and occurred_at < ${placeholder('to')}) as page`;
    return queries
      .select({ ...shipmentColumns, position: sql`page.position`.as('position') })
      .from(page)
      .crossJoin(shipments)
      .where(
        and(
          sql`${shipments.id} = page.shipment_id`,
          CONDITIONS[figure],
          hasCity ? sql`${cityCode} = ${placeholder('cityCode')}` : undefined,
        ),
      )
      .orderBy(sql`page.position desc`)
      .limit(placeholder('limit'));
  }),
);
export interface FigureRange {
  readonly figure: ActivityFigure;
  readonly cityCode: string | undefined;
  readonly from: Instant;
  readonly to: Instant;
  /** An hour before and after: events and shipments of one company follow in nearly the order of their times. */
  readonly since: Instant;
  readonly until: Instant;
}
/** Shipments whose event a figure counts, the newest event first. */
export function shipmentsBehind(scope: CompanyScope, range: FigureRange, before: number | null, limit: number) {
  const { figure, cityCode: city, ...instants } = range;
  const select = selectBehind(figure, city !== undefined);
  return select({ companyId: scope.companyId, ...instants, cityCode: city ?? null, before, limit });
}

function isCounted(figure: ActivityFigure): SQL {
  const isOfType = sql`page.type = ${sql.raw(`'${TYPES[figure]}'`)}`;
  const condition = CONDITIONS[figure];
  return condition === undefined ? isOfType : sql`${isOfType} and ${condition}`;
}

function figuresOf({ created, delivered, firstAttempt, inTime, failed, cancelled }: typeof days) {
  return { created, delivered, firstAttempt, inTime, failed, cancelled };
}
