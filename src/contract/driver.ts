import * as z from 'zod';
import { literalDecimal } from '../core/decimal.ts';
import { AMENDMENT_CHANGES } from './amendment-state.ts';
import { COLLECTION_METHODS } from './cod-state.ts';
import { deliveryWindow } from './delivery-window.ts';
import { DRIVER_ACTIONS, OFF_DUTY_REASONS } from './driver-state.ts';
import { PROOF_KINDS, PROOF_MEDIA_MAX } from './proof-state.ts';
import { coordinate, locationOut, money, saudiMobile, shipmentItem, shipmentState, version } from './shipment.ts';
import { deliveryPlace } from './shipment-amendment.ts';
import { FAILURE_REASONS, PAYMENT_METHODS } from './shipment-state.ts';
import {
  addRepetitions,
  decimal,
  decimalOut,
  hidden,
  instant,
  instantOut,
  integer,
  logged,
  patterned,
  text,
  uuid,
  uuidOut,
} from './values.ts';

/** Requests and responses of drivers. */

/** Members of a request for a one-time code. */
export const driverSessionRequest = { phone: saudiMobile() };
/** Members of the request with the code. */
export const driverVerificationRequest = { otp: patterned(/^[0-9]{6}$/, 'sixDigits', { example: '493017' }) };

export const driverChallenge = z
  .strictObject({ challengeId: uuidOut, expiresAt: instantOut })
  .meta({ id: 'DriverChallenge' });

export const sandboxDriverChallenge = z
  .strictObject({ challengeId: uuidOut, expiresAt: instantOut, sandboxOtp: z.string() })
  .meta({ id: 'SandboxDriverChallenge' });

export const driverSession = z
  .strictObject({
    driverToken: z.string().describe('The token of the session. Send it as `Authorization: Bearer`.'),
    expiresAt: instantOut,
  })
  .meta({ id: 'DriverSession' });

/** Enough for every printed double. */
const ACCURACY_DIGITS_MAX = 32;
/** Members of a report of a position. */
export const driverPositionRequest = {
  latitude: coordinate(90),
  longitude: coordinate(180),
  recordedAt: z.optional(instant),
  accuracyMeters: z
    .optional(
      hidden(decimal({ min: literalDecimal('0'), max: literalDecimal('100000'), digitsMax: ACCURACY_DIGITS_MAX })),
    )
    .describe('The radius within which the driver is, as the phone estimates it.'),
};
const position = z.strictObject(driverPositionRequest);
export type ReportedPosition = z.output<typeof position>;

/** Longer than the references of card terminals. */
const REFERENCE_LENGTH_MAX = 64;
const collected = z.strictObject({
  amount: money().describe('The whole amount: the `codAmount` of the shipment.'),
  method: z.enum(COLLECTION_METHODS).describe('How the recipient paid.'),
  reference: z
    .optional(text({ min: 1, max: REFERENCE_LENGTH_MAX }))
    .describe('What the card terminal printed, for example.'),
});
export type Collected = z.output<typeof collected>;

/** A name as people sign. */
const SIGNED_BY_LENGTH_MAX = 120;
const proof = z.strictObject({
  pin: z
    .optional(patterned(/^[0-9]{4}$/, 'fourDigits', { example: '4821' }))
    .describe('What the recipient has told the driver. Only with DELIVER.'),
  mediaAssetIds: z
    .optional(
      z
        .array(uuid)
        .max(PROOF_MEDIA_MAX)
        .check((context) => addRepetitions(context, context.value))
        .meta({ uniqueItems: true }),
    )
    .describe('Pictures of this shipment that were uploaded before.'),
  signedBy: z.optional(text({ min: 1, max: SIGNED_BY_LENGTH_MAX })).describe('Who has signed, as the driver was told.'),
  calledAt: z
    .optional(instant)
    .describe('When the driver last called the recipient, judged like `takenAt`. Only with FAIL.'),
});
export type GivenProof = z.output<typeof proof>;

/**
 * Members of a driver's action. Only FAIL has a `reasonCode`, only ACKNOWLEDGE a `version`, only DELIVER `collected`, only DELIVER and
 * FAIL a `proof`; every action may have a `position`. A repeat with the same `actionId` gets the first answer.
 */
export const driverActionRequest = {
  actionId: z.optional(uuid).describe('An id chosen by the caller. A repeat with the same id gets the first answer.'),
  action: z.enum(DRIVER_ACTIONS),
  reasonCode: z.optional(z.enum(FAILURE_REASONS)),
  version: z
    .optional(integer(0, Number.MAX_SAFE_INTEGER))
    .describe('Only with ACKNOWLEDGE: the version whose changes the driver has read. Absent: all of them.'),
  position: z.optional(position),
  collected: z.optional(collected),
  takenAt: z
    .optional(instant)
    .describe(
      'When the driver took the action, by the service’s `Date`. Older than two hours or from the future, it counts as unknown and refuses nothing.',
    ),
  proof: z.optional(proof),
};
export type DriverActionRequest = z.output<z.ZodObject<typeof driverActionRequest>>;

/** A body may be absent. */
export const attemptRequest = { actionId: driverActionRequest.actionId };

/** Members of a change of duty. */
export const driverDutyRequest = { onDuty: z.boolean() };

const wholeNumber = () => z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** What a driver may know of themselves. */
export const driverStanding = z
  .strictObject({
    driverId: uuidOut,
    firstName: z.string(),
    cityCode: logged(z.string()).describe('The city that the driver works in.'),
    onDuty: z.boolean(),
    activeCount: wholeNumber().describe('Shipments that are offered to the driver or with the driver.'),
    activeMax: wholeNumber(),
    offDutyReason: z
      .nullable(z.enum(OFF_DUTY_REASONS))
      .describe('Why the service put the driver off duty; null if somebody else did, and on duty.'),
  })
  .meta({ id: 'DriverStanding' });
export type DriverStanding = z.output<typeof driverStanding>;

/** Where a parcel comes from, as its driver knows it. Absent in some answers. */
const shop = {
  merchantName: z.optional(z.string()),
  pickupName: z.optional(z.string()),
  pickupNameAr: z.optional(z.nullable(z.string())),
};

/**
 * A shipment that is offered to the driver. The recipient, and the door that a return is fetched from, are shown after the driver has
 * accepted it.
 */
export const driverOffer = z
  .strictObject({
    offerId: uuidOut.describe('Identifies the offer.'),
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()),
    pickup: locationOut,
    ...shop,
    destinationCityCode: logged(z.string()),
    destinationDistrict: z.optional(z.string()),
    codAmount: z.optional(decimalOut()),
    currency: z.optional(logged(z.string())),
    distanceMeters: wholeNumber(),
    durationSeconds: wholeNumber(),
    requirements: z.array(logged(z.string())).meta({ uniqueItems: true }),
    totalWeightKilograms: decimalOut(),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
    deliveryWindow: z
      .nullable(deliveryWindow)
      .describe(
        'When the recipient wants the parcel. A driver who accepts agrees to it. Null if nobody asked for one.',
      ),
    offeredAt: instantOut.describe('When the shipment was offered.'),
    expiresAt: instantOut,
  })
  .meta({ id: 'DriverOffer' });
export type DriverOffer = z.output<typeof driverOffer>;

const contact = z
  .strictObject({
    name: z.nullable(z.string()).describe('The name; null if none is stored.'),
    phone: z.nullable(z.string()).describe('The number to call; null if none is stored.'),
  })
  .meta({ id: 'DriverContact' });

const driverChange = z
  .strictObject({
    version: version.describe('The version of the shipment that it led to. Send it with ACKNOWLEDGE.'),
    changes: z.array(z.enum(AMENDMENT_CHANGES)).describe('What was changed. The shipment has the new values.'),
    changedAt: instantOut.describe('When it was changed.'),
    acknowledgedAt: z.nullable(instantOut).describe('When the driver confirmed to have read it; null until then.'),
  })
  .meta({ id: 'DriverChange' });

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
    pickup: z.nullable(locationOut).describe('Where the shipment is picked up; null outside the time of the delivery.'),
    pickupContact: z
      .nullable(contact)
      .describe('Who hands the parcel over: of a return, the buyer. Null outside the time of the delivery.'),
    pickupInstructions: z
      .nullable(z.string())
      .describe('How to find and enter the pickup location; null if there are none.'),
    destination: z.nullable(locationOut).describe('Where the shipment goes; null outside the time of the delivery.'),
    recipientName: z.nullable(z.string()).describe('The name of the recipient; null outside the time of the delivery.'),
    recipientPhone: z
      .nullable(z.string())
      .describe(
        'The number to call; null outside the time of the delivery, if drivers may not call recipients, and for a return to a contact without a phone.',
      ),
    alternateContact: z
      .nullable(contact)
      .describe('A second person to call; null if there is none, or outside the time of the delivery.'),
    items: z.nullable(z.array(shipmentItem)).describe('What is in the parcel; null outside the time of the delivery.'),
    place: z
      .nullable(deliveryPlace)
      .describe('Where to leave the parcel; null if nobody said so, or outside the time of the delivery.'),
    instructions: z
      .nullable(z.string())
      .describe('What to know at the door; null if there is nothing, or outside the time of the delivery.'),
    refusedAt: z
      .nullable(instantOut)
      .describe(
        'When the recipient said that they do not want it. The state stays: the merchant decides. Null if they did not.',
      ),
    deliveryWindow: z
      .nullable(deliveryWindow)
      .describe(
        'When the recipient wants the parcel. ACKNOWLEDGE agrees to one that was asked for later. Null without one, or outside the time of the delivery.',
      ),
    changes: z
      .array(driverChange)
      .describe('What was amended since the driver accepted the shipment, oldest first. Confirm it with ACKNOWLEDGE.'),
    arrivedAt: z
      .nullable(instantOut)
      .describe(
        'When the driver arrived at the pickup location (in ACCEPTED) or at the door (in OUT_FOR_DELIVERY). Null in other states.',
      ),
    proofRequired: z
      .nullable(z.array(z.enum(PROOF_KINDS)).meta({ uniqueItems: true }))
      .describe('What DELIVER has to prove; null outside the time of the delivery.'),
    totalWeightKilograms: decimalOut(),
    requirements: z.array(logged(z.string())).meta({ uniqueItems: true }),
    paymentMethod: z.enum(PAYMENT_METHODS),
    codAmount: decimalOut(),
    currency: logged(z.string()),
    pickupWindowStart: instantOut,
    pickupWindowEnd: instantOut,
    ...shop,
  })
  .meta({ id: 'DriverShipment' });
export type DriverShipment = z.output<typeof driverShipment>;
