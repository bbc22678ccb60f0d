import * as z from 'zod';
import { locationOut, version } from './shipment.ts';
import { PLACE_STATUSES } from './shipment-state.ts';
import { instantOut } from './values.ts';

/** Branches and pickup locations as a merchant's system reads them. */

export const placeStatus = z.enum(PLACE_STATUSES);

export const branch = z
  .strictObject({
    branchCode: z.string(),
    name: z.string(),
    nameAr: z.nullable(z.string()),
    cityCode: z.string(),
    status: placeStatus,
    createdAt: instantOut,
    updatedAt: instantOut,
    version,
  })
  .meta({ id: 'Branch' });
export type Branch = z.output<typeof branch>;

export const pickupLocation = z
  .strictObject({
    pickupLocationCode: z.string(),
    branchCode: z.string(),
    name: z.string(),
    nameAr: z.nullable(z.string()),
    location: locationOut,
    contactName: z.nullable(z.string()),
    maskedContactPhone: z.nullable(z.string()),
    instructions: z.nullable(z.string()),
    status: placeStatus,
    createdAt: instantOut,
    updatedAt: instantOut,
    version,
  })
  .meta({ id: 'PickupLocation' });
export type PickupLocation = z.output<typeof pickupLocation>;
