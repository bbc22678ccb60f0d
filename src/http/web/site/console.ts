import type { Locale } from '../../../core/locale.ts';
import type { Exchange, Route } from '../../route-table.ts';
import { browserFiles } from '../asset-text.ts';
import { html } from '../html.ts';
import { pageLocale } from '../representation.ts';

/** Allows the page's own scripts, styles, fonts and calls. Images may also be created on the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const AREAS = ['', '/{area}', '/{area}/{id}', '/{area}/{id}/{part}'];

/** Merchants and operators get the same page at different addresses. Its script reads the address. */
export const consoleRoutes: readonly Route[] = (['/console', '/operations'] as const).flatMap((root) =>
  AREAS.map((area) => scriptRoute(root, `${root}${area}`)),
);

export const driverPageRoute: Route = scriptRoute('/driver', '/driver');

const TEXTS = {
  en: {
    '/console': 'Mirsal console',
    '/operations': 'Mirsal operations',
    '/driver': 'Mirsal for drivers',
    needsScript: 'This page needs JavaScript. The API reference does not:',
  },
  ar: {
    '/console': 'لوحة تحكم مرسال',
    '/operations': 'عمليات مرسال',
    '/driver': 'مرسال للسائقين',
    needsScript: 'تحتاج هذه الصفحة إلى JavaScript. أما مرجع واجهة البرمجة فلا يحتاج إليه:',
  },
} as const satisfies Record<Locale, Record<string, string>>;

type Root = '/console' | '/operations' | '/driver';

function scriptRoute(root: Root, path: string): Route {
  return { method: 'GET', path, needsNoPermit: true, handle: (_request, exchange) => showPage(root, exchange) };
}

/** A page that a script fills. The script's entry and the element that it fills have the same name. */
async function showPage(root: Root, exchange: Exchange): Promise<Response> {
  const name = root === '/driver' ? 'driver' : 'console';
  const locale = pageLocale(exchange);
  const { entries } = await browserFiles(exchange.services);
  const text = TEXTS[locale];
  const page = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${text[root]}</title>
<link rel="stylesheet" href="${entries[`${name}.css`]}">
<script type="module" src="${entries[`${name}.js`]}"></script>
</head>
<body>
<div id="${name}" data-deployment="${exchange.services.config.deployment}">
<noscript><p>${text.needsScript} <a href="/docs">/docs</a></p></noscript>
</div>
</body>
</html>
`.markup;
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
