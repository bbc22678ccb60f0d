import * as z from 'zod';
import { VIOLATION_CODES } from '../core/problem-code.ts';
import { dispatchReason } from './dispatch.ts';
import { priceEstimate } from './price-estimate.ts';
import { type KnownMembers, location, shipmentRequest } from './shipment.ts';
import { logged, uuidOut } from './values.ts';

/** Of one request, at most this many violations are reported. */
export const VALIDATION_VIOLATIONS_MAX = 100;

/** Problems with which a creation would be refused, besides violations and conflicts. */
export const CREATION_PROBLEMS = ['REGISTRATION_INCOMPLETE', 'BRANCH_INACTIVE'] as const;

/** What a creation accepts, and a person should look at. */
export const VALIDATION_WARNINGS = [
  'PIN_FAR_FROM_CITY',
  'NOT_PRINTABLE',
  'NATIONAL_ADDRESS_MISSING',
  'NO_SERVICE_LEVEL',
  'DUPLICATE_LIKELY',
  'PRICE_UNAVAILABLE',
  'WINDOW_FAR_AHEAD',
  'WINDOW_BEGAN_LONG_AGO',
] as const;
export type ValidationWarning = (typeof VALIDATION_WARNINGS)[number];

const violation = z
  .strictObject({
    field: logged(z.string()),
    code: z.enum(VIOLATION_CODES).describe('The rule that is broken.'),
    message: z.string(),
  })
  .meta({ id: 'ValidationViolation' });
const warning = z
  .strictObject({
    field: logged(z.string()),
    code: z.enum(VALIDATION_WARNINGS).describe('What a person should look at.'),
    message: z.string(),
  })
  .meta({ id: 'ValidationWarning' });
const existing = z
  .strictObject({
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()),
    href: z.string().describe('The path of the shipment.'),
  })
  .meta({ id: 'ExistingShipment' });

/** What a creation with this body would answer now. */
export const shipmentValidation = z
  .strictObject({
    valid: z.boolean().describe('Whether a creation with this body would be accepted now. Warnings do not count.'),
    violations: z.array(violation).max(VALIDATION_VIOLATIONS_MAX),
    problems: z
      .array(z.enum(CREATION_PROBLEMS))
      .describe('Codes of other problems for which a creation would be refused.'),
    warnings: z.array(warning).describe('What a creation accepts, but a person should check.'),
    conflicts: z
      .strictObject({
        externalReference: z.nullable(existing).describe('The shipment that already has the reference.'),
      })
      .meta({ id: 'ValidationConflicts' }),
    price: z
      .nullable(priceEstimate)
      .describe('Null if the route or the tariff gives no price, or the routing provider does not answer.'),
    dispatch: z
      .strictObject({
        eligible: z.boolean().describe('Whether a driver who could take it is free now.'),
        serviceLevel: z.boolean().describe('Whether a service level fits.'),
        reasons: z.array(dispatchReason),
      })
      .meta({ id: 'ValidationDispatch' }),
  })
  .meta({ id: 'ShipmentValidation' });
export type ShipmentValidation = z.output<typeof shipmentValidation>;

/** The members of a creation request that meet the rules of their own schema, whatever the others are. */
export function knownMembersOf(raw: Readonly<Record<string, unknown>>): KnownMembers {
  const known = validMembers(shipmentRequest, raw);
  const { destination } = raw;
  if (known.destination !== undefined || typeof destination !== 'object' || destination === null) return known;
  return { ...known, destination: validMembers(location.shape, { ...destination }) };
}

function validMembers<Shape extends z.ZodRawShape>(
  shape: Shape,
  raw: Readonly<Record<string, unknown>>,
): Partial<z.output<z.ZodObject<Shape>>> {
  const members = Object.entries(shape).flatMap(([name, schema]) => {
    const parsed = z.safeParse(schema, raw[name]);
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(members) as Partial<z.output<z.ZodObject<Shape>>>;
}
