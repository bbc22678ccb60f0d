import * as z from 'zod';
import { decimalOut, logged } from './values.ts';

/** A city of the tariff in force. */
const city = z
  .strictObject({
    cityCode: logged(z.string()),
    name: z.string(),
    nameAr: z.string(),
    serviced: z.boolean().meta({
      description:
        'Whether a service level delivers to this city now. A shipment to another city ends DISPATCH_UNRESOLVED.',
    }),
    surcharge: decimalOut('What the tariff adds for a delivery to this city, in SAR without VAT.'),
  })
  .meta({ id: 'City' });

/** A code that `requirements` of a shipment may contain. */
const capability = z
  .strictObject({
    code: logged(z.string()),
    title: z.string(),
    titleAr: z.string(),
    cities: z.array(logged(z.string())).meta({ description: 'Codes of the destination cities where it is offered.' }),
    weightKilogramsMax: decimalOut('The heaviest shipment with this requirement, in kilograms.'),
    lengthCentimetresMax: decimalOut('The longest side of an item with it, in centimetres.'),
  })
  .meta({ id: 'Capability' });

export const cities = z.strictObject({ data: z.array(city) }).meta({ id: 'Cities' });
export type City = z.output<typeof city>;

export const capabilities = z.strictObject({ data: z.array(capability) }).meta({ id: 'Capabilities' });
export type Capability = z.output<typeof capability>;
