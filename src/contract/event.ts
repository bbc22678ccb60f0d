import * as z from 'zod';
import { DEPLOYMENTS } from '../core/deployment.ts';
import { parseUuid, type Uuid } from '../core/uuid.ts';
import { amendmentInEvent } from './amendment-event.ts';
import { collectionInEvent } from './cod-event.ts';
import { EVENT_TYPES } from './event-type.ts';
import { priceWithVat } from './price-estimate.ts';
import { proofInEvent } from './proof-event.ts';
import { shipment, shipmentState } from './shipment.ts';
import { metadataOut } from './shipment-metadata.ts';
import { addViolation, coordinateOut, instantOut, logged, uuidOut } from './values.ts';

/** Event types. A delivered event and a listed event have the same members in the same order. */

export const eventType = z.enum(EVENT_TYPES).meta({ id: 'EventType' });

/** Some event types have more members besides the shipment. */
const eventData = z.looseObject({
  shipment: z.optional(shipment),
  /** All members of the record, of which only these need a rule. */
  nationalAddress: z.optional(
    z.looseObject({ location: z.nullable(z.strictObject({ latitude: coordinateOut(), longitude: coordinateOut() })) }),
  ),
  /** Of the shipment, if it has any. */
  metadata: z.optional(metadataOut),
  /** For a shipment: why it failed, was cancelled or declined, or found no driver. For an endpoint: why it was disabled. */
  reason: z.optional(
    z.union([
      z.strictObject({ code: logged(z.string()), comment: z.nullable(z.string()) }),
      z.enum(['GONE', 'FAILING']),
    ]),
  ),
  /** Of `shipment.amended`, `shipment.amendment_requested` and `shipment.amendment_decided`. */
  amendment: z.optional(amendmentInEvent),
  /** Of `shipment.delivery_failed` and `resolution.chosen`. Only prices need a rule. */
  resolution: z.optional(
    z.looseObject({
      options: z.optional(z.array(z.looseObject({ price: priceWithVat }))),
      price: z.optional(priceWithVat),
    }),
  ),
  /** Of `cod.collected`. */
  collection: z.optional(collectionInEvent),
  /** When the driver took the action by the clock of the phone; null if that cannot be believed. Absent if the client did not say. */
  takenAt: z.optional(z.nullable(instantOut)),
  /** Of `shipment.delivered` and `shipment.delivery_failed` with a record. */
  proof: z.optional(proofInEvent),
  sandboxClock: z.optional(
    z.strictObject({
      offsetSeconds: z
        .number()
        .meta({
          override: { type: 'integer' as const, minimum: 1 },
        })
        .describe('How far the clock of the sandbox was ahead of the real time when the event was stored.'),
    }),
  ),
});

const LATEST = 'latest';
/** Where the feed continues: after an event of the company, or from now on. */
export const eventAnchor = logged(
  z
    .string()
    .transform((value, context): Uuid | typeof LATEST => {
      if (value === LATEST) return LATEST;
      const parsed = parseUuid(value);
      if (parsed === undefined) addViolation(context, 'PATTERN_MISMATCH', `a UUID or ${LATEST}`);
      return parsed ?? z.NEVER;
    })
    .meta({ override: { type: 'string' as const, anyOf: [{ format: 'uuid' }, { const: LATEST }] } }),
);

export const event = z
  .strictObject({
    id: uuidOut,
    type: eventType,
    timestamp: instantOut,
    apiVersion: z.literal('v2'),
    deployment: z.enum(DEPLOYMENTS),
    companyId: uuidOut,
    shipmentId: z.nullable(uuidOut).describe('The shipment; null for an event of no shipment.'),
    sequence: z
      .number()
      .meta({
        override: { type: 'integer' as const, minimum: 0 },
      })
      .describe('From 1 without a gap for each shipment; 0 for an event of no shipment.'),
    previousState: z.nullable(shipmentState),
    correlationId: uuidOut,
    test: z.optional(z.literal(true)).describe('True in a test event, which has no shipment. Absent otherwise.'),
    data: eventData,
  })
  .meta({ id: 'Event' });
export type Event = z.output<typeof event>;
