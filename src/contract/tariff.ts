import * as z from 'zod';
import { literalDecimal } from '../core/decimal.ts';
import { cityCode } from './shipment.ts';
import { addRepetitions, decimal, decimalOut, instant, instantOut } from './values.ts';

const ZERO = literalDecimal('0');
const amount = () => decimal({ min: ZERO, fractionDigitsMax: 2, digitsMax: 12 });
/** Saudi Arabia is divided into fewer cities than this. */
const CITIES_MAX = 500;

/** Members of a request to publish a tariff. */
export const tariffRequest = {
  effectiveFrom: instant,
  baseAmount: amount(),
  kilometreAmount: amount(),
  vatRate: decimal({ min: ZERO, max: literalDecimal('1'), fractionDigitsMax: 4, digitsMax: 5 }),
  cancellationAmount: amount(),
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

/** A version of the tariff. */
export const tariff = z
  .strictObject({
    version: z.number(),
    effectiveFrom: instantOut,
    currency: z.string(),
    baseAmount: decimalOut(),
    kilometreAmount: decimalOut(),
    vatRate: decimalOut(),
    cancellationAmount: decimalOut(),
    cities: z.array(z.strictObject({ cityCode: z.string(), surcharge: decimalOut() })),
  })
  .meta({ id: 'Tariff' });
