import * as z from 'zod';
import { cityCode, location, locationOut, version } from './shipment.ts';
import { PLACE_STATUSES } from './shipment-state.ts';
import { instantOut, logged, patterned, placeCode, publicName, text } from './values.ts';

/** Branches and pickup locations: as a merchant's system reads them, and as its people create and change them. */

export const placeStatus = z.enum(PLACE_STATUSES);

export const branch = z
  .strictObject({
    branchCode: logged(z.string()),
    name: z.string(),
    nameAr: z.nullable(z.string()),
    cityCode: logged(z.string()),
    status: placeStatus,
    createdAt: instantOut,
    updatedAt: instantOut,
    version,
  })
  .meta({ id: 'Branch' });
export type Branch = z.output<typeof branch>;

export const pickupLocation = z
  .strictObject({
    pickupLocationCode: logged(z.string()),
    branchCode: logged(z.string()),
    name: z.string(),
    nameAr: z.nullable(z.string()),
    location: locationOut.describe('Where the place is.'),
    contactName: z.nullable(z.string()),
    maskedContactPhone: z
      .nullable(z.string())
      .describe('The number of the contact with only its last four digits; null if there is none.'),
    instructions: z.nullable(z.string()),
    status: placeStatus,
    createdAt: instantOut,
    updatedAt: instantOut,
    version,
  })
  .meta({ id: 'PickupLocation' });
export type PickupLocation = z.output<typeof pickupLocation>;

const NAME_LENGTH_MAX = 120;
const INSTRUCTIONS_LENGTH_MAX = 500;

const name = () => publicName(NAME_LENGTH_MAX);
/** E.164: a contact need not have a mobile, nor a Saudi number. */
export const contactPhone = () => patterned(/^\+[1-9][0-9]{6,14}$/, 'phone', { example: '+966112345678' });

const branchTerms = { name: name(), nameAr: z.nullish(name()), cityCode: cityCode() };
/** Members of a new branch. Its code identifies it for systems and cannot change. */
export const branchRequest = { branchCode: placeCode(), ...branchTerms };
export type BranchRequest = z.output<z.ZodObject<typeof branchRequest>>;

const branchChangesObject = z.strictObject(branchTerms).partial();
/** Members of a branch that can be changed. Absent members keep their values, null removes a value. */
export const branchChanges = branchChangesObject.shape;
export type BranchChanges = z.output<typeof branchChangesObject>;

const pickupLocationTerms = {
  name: name(),
  nameAr: z.nullish(name()),
  location,
  contactName: z.nullish(name()),
  contactPhone: z.nullish(contactPhone()),
  instructions: z.nullish(text({ min: 1, max: INSTRUCTIONS_LENGTH_MAX })),
};
/** Members of a new pickup location. Its branch cannot change. */
export const pickupLocationRequest = {
  pickupLocationCode: placeCode(),
  branchCode: placeCode(),
  ...pickupLocationTerms,
};
export type PickupLocationRequest = z.output<z.ZodObject<typeof pickupLocationRequest>>;

const pickupLocationChangesObject = z.strictObject(pickupLocationTerms).partial();
/** Members of a pickup location that can be changed. Absent members keep their values, null removes a value. */
export const pickupLocationChanges = pickupLocationChangesObject.shape;
export type PickupLocationChanges = z.output<typeof pickupLocationChangesObject>;
