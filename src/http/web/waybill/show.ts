import type { Waybill } from '../../../contract/shipment.ts';
import type { Exchange } from '../../route-table.ts';
import { browserFiles } from '../asset-text.ts';
import { waybillPage } from './page.tsx';

/** Allows only the page's own styles and fonts: the label has no script. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** The label of a shipment as a page to print. */
export async function showWaybill(waybill: Waybill, { services, reply }: Exchange): Promise<Response> {
  const { deployment, baseUrl } = services.config;
  const files = await browserFiles(services);
  const text = waybillPage(waybill, { deployment, baseUrl, files });
  return new Response(text, {
    headers: {
      ...reply.headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    },
  });
}
