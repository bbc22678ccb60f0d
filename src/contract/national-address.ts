import * as z from 'zod';
import { ADDRESS_TEXT_LENGTH_MAX, ADDRESS_TEXT_LENGTH_MIN, SUGGESTIONS_MAX } from '../core/limits.ts';
import { LOCALES } from '../core/locale.ts';
import { ADDRESS_POLICIES, ADDRESS_SOURCES, ADDRESS_STATUSES } from './address-state.ts';
import { coordinate } from './shipment.ts';
import { shortAddress } from './short-address.ts';
import { coordinateOut, instantOut, logged, text } from './values.ts';

/* National Addresses that are looked up, and those of shipments. They tell where people live, so the request log keeps none of them. */

/** How exactly the location of a suggestion is known. */
export const CONFIDENCES = ['EXACT', 'STREET', 'DISTRICT', 'CITY'] as const;
export type AddressConfidence = (typeof CONFIDENCES)[number];

/** Members of a look-up. */
export const lookUpRequest = {
  shortAddress: shortAddress().describe(
    'The short code of a National Address: four letters and four digits. Small letters, Arabic digits and one space or hyphen inside are allowed.',
  ),
};

/** Members of a request for suggestions. */
export const suggestionRequest = {
  text: text({ min: ADDRESS_TEXT_LENGTH_MIN, max: ADDRESS_TEXT_LENGTH_MAX }).describe(
    'A street, a district or a place as a person types it, in Arabic or English.',
  ),
  near: z.optional(z.strictObject({ latitude: coordinate(90), longitude: coordinate(180) })),
  locale: z
    .optional(z.enum(LOCALES))
    .describe('The language of the suggestions where the geocoder knows it. Without it, that of Accept-Language.'),
};

const location = z
  .strictObject({ latitude: coordinateOut(), longitude: coordinateOut() })
  .meta({ id: 'AddressLocation' });
const cityCode = z
  .nullable(logged(z.string()))
  .describe('The code of the city, for `destination.cityCode`. Null if the service knows no code for it.');

/** An address of the national registry. */
export const addressLookUp = z
  .strictObject({
    shortAddress: z.string().describe('The short code, in capital letters and Latin digits.'),
    buildingNumber: z.nullable(z.string()).describe('The number of the building.'),
    street: z.nullable(z.string()).describe('The name of the street in Arabic.'),
    district: z.nullable(z.string()).describe('The name of the district in Arabic.'),
    city: z.nullable(z.string()).describe('The name of the city in Arabic.'),
    postalCode: z.nullable(z.string()).describe('The postal code of the district.'),
    additionalNumber: z.nullable(z.string()).describe('The second number of the building, which tells its entrance.'),
    cityCode,
    location: location.describe('Where the building is.'),
  })
  .meta({ id: 'NationalAddressLookUp' });
export type AddressLookUp = z.output<typeof addressLookUp>;

const suggestion = z
  .strictObject({
    title: z.string().describe('A line to choose the place by.'),
    addressLine: z.string().describe('A line for `destination.addressLine`.'),
    district: z.nullable(z.string()).describe('The name of the district, if it is known.'),
    cityCode,
    location: location.describe('Where the place is, or a point of the street, district or city.'),
    shortAddress: z.nullable(z.string()).describe('The short code of the National Address, if the source knows it.'),
    confidence: z
      .enum(CONFIDENCES)
      .describe('What the location is: the place itself, or its street, district or city.'),
  })
  .meta({ id: 'AddressSuggestion' });
export type SuggestedAddress = z.output<typeof suggestion>;

/** Places that a text may mean. */
export const addressSuggestions = z
  .strictObject({ data: z.array(suggestion).max(SUGGESTIONS_MAX).describe('Best first. Empty if nothing was found.') })
  .meta({ id: 'AddressSuggestions' });

/** Members of the request that sets the National Address of a shipment. */
export const nationalAddressRequest = {
  shortAddress: shortAddress().describe(
    'The short code. Small letters, Arabic digits and one space or hyphen in it are understood.',
  ),
};

const part = () => z.nullable(z.string());
const count = () => z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** The National Address of a shipment's destination. */
export const nationalAddress = z
  .strictObject({
    shortAddress: part().describe('The short code, or null if the shipment has no National Address.'),
    status: z
      .enum(ADDRESS_STATUSES)
      .describe(
        'UNVERIFIED until the registry has answered. MISMATCH: it is more than 1 km from the coordinates of the destination. NOT_FOUND: the registry does not know the code.',
      ),
    source: z.nullable(z.enum(ADDRESS_SOURCES)).describe('Who gave the short code.'),
    buildingNumber: part().describe('Four digits, as in the short code.'),
    street: part().describe('As the registry writes it.'),
    district: part().describe('As the registry writes it.'),
    city: part().describe('As the registry writes it.'),
    postalCode: part().describe('Five digits.'),
    additionalNumber: part().describe('Four digits that tell apart buildings with the same number.'),
    location: z.nullable(location).describe('Where the registry says that the address is.'),
    distanceMeters: z
      .nullable(count())
      .describe('From there to the coordinates of the destination, in a straight line.'),
    checkedAt: z.nullable(instantOut).describe('When the registry answered.'),
    policy: z.enum(ADDRESS_POLICIES).describe("The company's policy when the shipment was created."),
    blocksDispatch: z
      .boolean()
      .describe('Whether the shipment is offered to no driver because of its address. True only under REQUIRED.'),
    version: count().describe('Of this record, not of the shipment: 0 until there is a short code.'),
  })
  .meta({ id: 'NationalAddress' });
export type NationalAddressRecord = z.output<typeof nationalAddress>;
