import * as z from 'zod';
import { parseInstant } from '../core/instant.ts';
import { ACTIVITY_DAYS } from '../core/limits.ts';
import { SHIPMENT_EVENT_TYPES } from './event-type.ts';
import { pageOf } from './page.ts';
import { cityCode, shipment, shipmentIds, shipmentState } from './shipment.ts';
import { shipmentFilter } from './shipment-filter.ts';
import { ACTIVITY_FIGURES } from './shipment-state.ts';
import { addViolation, instantOut, integer, logged, uuid, uuidOut } from './values.ts';

/* What happened, for people who look at the console. Programs follow the events. */

const count = z.number();
const figures = {
  created: count,
  delivered: count,
  firstAttempt: count,
  inTime: count,
  failed: count,
  cancelled: count,
};

export const activity = z.strictObject({
  /** Today and the six days before, the oldest first. A day begins at midnight in Riyadh, by the clock of the company. */
  days: z.array(z.strictObject({ day: logged(z.string()), ...figures })),
  /** The same days together, by city of delivery. */
  cities: z.array(z.strictObject({ cityCode: logged(z.string()), ...figures })),
  /** Shipments that have not ended. `isMore`: no more than `count` were counted. */
  open: z.array(z.strictObject({ state: shipmentState, count, isMore: z.boolean() })),
  /** Of the newest open shipments those that have looked for a driver for some minutes, the longest first. `isMore`: there are others. */
  waiting: z.strictObject({ shipments: z.array(shipment), isMore: z.boolean() }),
  /** False while events of these days are still to be counted. The next reading continues. */
  isComplete: z.boolean(),
});
export type Activity = z.output<typeof activity>;

/** A day such as `2026-01-31`, as the instant at which it begins in UTC. */
const day = logged(
  z.string().transform((value, context) => {
    const start = parseInstant(`${value}T00:00:00Z`);
    if (start === undefined) addViolation(context, 'PATTERN_MISMATCH', 'day');
    return start ?? z.NEVER;
  }),
);

/** The shipments behind one figure of a day, today by default, or of `days` that end with it. */
export const activityFilter = {
  day: z.optional(day),
  days: z.optional(integer(1, ACTIVITY_DAYS)),
  figure: z.enum(ACTIVITY_FIGURES),
  cityCode: z.optional(cityCode()),
};
export type ActivityFilter = z.output<z.ZodObject<typeof activityFilter>>;

// Metadata changes without an event, and the console has no filter of branches.
const { metadata: _metadata, branchCode: _branchCode, ...changingFilter } = shipmentFilter;
/** `known`: the newest event when the page was last read. */
export const changingList = { ...changingFilter, known: z.optional(uuid) };

/** `list` is null if nothing has happened since the event that the request knows. */
export const shipmentsIfChanged = z.strictObject({
  newest: z.nullable(uuidOut),
  list: z.nullable(pageOf(shipment)),
});
export type ShipmentsIfChanged = z.output<typeof shipmentsIfChanged>;

/** The shipments of a page of the list. Labels are printed of as many. */
export const listedShipments = { shipmentIds };

/** Of each shipment its names, the driver, while one has it, and the last change of its state. */
export const listedDetails = z.strictObject({
  data: z.array(
    z.strictObject({
      shipmentId: uuidOut,
      shipmentNumber: logged(z.string()),
      externalReference: z.nullable(logged(z.string())),
      version: z.number(),
      driver: z.nullable(z.strictObject({ firstName: z.string() })),
      lastEvent: z.strictObject({
        type: z.enum(SHIPMENT_EVENT_TYPES),
        occurredAt: instantOut,
        note: z.nullable(z.string()),
      }),
    }),
  ),
});
export type ListedDetails = z.output<typeof listedDetails>;
