import * as z from 'zod';
import { decimalOut, logged } from './values.ts';

/** A city of the tariff in force. */
const city = z
  .strictObject({
    cityCode: logged(z.string()),
    name: z.string(),
    nameAr: z.string().describe('The name in Arabic.'),
    serviced: z
      .boolean()
      .describe(
        'Whether a service level delivers to this city now. A shipment to another city ends DISPATCH_UNRESOLVED.',
      ),
    surcharge: decimalOut().describe('What the tariff adds for a delivery to this city, in SAR without VAT.'),
  })
  .meta({ id: 'City' });

/** A code that `requirements` of a shipment may contain. */
const capability = z
  .strictObject({
    code: logged(z.string()).describe('The value for `requirements` of a shipment.'),
    title: z.string().describe('The requirement in English.'),
    titleAr: z.string().describe('The requirement in Arabic.'),
    cities: z.array(logged(z.string())).describe('Codes of the destination cities where it is offered.'),
    weightKilogramsMax: z.nullable(decimalOut()).describe('The heaviest shipment with this requirement, in kilograms.'),
    lengthCentimetresMax: z.nullable(decimalOut()).describe('The longest side of an item with it, in centimetres.'),
  })
  .meta({ id: 'Capability' });

export const cities = z.strictObject({ data: z.array(city) }).meta({ id: 'Cities' });
export type City = z.output<typeof city>;

export const capabilities = z.strictObject({ data: z.array(capability) }).meta({ id: 'Capabilities' });
export type Capability = z.output<typeof capability>;
