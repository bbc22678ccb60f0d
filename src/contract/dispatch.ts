import * as z from 'zod';
import { DISPATCH_PHASES } from './shipment-state.ts';
import { instantOut, logged } from './values.ts';

/** What stands between a shipment and a driver. */
export const DISPATCH_OBSTACLES = [
  'HELD',
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
  .strictObject({ code: z.enum(DISPATCH_OBSTACLES), detail: z.string() })
  .meta({ id: 'DispatchReason' });

const count = (description: string) =>
  z.number().meta({ override: { type: 'integer' as const, minimum: 0, description } });

/** Where the search for a driver stands, and why there is none. It counts drivers and never names one. */
export const dispatchStanding = z
  .strictObject({
    phase: z.enum(DISPATCH_PHASES),
    since: instantOut.meta({ description: 'When the shipment entered its state.' }),
    serviceLevel: z.nullable(logged(z.string())).meta({ description: 'The chosen service level; null if none fits.' }),
    reasons: z.array(dispatchReason).meta({
      description:
        'Why no driver can get the shipment now. A shipment in state DISPATCH_UNRESOLVED always has a reason.',
    }),
    offersMade: count('Offers to drivers since the creation.'),
    declines: count('Offers that drivers declined.'),
    nextLookAt: z.nullable(instantOut).meta({ description: 'When the service looks for a driver next.' }),
    givesUpAt: z
      .nullable(instantOut)
      .meta({ description: 'When the shipment becomes DISPATCH_UNRESOLVED if no driver is found.' }),
    retryHelps: z.boolean().meta({
      description: 'False if a retry alone ends in the same way. True does not promise that a driver is free.',
    }),
  })
  .meta({ id: 'DispatchStanding' });
export type DispatchStanding = z.output<typeof dispatchStanding>;
