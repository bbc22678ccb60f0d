import * as z from 'zod';
import { cityCode, coordinate } from './shipment.ts';
import { decimalOut, instantOut } from './values.ts';

/** What a line of a price is for. */
export const PRICE_CODES = ['BASE', 'DISTANCE', 'CITY'] as const;
export type PriceCode = (typeof PRICE_CODES)[number];

/** What a line of charges is for. */
export const CHARGE_CODES = [...PRICE_CODES, 'CANCELLATION', 'CREDIT'] as const;
export type ChargeCode = (typeof CHARGE_CODES)[number];

const point = () => z.strictObject({ latitude: coordinate(90), longitude: coordinate(180) });

/** Members of a price-estimate request. */
export const priceEstimateRequest = { pickup: point(), delivery: point(), destinationCityCode: cityCode() };

const meters = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** The price of a delivery now. Amounts are net of VAT, except `vatAmount` and `totalAmount`. */
export const priceEstimate = z
  .strictObject({
    currency: z.string(),
    netAmount: decimalOut(),
    vatRate: decimalOut(),
    vatAmount: decimalOut(),
    totalAmount: decimalOut(),
    breakdown: z.array(z.strictObject({ code: z.enum(PRICE_CODES), amount: decimalOut() })),
    distanceMeters: meters,
    durationSeconds: meters,
    tariffVersion: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    estimatedAt: instantOut,
  })
  .meta({ id: 'PriceEstimate' });
export type PriceEstimate = z.output<typeof priceEstimate>;

/** What a shipment costs, line by line. */
export const charges = z
  .strictObject({
    currency: z.string(),
    lines: z.array(z.strictObject({ code: z.enum(CHARGE_CODES), amount: decimalOut(), createdAt: instantOut })),
    netAmount: decimalOut(),
    vatRate: decimalOut(),
    vatAmount: decimalOut(),
    totalAmount: decimalOut(),
    tariffVersion: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    distanceMeters: meters,
    durationSeconds: meters,
  })
  .meta({ id: 'Charges' });
export type Charges = z.output<typeof charges>;
