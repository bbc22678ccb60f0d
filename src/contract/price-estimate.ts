import * as z from 'zod';
import { cityCode, coordinate } from './shipment.ts';
import { decimalOut, instantOut, logged, uuidOut } from './values.ts';

/** What a line of a price is for. */
export const PRICE_CODES = ['BASE', 'DISTANCE', 'CITY'] as const;
export type PriceCode = (typeof PRICE_CODES)[number];

/** What a line of charges is for. */
export const CHARGE_CODES = [...PRICE_CODES, 'CANCELLATION', 'CREDIT', 'AMENDMENT', 'REDELIVERY', 'RETURN'] as const;
export type ChargeCode = (typeof CHARGE_CODES)[number];

const point = () => z.strictObject({ latitude: coordinate(90), longitude: coordinate(180) });

/** Members of a price-estimate request. */
export const priceEstimateRequest = { pickup: point(), delivery: point(), destinationCityCode: cityCode() };

const meters = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** The price of a delivery now. Amounts are net of VAT, except `vatAmount` and `totalAmount`. */
export const priceEstimate = z
  .strictObject({
    currency: logged(z.string()),
    netAmount: decimalOut(),
    vatRate: decimalOut(),
    vatAmount: decimalOut(),
    totalAmount: decimalOut(),
    breakdown: z
      .array(z.strictObject({ code: z.enum(PRICE_CODES), amount: decimalOut() }))
      .describe('The lines that add up to `netAmount`.'),
    distanceMeters: meters,
    durationSeconds: meters,
    tariffVersion: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    estimatedAt: instantOut.describe('When the price was computed. It is not held.'),
  })
  .meta({ id: 'PriceEstimate' });
export type PriceEstimate = z.output<typeof priceEstimate>;

/** An amount with its VAT. */
export const priceWithVat = z
  .strictObject({
    currency: logged(z.string()).meta({ example: 'SAR' }),
    netAmount: decimalOut().describe('Without VAT.'),
    vatRate: decimalOut().describe('0.15 is 15 percent.'),
    vatAmount: decimalOut().describe('The VAT on netAmount, rounded half away from zero.'),
    totalAmount: decimalOut().describe('With VAT.'),
  })
  .meta({ id: 'PriceWithVat' });

const frozenNumber = z.nullable(z.number().meta({ override: { type: 'integer' as const, minimum: 0 } }));
/** The rules of the tariff at the creation of a shipment. They hold for this shipment whatever the tariff becomes. */
export const frozenTerms = z
  .strictObject({
    cancellationAmount: decimalOut().describe('What a cancellation costs while a driver is on the way, without VAT.'),
    cancellationGraceSeconds: frozenNumber.describe(
      'A cancellation is free for this long after a driver has accepted. Null for a shipment from before this rule: never.',
    ),
    lateCancellationSeconds: frozenNumber.describe(
      'A cancellation is free from this long after the pickup window if the driver has not come. Null: never, or one hour if cancellationGraceSeconds is null too.',
    ),
    lockSecondsMax: frozenNumber.describe(
      'The longest time that a price lock of this tariff may hold. Null for a shipment from before this member.',
    ),
    amendmentFreeMeters: frozenNumber.describe(
      'The destination may be moved so many metres from the priced one without a new price. Null for a shipment from before this member: none.',
    ),
    returnRate: decimalOut().describe('The share of this price that carrying the parcel back costs; 1 is all of it.'),
    redeliveryRate: decimalOut().describe('The share of this price that another attempt costs; 1 is all of it.'),
  })
  .meta({ id: 'ShipmentTerms' });

/** The lock that a price is from. */
export const lockRecord = z
  .strictObject({
    lockId: uuidOut.describe('Identifies the price lock.'),
    lockedAt: instantOut.describe('When the price was locked.'),
    expiresAt: instantOut.describe('When the lock expired, or would have.'),
  })
  .meta({ id: 'UsedPriceLock' });

/** What a shipment costs, line by line. */
export const charges = z
  .strictObject({
    currency: logged(z.string()),
    lines: z
      .array(z.strictObject({ code: z.enum(CHARGE_CODES), amount: decimalOut(), createdAt: instantOut }))
      .describe('The lines that add up to `netAmount`.'),
    netAmount: decimalOut(),
    vatRate: decimalOut(),
    vatAmount: decimalOut(),
    totalAmount: decimalOut(),
    tariffVersion: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    distanceMeters: meters,
    durationSeconds: meters,
    terms: frozenTerms,
    priceLock: z.nullable(lockRecord).describe('The price lock of its creation; null if it had none.'),
  })
  .meta({ id: 'Charges' });
export type Charges = z.output<typeof charges>;
