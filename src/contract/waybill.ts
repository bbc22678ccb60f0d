import * as z from 'zod';
import { LOCALES } from '../core/locale.ts';
import { shipment } from './shipment.ts';

/** What is printed on a parcel's label. REST makes a page of it. */
export const waybill = z.strictObject({
  locale: z.enum(LOCALES),
  merchantName: z.string(),
  shipment,
});
export type Waybill = z.output<typeof waybill>;
