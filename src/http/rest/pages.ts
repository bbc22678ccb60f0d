import { waybill } from '../../contract/waybill.ts';
import type { Exchange } from '../route-table.ts';
import { showWaybill } from '../web/waybill/show.ts';

/** Operations whose answer is a page, and how it is made of their output. */
export const PAGES: Readonly<Record<string, (output: unknown, exchange: Exchange) => Promise<Response>>> = {
  'shipments.waybill': (output, exchange) => showWaybill(waybill.parse(output), exchange),
};
