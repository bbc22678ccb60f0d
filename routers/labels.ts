import type * as z from 'zod';
import type { Database } from '../db/database.ts';
import type { CompanyScope } from '../src/access/require.ts';
import type { labelRequest, Waybills } from '../src/contract/shipment.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Uuid } from '../src/core/uuid.ts';
import { readWaybills } from '../src/domain/shipments/waybill.ts';
import type { Context } from './context.ts';

/** What both operations say of their labels. */
export const LABEL_TEXT =
  'Accept chooses the format: a page of 100 by 150 mm (`text/html`, the default), PDF with one A6 page for each label (`application/pdf`), or ZPL for label printers of 203 dots an inch (`application/zpl`). With `labels=item` each entry of `items` has a label of its own, numbered `1/3`. The language is that of `lang` or of Accept-Language. A label has the number as Code 128, and a QR code with the address of the shipment in the console. Problems are JSON.';

/** The content of labels, and the language that the response says. */
export async function readLabels(
  {
    services,
    store,
    company,
    facts,
    reply,
  }: Context & { readonly company: CompanyScope; readonly store: { readonly database: Database } },
  shipmentIds: readonly Uuid[],
  { lang, labels = 'shipment' }: z.output<z.ZodObject<typeof labelRequest>>,
): Promise<Waybills> {
  const content = orThrow(await readWaybills({ ...services, ...store }, company, shipmentIds));
  const locale = lang ?? facts.locale;
  reply.headers['content-language'] = locale;
  return { locale, labels, ...content };
}
