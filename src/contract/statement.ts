import * as z from 'zod';
import { RIYADH } from '../core/riyadh.ts';
import { codTotals } from './cod-collection.ts';
import { pageOf } from './page.ts';
import { CHARGE_CODES } from './price-estimate.ts';
import { decimalOut, instantOut, logged, patterned, uuid, uuidOut } from './values.ts';

/** A month in Riyadh, such as `2026-11`. */
export const statementMonth = logged(patterned(/^[0-9]{4}-(?:0[1-9]|1[0-2])$/, 'month', { example: '2026-11' }));

/** The number of a company in the register of VAT: 15 digits, of which the first and the last are 3. */
export const vatNumber = patterned(/^3[0-9]{13}3$/, 'vatNumber', { example: '310122393500003' });

const line = z
  .strictObject({
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()),
    externalReference: logged(z.string()),
    code: z.enum(CHARGE_CODES).describe('What the line is for.'),
    createdAt: instantOut.describe('When the line was added: its month in Riyadh is that of the statement.'),
    netAmount: decimalOut().describe('Without VAT. Negative for a credit or a reversal.'),
    vatRate: decimalOut().describe('0.15 is 15 percent.'),
    vatAmount: decimalOut().describe(
      'The VAT on this line alone, rounded half away from zero. The VAT of the totals is computed once on the sum, so the sum of the lines may differ from it by some halalas.',
    ),
    totalAmount: decimalOut().describe('With VAT.'),
  })
  .meta({ id: 'StatementLine' });

/** What a company owes for a month, and what drivers collected for it. Each page has the totals of the whole month. */
export const statement = pageOf(line)
  .extend({
    month: logged(z.string()).describe('The month, in Riyadh time.'),
    currency: logged(z.string()).describe('The currency of all amounts.'),
    timeZone: logged(z.literal(RIYADH)).describe('The time zone of the month.'),
    company: z
      .strictObject({
        name: z.string().describe('The name of the company.'),
        vatNumber: z
          .nullable(z.string())
          .describe('Its VAT number, which an owner enters in the console; null without one.'),
      })
      .meta({ id: 'StatementCompany' })
      .describe('Whose statement it is.'),
    totals: z
      .strictObject({
        netAmount: decimalOut().describe('The sum of the lines without VAT.'),
        vatAmount: decimalOut().describe('The VAT on the sum of each rate, rounded half away from zero.'),
        totalAmount: decimalOut().describe('With VAT: what the company owes for the month.'),
        shipments: z
          .number()
          .meta({ override: { type: 'integer' as const, minimum: 0 } })
          .describe('How many shipments have a line in the month.'),
      })
      .meta({ id: 'StatementTotals' })
      .describe('Of the whole month, on each page: as they were on the first one.'),
    cod: codTotals.describe('What drivers collected in the month. It is no part of the totals.'),
  })
  .meta({ id: 'Statement' });
export type Statement = z.output<typeof statement>;

/** Shipments whose prices are read at once: a page of their list. */
const PRICED_MAX = 100;
export const pricesRequest = { shipmentIds: z.array(uuid).min(1).max(PRICED_MAX) };

/** What each shipment costs now, with everything that was added since its creation. */
export const shipmentPrices = z.strictObject({
  data: z.array(
    z.strictObject({
      shipmentId: uuidOut,
      currency: logged(z.string()),
      netAmount: decimalOut(),
      vatAmount: decimalOut(),
      totalAmount: decimalOut(),
    }),
  ),
});
export type ShipmentPrices = z.output<typeof shipmentPrices>;
