import type { Locale } from '../../../core/locale.ts';
import type { Exchange, Route } from '../../route-table.ts';
import { browserFiles } from '../asset-text.ts';
import { html } from '../html.ts';
import { pageLocale } from '../representation.ts';

/** Allows the console's own scripts, styles, fonts and calls. Images may also be created on the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** The console is one page. Its script reads the rest of the address. */
export const consoleRoutes: readonly Route[] = [
  '/console',
  '/console/{area}',
  '/console/{area}/{id}',
  '/console/{area}/{id}/{part}',
].map((path) => ({ method: 'GET', path, needsNoPermit: true, handle: showConsole }));

const TEXTS = {
  en: { title: 'Mirsal console', needsScript: 'The console needs JavaScript. The API reference does not:' },
  ar: { title: 'لوحة تحكم مرسال', needsScript: 'تحتاج لوحة التحكم إلى JavaScript. أما مرجع الواجهة فلا:' },
} as const satisfies Record<Locale, Record<string, string>>;

async function showConsole(_request: Request, exchange: Exchange): Promise<Response> {
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
<title>${text.title}</title>
<link rel="stylesheet" href="${entries['console.css']}">
<script type="module" src="${entries['console.js']}"></script>
</head>
<body>
<div id="console" data-deployment="${exchange.services.config.deployment}">
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
