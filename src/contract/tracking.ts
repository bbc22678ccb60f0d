import * as z from 'zod';
import { LOCALES } from '../core/locale.ts';
import { VEHICLE_TYPES } from './driver-state.ts';
import { GOODS } from './resolution-state.ts';
import { shipmentState } from './shipment.ts';
import { DISPATCH_PHASES } from './shipment-state.ts';
import { coordinateOut, decimalOut, hidden, instantOut, logged } from './values.ts';

/** A shipment as the public tracking page shows it, without the recipient and the address. */

/** Events that the tracking page shows. Offers to drivers in between are not shown. */
export const TRACKED_EVENT_TYPES = [
  'shipment.created',
  'shipment.approved',
  'shipment.accepted',
  'shipment.driver_released',
  'shipment.picked_up',
  'shipment.out_for_delivery',
  'shipment.delivered',
  'shipment.delivery_failed',
  'shipment.cancelled',
] as const;
export type TrackedEventType = (typeof TRACKED_EVENT_TYPES)[number];

/** Of each side. A page shows at most 48 pixels of height, on the sharpest screens with 144. */
export const LOGO_PIXELS_MIN = 16;
export const LOGO_PIXELS_MAX = 1024;

const pixels = z
  .number()
  .meta({ override: { type: 'integer' as const, minimum: LOGO_PIXELS_MIN, maximum: LOGO_PIXELS_MAX } });
/** A picture at a public address, with its size in pixels. */
export const shownLogo = z
  .strictObject({
    url: z.string().describe('The picture. Any website may show it.'),
    width: pixels.describe('In pixels.'),
    height: pixels.describe('In pixels.'),
  })
  .meta({ id: 'Logo' });

const projection = {
  shipmentNumber: logged(z.string()),
  merchantName: z.string(),
  merchantLogo: z.optional(shownLogo).describe('The logo of the company; absent without one.'),
  /** E.164, as the next member. Both only if the merchant has agreed to show them. */
  merchantPhone: z
    .optional(z.string())
    .describe('The phone of the company in E.164; absent unless the company shows it.'),
  merchantWhatsApp: z
    .optional(z.string())
    .describe('The WhatsApp number of the company in E.164; absent unless the company shows it.'),
  state: shipmentState,
  stateLabel: z.string().describe('The state in words, in the language of `locale`.'),
  /** 1 ordered, 2 with a driver, 3 picked up, 4 out for delivery, 5 delivered. A failed shipment keeps its last step. */
  step: z
    .number()
    .meta({ override: { type: 'integer' as const, minimum: 1, maximum: 5 } })
    .describe(
      '1 ordered, 2 with a driver, 3 picked up, 4 out for delivery, 5 delivered. A failed shipment keeps its last step.',
    ),
  eta: z
    .nullable(instantOut)
    .describe(
      'When the driver is expected at the door: the end of `arrival`; without it the end of the delivery window that the driver has agreed to, or else the planned time. Null while that is unknown.',
    ),
  arrival: z
    .nullable(z.strictObject({ from: instantOut, to: instantOut }))
    .describe(
      'The range in which the driver is expected at the door, from the last position and the rest of the route. Null when `livePosition` is null or not near the route.',
    ),
  driver: z.nullable(z.strictObject({ firstName: z.string(), vehicleType: z.enum(VEHICLE_TYPES) })),
  livePosition: z
    .nullable(z.strictObject({ latitude: coordinateOut(), longitude: coordinateOut(), recordedAt: instantOut }))
    .describe('Where the driver is; null unless the shipment is OUT_FOR_DELIVERY and the position is recent.'),
  destinationCity: z.string(),
  codDue: z
    .nullable(z.strictObject({ amount: decimalOut(), currency: logged(z.string()) }))
    .describe('What the recipient has to pay; null if nothing.'),
  timeline: z
    .array(z.strictObject({ type: z.enum(TRACKED_EVENT_TYPES), label: z.string(), occurredAt: instantOut }))
    .describe('What happened so far, the oldest first.'),
  locale: z.enum(LOCALES),
  updatedAt: instantOut,
};

export const tracking = z.strictObject(projection).meta({ id: 'Tracking' });
export type Tracking = z.output<typeof tracking>;

export const STARS_MAX = 5;
/** What the recipient thought of the delivery. */
export const rating = z
  .strictObject({
    stars: hidden(z.number())
      .meta({ override: { type: 'integer' as const, minimum: 1, maximum: STARS_MAX } })
      .describe('From 1, the worst, to 5, the best.'),
    ratedAt: instantOut.describe('When the recipient rated the delivery.'),
  })
  .meta({ id: 'Rating' });
export type Rating = z.output<typeof rating>;

/** The same for the merchant, with the phase of dispatch and the rating. */
export const merchantTracking = z
  .strictObject({
    ...projection,
    dispatch: z.strictObject({
      phase: z.enum(DISPATCH_PHASES),
      offersMade: z.number().meta({ override: { type: 'integer' as const, minimum: 0 } }),
    }),
    rating: z.optional(rating),
    goods: z.enum(GOODS).describe('Who has the parcel now, also if another shipment carries it on.'),
  })
  .meta({ id: 'MerchantTracking' });
export type MerchantTracking = z.output<typeof merchantTracking>;
