import * as z from 'zod';
import { DISPATCH_PHASES } from './shipment-state.ts';
import { instantOut, logged } from './values.ts';

/** What stands between a shipment and a driver. */
export const DISPATCH_OBSTACLES = [
  'HELD',
  'NATIONAL_ADDRESS',
  'NO_SERVICE_LEVEL',
  'NO_SERVICE_LEVEL_CITY',
  'CAPABILITY_NOT_OFFERED',
  'NO_SERVICE_LEVEL_WEIGHT',
  'NO_SERVICE_LEVEL_LENGTH',
  'NO_DRIVER_ON_DUTY',
  'ALL_DRIVERS_BUSY',
  'ALL_DECLINED',
] as const;
export type DispatchObstacle = (typeof DISPATCH_OBSTACLES)[number];

/** A reason why no driver can get the shipment now. */
export const dispatchReason = z
  .strictObject({
    code: z.enum(DISPATCH_OBSTACLES).describe('Why no driver can get the shipment now.'),
    detail: z.string().describe('The reason in a sentence, with counts.'),
  })
  .meta({ id: 'DispatchReason' });

const count = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** Where the search for a driver stands, and why there is none. It counts drivers and never names one. */
export const dispatchStanding = z
  .strictObject({
    phase: z.enum(DISPATCH_PHASES),
    since: instantOut.describe('When the shipment entered its state.'),
    serviceLevel: z.nullable(logged(z.string())).describe('The chosen service level; null if none fits.'),
    reasons: z
      .array(dispatchReason)
      .describe('Why no driver can get the shipment now. A shipment in state DISPATCH_UNRESOLVED always has a reason.'),
    offersMade: count.describe('Offers to drivers since the creation.'),
    declines: count.describe('Offers that drivers declined.'),
    nextLookAt: z
      .nullable(instantOut)
      .describe('When the service looks for a driver next; while a driver has an offer, when that offer ends.'),
    givesUpAt: z.nullable(instantOut).describe('When the shipment becomes DISPATCH_UNRESOLVED if no driver takes it.'),
    retryHelps: z
      .boolean()
      .describe('False if a retry alone ends in the same way. True does not promise that a driver is free.'),
  })
  .meta({ id: 'DispatchStanding' });
export type DispatchStanding = z.output<typeof dispatchStanding>;
