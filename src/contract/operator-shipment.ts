import * as z from 'zod';
import { DRIVER_STATUSES } from './driver-state.ts';
import { nationalAddress } from './national-address.ts';
import { shipment, shipmentState, version } from './shipment.ts';
import { instantOut, logged, uuidOut } from './values.ts';

/** Shipments as operators see them, over all companies. Lists have no data of recipients. */

/**
 * Lists of shipments that need an operator. `OPERATOR_QUEUES` says what each has, and from when a shipment waits in it. A
 * shipment is in one of them at most, except for `lateReports` and the two of addresses.
 */
export const OPERATOR_QUEUES = [
  // Not ended, and a former driver reported something after an operator had taken it from them; since that report. It may
  // be in another queue too.
  'lateReports',
  // The company's policy is MANUAL; since the creation.
  'pendingApproval',
  // Not ended, and its National Address does not allow what the company's policy requires; since the creation.
  'addressBlocked',
  // Picked up under the policy REQUIRED, and the registry has not said whether its National Address is right; until a week after
  // the end, since the creation. Nobody can make the registry answer, so this is for the record.
  'carriedUnverified',
  // No driver was found; since the creation.
  'unresolved',
  // Accepted by a driver who works, and not picked up an hour after the pickup window; since the end of the window.
  'acceptedTooLong',
  // Accepted by or with a driver who is off duty or blocked; since the creation.
  'strandedGoods',
  // The delivery failed, the driver has the parcel, and nobody has decided what becomes of it; since the failure.
  'undecidedGoods',
] as const;
export type OperatorQueue = (typeof OPERATOR_QUEUES)[number];

const entry = {
  shipmentId: uuidOut,
  companyId: uuidOut,
  companyName: z.nullable(z.string()),
  shipmentNumber: logged(z.string()),
  externalReference: logged(z.string()),
  state: shipmentState,
  version,
  createdAt: instantOut,
  /** The order of the list: when the shipment began to wait in this queue, and for a search when it was created. */
  since: instantOut,
  pickupWindowStart: instantOut,
  pickupWindowEnd: instantOut,
  pickupCity: z.string(),
  destinationCity: z.string(),
  /** Of the last event: why no driver was found, for example. In the queue `lateReports` the action that was reported. */
  reasonCode: z.nullable(logged(z.string())),
  /** Who has an offer or the shipment, or finished it. */
  driver: z.nullable(
    z.strictObject({
      driverId: uuidOut,
      firstName: z.string(),
      onDuty: z.boolean(),
      status: z.enum(DRIVER_STATUSES),
    }),
  ),
};
export const operatorShipment = z.strictObject(entry);
export type OperatorShipment = z.output<typeof operatorShipment>;

/**
 * What a command of an operator answers. It has no data of the recipient, because a command need not change anything, and
 * then the audit would not name the operator.
 */
export const commandedShipment = z.strictObject({
  shipmentId: uuidOut,
  shipmentNumber: logged(z.string()),
  externalReference: logged(z.string()),
  state: shipmentState,
  version,
});
export type CommandedShipment = z.output<typeof commandedShipment>;

/** One shipment with its recipient. Each operator who reads it is named in the audit, once an hour. */
export const operatorShipmentDetail = z.strictObject({
  ...entry,
  shipment,
  nationalAddress,
  recipient: z.strictObject({
    name: z.string(),
    phone: z.string(),
    alternateContactName: z.nullable(z.string()),
    alternateContactPhone: z.nullable(z.string()),
  }),
});
export type OperatorShipmentDetail = z.output<typeof operatorShipmentDetail>;
