import * as z from 'zod';
import { literalDecimal } from '../core/decimal.ts';
import { LABELS_MAX } from '../core/limits.ts';
import { LOCALES } from '../core/locale.ts';
import { SAUDI_MOBILE } from '../core/phone.ts';
import { TIMELINE_TYPES } from './event-type.ts';
import { MEDIA_ASSETS_MAX } from './media-asset-state.ts';
import { ACTORS, CANCELLATION_REASONS, ITEMS_MAX, PAYMENT_METHODS, SHIPMENT_STATES } from './shipment-state.ts';
import {
  addRepetitions,
  coordinateOut,
  decimal,
  decimalOut,
  hidden,
  instant,
  instantOut,
  integer,
  logged,
  patterned,
  placeCode,
  text,
  uuidOut,
} from './values.ts';

/** Schemas of the shipment resource. */

const ZERO = literalDecimal('0');
/**
 * The contract promises that 19 significant digits survive unchanged, so longer numbers are refused instead of rounded.
 */
const DIGITS_MAX = 19;
/** Weights and lengths: 19 digits, of which 6 after the point. */
const MEASURE_FRACTION_DIGITS_MAX = 6;
export const REQUIREMENTS_MAX = 20;
export const SORT_ORDER_MAX = 99;

export const saudiMobile = () => patterned(SAUDI_MOBILE, 'mobile', { example: '+966500000001' });
export const money = () => decimal({ min: ZERO, digitsMax: DIGITS_MAX });
export const measure = () =>
  decimal({ above: ZERO, fractionDigitsMax: MEASURE_FRACTION_DIGITS_MAX, digitsMax: DIGITS_MAX });
/** Enough for every printed double: 24.713551700000002 has 17 digits. */
export const coordinate = (bound: number) =>
  hidden(
    decimal({
      min: literalDecimal(`-${bound}`),
      max: literalDecimal(`${bound}`),
      digitsMax: DIGITS_MAX,
    }),
  );

export const cityCode = () => logged(patterned(/^[A-Z0-9_-]{2,32}$/, 'city', { example: 'RUH' }));
export const externalReference = () => logged(text({ min: 1, max: 128 }));

const recipient = z.strictObject({
  name: text({ min: 1, max: 120 }),
  phone: saudiMobile(),
  alternateContactName: z.nullish(text({ max: 120 })),
  alternateContactPhone: z.nullish(saudiMobile()),
});

/** The place where a shipment is picked up or delivered. */
export const location = z.strictObject({
  addressLine: text({ min: 1, max: 240 }),
  cityCode: cityCode(),
  latitude: coordinate(90),
  longitude: coordinate(180),
});

const item = z.strictObject({
  description: text({ min: 1, max: 160 }),
  quantity: integer(1, 10_000),
  weightKilograms: measure(),
  lengthCentimetres: z.nullish(measure()),
  widthCentimetres: z.nullish(measure()),
  heightCentimetres: z.nullish(measure()),
});

export const requirements = z
  .array(logged(patterned(/^[A-Z][A-Z0-9_]{1,47}$/, 'code')))
  .max(REQUIREMENTS_MAX)
  .check((context) => addRepetitions(context, context.value))
  .meta({ uniqueItems: true });

/** Members of a shipment creation request. */
export const shipmentRequest = {
  externalReference: externalReference(),
  branchCode: placeCode(),
  pickupLocationCode: placeCode(),
  recipient,
  destination: location,
  declaredValue: money(),
  codAmount: money(),
  currency: logged(patterned(/^[A-Z]{3}$/, 'currency', { example: 'SAR' })),
  paymentMethod: z.enum(PAYMENT_METHODS),
  pickupWindowStart: instant,
  pickupWindowEnd: instant,
  items: z.array(item).min(1).max(ITEMS_MAX),
  requirements,
};
export type ShipmentRequest = z.output<z.ZodObject<typeof shipmentRequest>>;
/** The members of a creation request that meet the rules of their own schema. */
export interface KnownMembers extends Partial<Omit<ShipmentRequest, 'destination'>> {
  readonly destination?: Partial<ShipmentRequest['destination']>;
}

/** Members of a cancellation request. */
export const cancellationRequest = {
  reasonCode: z.enum(CANCELLATION_REASONS),
  comment: z.nullish(text({ max: 240 })),
};

export const locationOut = z
  .strictObject({
    addressLine: z.string(),
    cityCode: logged(z.string()),
    latitude: coordinateOut(),
    longitude: coordinateOut(),
  })
  .meta({ id: 'Location' });
export type Location = z.output<typeof locationOut>;

export const shipmentItem = z
  .strictObject({
    description: z.string().describe('What the item is, in words.'),
    quantity: z.number().meta({ override: { type: 'integer' as const, minimum: 1, maximum: 10_000 } }),
    weightKilograms: decimalOut(),
    lengthCentimetres: z.optional(z.nullable(decimalOut())),
    widthCentimetres: z.optional(z.nullable(decimalOut())),
    heightCentimetres: z.optional(z.nullable(decimalOut())),
  })
  .meta({ id: 'ShipmentItem' });
export type ShipmentItem = z.output<typeof shipmentItem>;

export const timelineMedia = z
  .strictObject({
    mediaAssetId: uuidOut,
    purpose: z.literal('SHIPMENT_CREATION_EVIDENCE'),
    sortOrder: z.number().meta({ override: { type: 'integer' as const, minimum: 0, maximum: SORT_ORDER_MAX } }),
  })
  .meta({ id: 'TimelineMedia' });

export const version = z.number().meta({ override: { type: 'integer' as const, format: 'int64', minimum: 0 } });
export const shipmentState = z.enum(SHIPMENT_STATES).meta({ id: 'ShipmentState' });

/** A shipment as merchants see it, without data that merchants may not see. */
export const shipment = z
  .strictObject({
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()).meta({ example: 'SHP-7ZQ4N0K2RD5' }),
    externalReference: z
      .nullable(logged(z.string()))
      .describe("The merchant's own identifier of the order, unique for the company; null if there is none."),
    state: shipmentState,
    recipientName: z.string(),
    maskedRecipientPhone: z
      .string()
      .meta({ example: '********0001' })
      .describe('The number of the recipient with only its last four digits.'),
    totalWeightKilograms: decimalOut(),
    declaredValue: decimalOut(),
    codAmount: decimalOut(),
    currency: logged(z.string()),
    paymentMethod: z.enum(PAYMENT_METHODS),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
    createdAt: instantOut,
    approvedAt: z.nullable(instantOut).describe('When the shipment was approved; null until then.'),
    version,
    destination: locationOut,
    pickup: z.nullable(locationOut),
    items: z.array(shipmentItem),
    requirements: z.array(logged(z.string())).meta({ uniqueItems: true }),
    timelineMedia: z
      .optional(z.array(timelineMedia).max(MEDIA_ASSETS_MAX))
      .describe('The pictures of the shipment, only in `shipment.created`. Absent without pictures.'),
  })
  .meta({ id: 'Shipment' });
export type Shipment = z.output<typeof shipment>;

/** One label for a shipment, or one for each entry of its `items`. */
const labels = z.enum(['shipment', 'item']);

/** The members of a request for labels, besides the shipments. */
export const labelRequest = { lang: z.optional(z.enum(LOCALES)), labels: z.optional(labels) };

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** Ids of shipments with commas between them. */
export const shipmentIds = patterned(new RegExp(`^${UUID}(?:,${UUID}){0,${LABELS_MAX - 1}}$`), 'shipmentIds');

const labelContent = { locale: z.enum(LOCALES), merchantName: z.string(), labels };
/** The content of a parcel's labels. REST answers it as a page, PDF or ZPL. */
export const waybill = z.strictObject({ ...labelContent, shipment });
export type Waybill = z.output<typeof waybill>;
/** The content of the labels of several parcels. */
export const waybills = z.strictObject({ ...labelContent, shipments: z.array(shipment).max(LABELS_MAX) });
export type Waybills = z.output<typeof waybills>;

/** An entry of a shipment's timeline. */
export const timelineEntry = z
  .strictObject({
    sequence: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 1 } })
      .describe('From 1 without a gap for each shipment. A `late_report` has that of the event before it.'),
    type: z.enum(TIMELINE_TYPES),
    state: shipmentState,
    occurredAt: instantOut,
    actor: z.enum(ACTORS).describe('Who caused it.'),
    note: z.nullable(z.string()),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.output<typeof timelineEntry>;
