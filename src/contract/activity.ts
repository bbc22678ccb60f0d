import * as z from 'zod';
import { parseInstant } from '../core/instant.ts';
import { cityCode, shipmentState } from './shipment.ts';
import { addViolation } from './values.ts';

/* What happened on a day, for people who look at the console. Programs follow the events. */

/**
 * The figures of a day:
 * - firstAttempt: delivered, and no attempt had failed before.
 * - inTime: delivered before the end of the pickup window plus the time of the drive, as tracking links say beforehand.
 */
export const ACTIVITY_FIGURES = ['created', 'delivered', 'firstAttempt', 'inTime', 'failed', 'cancelled'] as const;
export type ActivityFigure = (typeof ACTIVITY_FIGURES)[number];

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
  days: z.array(z.strictObject({ day: z.string(), ...figures })),
  /** The same days together, by city of delivery. */
  cities: z.array(z.strictObject({ cityCode: z.string(), ...figures })),
  /** Shipments that have not ended. `isMore`: no more than `count` were counted. */
  open: z.array(z.strictObject({ state: shipmentState, count, isMore: z.boolean() })),
  /** False while events of these days are still to be counted. The next reading continues. */
  isComplete: z.boolean(),
});
export type Activity = z.output<typeof activity>;

/** A day such as `2026-01-31`, as the instant at which it begins in UTC. */
const day = z.string().transform((value, context) => {
  const start = parseInstant(`${value}T00:00:00Z`);
  if (start === undefined) addViolation(context, 'PATTERN_MISMATCH');
  return start ?? z.NEVER;
});

/** The shipments behind one figure. */
export const activityFilter = { day, figure: z.enum(ACTIVITY_FIGURES), cityCode: z.optional(cityCode()) };
export type ActivityFilter = z.output<z.ZodObject<typeof activityFilter>>;
