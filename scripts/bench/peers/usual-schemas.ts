import { z } from '@hono/zod-openapi';

const decimal = z.number();
const measure = decimal.positive().nullish();
const code = z.string().regex(/^[A-Z0-9][A-Z0-9_-]{1,63}$/);
const saudiMobile = z.string().regex(/^(?:\+?966|0)?5[0-9]{8}$/);

const location = z.strictObject({
  addressLine: z.string().min(1).max(240),
  cityCode: z.string().regex(/^[A-Z0-9_-]{2,32}$/),
  latitude: decimal.min(-90).max(90),
  longitude: decimal.min(-180).max(180),
});

export const shipmentRequest = z
  .strictObject({
    externalReference: z.string().min(1).max(128),
    branchCode: code,
    pickupLocationCode: code,
    recipient: z.strictObject({
      name: z.string().min(1).max(120),
      phone: saudiMobile,
      alternateContactName: z.string().max(120).nullish(),
      alternateContactPhone: saudiMobile.nullish(),
    }),
    destination: location,
    declaredValue: decimal.min(0),
    codAmount: decimal.min(0),
    currency: z.string().regex(/^[A-Z]{3}$/),
    paymentMethod: z.enum(['PREPAID', 'COD']),
    pickupWindowStart: z.iso.datetime(),
    pickupWindowEnd: z.iso.datetime(),
    items: z
      .array(
        z.strictObject({
          description: z.string().min(1).max(160),
          quantity: z.int().min(1).max(10_000),
          weightKilograms: decimal.positive(),
          lengthCentimetres: measure,
          widthCentimetres: measure,
          heightCentimetres: measure,
        }),
      )
      .min(1)
      .max(100),
    requirements: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{1,47}$/)).max(20),
  })
  .refine((body) => body.paymentMethod === 'COD' || body.codAmount === 0, { path: ['paymentMethod'] })
  .refine((body) => body.pickupWindowEnd > body.pickupWindowStart, { path: ['pickupWindowEnd'] })
  .openapi('ShipmentRequest');
export type ShipmentRequest = z.infer<typeof shipmentRequest>;

const item = z.object({
  description: z.string(),
  quantity: z.number(),
  weightKilograms: z.number(),
  lengthCentimetres: measure,
  widthCentimetres: measure,
  heightCentimetres: measure,
});

export const shipment = z
  .object({
    shipmentId: z.string(),
    shipmentNumber: z.string(),
    externalReference: z.string().nullable(),
    state: z.string(),
    recipientName: z.string(),
    maskedRecipientPhone: z.string(),
    totalWeightKilograms: z.number(),
    declaredValue: z.number(),
    codAmount: z.number(),
    currency: z.string(),
    paymentMethod: z.string(),
    pickupWindowStart: z.string(),
    pickupWindowEnd: z.string(),
    createdAt: z.string(),
    approvedAt: z.string().nullable(),
    version: z.number(),
    destination: location,
    pickup: location.nullable(),
    items: z.array(item),
    requirements: z.array(z.string()),
  })
  .openapi('Shipment');
export type Shipment = z.infer<typeof shipment>;

export const shipmentPage = z
  .object({ data: z.array(shipment), page: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }) })
  .openapi('ShipmentPage');

export const problem = z.object({ title: z.string(), status: z.number(), code: z.string() }).openapi('Problem');

export const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor: z.string().optional(),
  state: z.string().optional(),
  externalReference: z.string().optional(),
});
export const createHeaders = z.object({ 'idempotency-key': z.string().min(16).max(128) });
export const idParameter = z.object({ shipmentId: z.uuid() });
export const cancellation = z.strictObject({ reasonCode: z.string(), comment: z.string().max(240).nullish() });
