import { part } from '../../../core/part.ts';
import type { Exchange, Route } from '../../route-table.ts';
import { browserFiles, mapAddressOf } from '../asset-text.ts';
import { pageLocale } from '../representation.ts';
import type { Root } from './console-page.tsx';

const pages = part(() => import('./console-page.tsx'));
const driverApp = part(() => import('./driver-app.ts'));

/** Allows the page's own scripts, styles, fonts and calls. Images may also be created on the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const AREAS = ['', '/{area}', '/{area}/{id}', '/{area}/{id}/{part}'];

/** Merchants and operators get the same page at different addresses. Its script reads the address. */
export const consoleRoutes: readonly Route[] = (['/console', '/operations'] as const).flatMap((root) =>
  AREAS.map((area) => scriptRoute(root, `${root}${area}`)),
);

export const driverPageRoutes: readonly Route[] = [
  scriptRoute('/driver', '/driver'),
  ...['/driver-worker.js', '/driver.webmanifest', '/driver-icon.svg'].map(
    (path): Route => ({
      method: 'GET',
      path,
      needsNoPermit: true,
      handle: async (_request, exchange) => (await driverApp()).showDriverFile(path, exchange),
    }),
  ),
];

function scriptRoute(root: Root, path: string): Route {
  return { method: 'GET', path, needsNoPermit: true, handle: (_request, exchange) => showPage(root, exchange) };
}

async function showPage(root: Root, exchange: Exchange): Promise<Response> {
  const locale = pageLocale(exchange);
  const { entries } = await browserFiles(exchange.services);
  const { consolePage } = await pages();
  const { deployment, carrierContact: contact } = exchange.services.config;
  const map = mapAddressOf(exchange.services);
  const page = consolePage({ root, locale, deployment, contact, entries, map });
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'content-language': locale,
      'referrer-policy': 'same-origin',
      vary: 'Cookie',
      // The page names the scripts of this build, so a cached copy would break after a deployment.
      'cache-control': 'no-cache',
    },
  });
}
