import * as z from 'zod';
import { shipmentState } from './shipment.ts';
import { ACTORS, SHIPMENT_EVENT_TYPES } from './shipment-state.ts';
import { instantOut } from './values.ts';

/** One step in the life of a shipment. */
export const timelineEntry = z
  .strictObject({
    sequence: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    type: z.enum(SHIPMENT_EVENT_TYPES),
    state: shipmentState,
    occurredAt: instantOut,
    actor: z.enum(ACTORS),
    note: z.nullable(z.string()),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.output<typeof timelineEntry>;
