import * as z from 'zod';
import { literalDecimal } from '../core/decimal.ts';
import { DRIVER_ACTIONS } from './driver-state.ts';
import { coordinate, locationOut, saudiMobile, shipmentItem, shipmentState, version } from './shipment.ts';
import { FAILURE_REASONS, PAYMENT_METHODS } from './shipment-state.ts';
import { decimal, decimalOut, hidden, instant, instantOut, logged, patterned, uuid, uuidOut } from './values.ts';

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

/** Enough for every printed double. */
const ACCURACY_DIGITS_MAX = 32;
/** Members of a report of a position. */
export const driverPositionRequest = {
  latitude: coordinate(90),
  longitude: coordinate(180),
  recordedAt: z.optional(instant),
  accuracyMeters: z.optional(
    hidden(decimal({ min: literalDecimal('0'), max: literalDecimal('100000'), digitsMax: ACCURACY_DIGITS_MAX })),
  ),
};
const position = z.strictObject(driverPositionRequest);
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

/** Members of a change of duty. */
export const driverDutyRequest = { onDuty: z.boolean() };

const wholeNumber = () => z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** What a driver may know of themselves. */
export const driverStanding = z
  .strictObject({
    driverId: uuidOut,
    firstName: z.string(),
    cityCode: logged(z.string()),
    onDuty: z.boolean(),
    activeCount: wholeNumber().meta({ description: 'Shipments that are offered to the driver or with the driver.' }),
    activeMax: wholeNumber(),
  })
  .meta({ id: 'DriverStanding' });
export type DriverStanding = z.output<typeof driverStanding>;

/** A shipment that is offered to the driver. The recipient is shown after the driver has accepted it. */
export const driverOffer = z
  .strictObject({
    offerId: uuidOut,
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()),
    pickup: locationOut,
    destinationCityCode: logged(z.string()),
    distanceMeters: wholeNumber(),
    durationSeconds: wholeNumber(),
    requirements: z.array(logged(z.string())).meta({ uniqueItems: true }),
    totalWeightKilograms: decimalOut(),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
    offeredAt: instantOut,
    expiresAt: instantOut,
  })
  .meta({ id: 'DriverOffer' });
export type DriverOffer = z.output<typeof driverOffer>;

const contact = z
  .strictObject({ name: z.nullable(z.string()), phone: z.nullable(z.string()) })
  .meta({ id: 'DriverContact' });

/**
 * A shipment as its driver sees it. Places, people and items are present from the acceptance until one hour after the
 * end, and otherwise null.
 */
export const driverShipment = z
  .strictObject({
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()),
    state: shipmentState,
    version,
    pickup: z.nullable(locationOut),
    pickupContact: z.nullable(contact),
    pickupInstructions: z.nullable(z.string()),
    destination: z.nullable(locationOut),
    recipientName: z.nullable(z.string()),
    recipientPhone: z.nullable(z.string()),
    alternateContact: z.nullable(contact),
    items: z.nullable(z.array(shipmentItem)),
    arrivedAt: z.nullable(instantOut).meta({
      description:
        'When the driver arrived at the pickup location (in ACCEPTED) or at the door (in OUT_FOR_DELIVERY). Null in other states.',
    }),
    totalWeightKilograms: decimalOut(),
    requirements: z.array(logged(z.string())).meta({ uniqueItems: true }),
    paymentMethod: z.enum(PAYMENT_METHODS),
    codAmount: decimalOut(),
    currency: logged(z.string()),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
  })
  .meta({ id: 'DriverShipment' });
export type DriverShipment = z.output<typeof driverShipment>;
