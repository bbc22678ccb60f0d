import * as z from 'zod';
import { DRIVER_ACTIONS } from './driver-state.ts';
import { coordinate, locationOut, saudiMobile, shipmentState, version } from './shipment.ts';
import { FAILURE_REASONS, PAYMENT_METHODS } from './shipment-state.ts';
import { decimalOut, instant, instantOut, patterned, uuid, uuidOut } from './values.ts';

/** Requests and responses of drivers. */

/** Members of a request for a one-time code. */
export const driverSessionRequest = { phone: saudiMobile() };
/** Members of the request with the code. */
export const driverVerificationRequest = { otp: patterned(/^[0-9]{6}$/, { example: '493017' }) };

export const driverChallenge = z
  .strictObject({ challengeId: uuidOut, expiresAt: instantOut })
  .meta({ id: 'DriverChallenge' });

export const sandboxDriverChallenge = z
  .strictObject({ challengeId: uuidOut, expiresAt: instantOut, sandboxOtp: z.string() })
  .meta({ id: 'SandboxDriverChallenge' });

export const driverSession = z
  .strictObject({ driverToken: z.string(), expiresAt: instantOut })
  .meta({ id: 'DriverSession' });

const position = z.strictObject({
  latitude: coordinate(90),
  longitude: coordinate(180),
  recordedAt: z.optional(instant),
});
export type ReportedPosition = z.output<typeof position>;

/**
 * Members of a driver's action. Only FAIL has a `reasonCode`; every action may have a `position`. A repeat with the same
 * `actionId` gets the first answer.
 */
export const driverActionRequest = {
  actionId: z.optional(uuid),
  action: z.enum(DRIVER_ACTIONS),
  reasonCode: z.optional(z.enum(FAILURE_REASONS)),
  position: z.optional(position),
};
export type DriverActionRequest = z.output<z.ZodObject<typeof driverActionRequest>>;

const wholeNumber = () => z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** A shipment that is offered to the driver. The recipient is shown after the driver has accepted it. */
export const driverOffer = z
  .strictObject({
    offerId: uuidOut,
    shipmentId: uuidOut,
    shipmentNumber: z.string(),
    pickup: locationOut,
    destinationCityCode: z.string(),
    distanceMeters: wholeNumber(),
    durationSeconds: wholeNumber(),
    requirements: z.array(z.string()).meta({ uniqueItems: true }),
    totalWeightKilograms: decimalOut(),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
    offeredAt: instantOut,
    expiresAt: instantOut,
  })
  .meta({ id: 'DriverOffer' });
export type DriverOffer = z.output<typeof driverOffer>;

/**
 * A shipment as its driver sees it. Places and recipient are present from the acceptance until one hour after the end,
 * and otherwise null.
 */
export const driverShipment = z
  .strictObject({
    shipmentId: uuidOut,
    shipmentNumber: z.string(),
    state: shipmentState,
    version,
    pickup: z.nullable(locationOut),
    destination: z.nullable(locationOut),
    recipientName: z.nullable(z.string()),
    recipientPhone: z.nullable(z.string()),
    totalWeightKilograms: decimalOut(),
    requirements: z.array(z.string()).meta({ uniqueItems: true }),
    paymentMethod: z.enum(PAYMENT_METHODS),
    codAmount: decimalOut(),
    currency: z.string(),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
  })
  .meta({ id: 'DriverShipment' });
export type DriverShipment = z.output<typeof driverShipment>;
