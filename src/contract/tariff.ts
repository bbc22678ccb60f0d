import * as z from 'zod';
import { literalDecimal } from '../core/decimal.ts';
import { PICKUP_LATE_SECONDS } from '../core/limits.ts';
import { cityCode } from './shipment.ts';
import { addRepetitions, decimal, decimalOut, instant, instantOut, integer, logged, uuidOut } from './values.ts';

const ZERO = literalDecimal('0');
const ONE = literalDecimal('1');
const amount = () => decimal({ min: ZERO, fractionDigitsMax: 2, digitsMax: 12 });
/** A share of the first shipment's price. */
const rate = () => decimal({ min: ZERO, max: literalDecimal('2'), fractionDigitsMax: 2, digitsMax: 3 }).default(ONE);
/** Saudi Arabia is divided into fewer cities than this. */
const CITIES_MAX = 500;

/** Members of a tariff that decide a price. */
const tariffTerms = {
  baseAmount: amount(),
  kilometreAmount: amount(),
  vatRate: decimal({ min: ZERO, max: literalDecimal('1'), fractionDigitsMax: 4, digitsMax: 5 }),
  cancellationAmount: amount(),
  cancellationGraceSeconds: integer(0, 3600).default(0),
  lateCancellationSeconds: z.nullable(integer(0, 86_400)).default(PICKUP_LATE_SECONDS),
  lockSecondsMax: integer(60, 86_400).default(86_400),
  amendmentFreeMeters: integer(0, 5000).default(0),
  returnRate: rate(),
  redeliveryRate: rate(),
  cities: z
    .array(z.strictObject({ cityCode: cityCode(), surcharge: amount() }))
    .min(1)
    .max(CITIES_MAX)
    .check((context) => {
      addRepetitions(
        context,
        context.value.map((city) => city.cityCode),
        'cityCode',
      );
    }),
};

/** Members of a request to publish a tariff. */
export const tariffRequest = { effectiveFrom: instant, ...tariffTerms };

/** Members of a request to withdraw a version that has not begun. */
export const tariffWithdrawal = { version: integer(1, 1_000_000) };

/** Shipments that a preview prices: enough to see the effect of a tariff, and some seconds of work at most. */
const PREVIEW_SHIPMENTS_MAX = 10_000;

/** Members of a request to preview a tariff that is not published yet. */
export const tariffPreviewRequest = {
  ...tariffTerms,
  shipmentsMax: integer(1, PREVIEW_SHIPMENTS_MAX).default(PREVIEW_SHIPMENTS_MAX),
};

/** A version of the tariff. */
export const tariff = z
  .strictObject({
    version: z.number(),
    effectiveFrom: instantOut,
    currency: logged(z.string()),
    baseAmount: decimalOut(),
    kilometreAmount: decimalOut(),
    vatRate: decimalOut(),
    cancellationAmount: decimalOut(),
    cancellationGraceSeconds: z.number(),
    lateCancellationSeconds: z.nullable(z.number()),
    lockSecondsMax: z.number(),
    amendmentFreeMeters: z.number(),
    returnRate: decimalOut(),
    redeliveryRate: decimalOut(),
    cities: z.array(z.strictObject({ cityCode: logged(z.string()), surcharge: decimalOut() })),
  })
  .meta({ id: 'Tariff' });

/** Net of VAT. Null for a city that the draft does not serve. */
const draftAmount = z.nullable(decimalOut());

/** What the shipments of the last seven days cost, and what they would have cost with a draft. Amounts are net of VAT. */
export const tariffPreview = z.strictObject({
  from: instantOut,
  to: instantOut,
  currency: logged(z.string()),
  /** How many shipments are in the answer, and whether there were more, older ones. */
  shipments: z.number(),
  isCutOff: z.boolean(),
  /** Shipments to cities that the draft does not serve. The two sums leave them out. */
  notServed: z.number(),
  netAmount: decimalOut(),
  draftNetAmount: decimalOut(),
  cities: z.array(
    z.strictObject({
      cityCode: logged(z.string()),
      shipments: z.number(),
      netAmount: decimalOut(),
      draftNetAmount: draftAmount,
    }),
  ),
  /** The shipments whose price would rise most. */
  largestRises: z.array(
    z.strictObject({
      shipmentId: uuidOut,
      companyId: uuidOut,
      shipmentNumber: logged(z.string()),
      cityCode: logged(z.string()),
      distanceMeters: z.number(),
      netAmount: decimalOut(),
      draftNetAmount: decimalOut(),
      rise: decimalOut(),
    }),
  ),
});
export type TariffPreview = z.output<typeof tariffPreview>;
