import type { Locale } from '../../../core/locale.ts';
import { Problem } from '../../../core/problem.ts';
import { refuse } from '../../../core/result.ts';
import type { Exchange } from '../../route-table.ts';
import { assetsUnavailable, browserFiles } from '../asset-text.ts';
import { directionOf } from '../formats.ts';
import { pageLocale } from '../representation.ts';

/* What makes the drivers' page an application that a phone installs. */

const NAMES = {
  en: { name: 'Mirsal for drivers', short_name: 'Mirsal' },
  ar: { name: 'مرسال للسائقين', short_name: 'مرسال' },
} as const satisfies Record<Locale, object>;

/** The mark on paper. The margin is what phones may cut off. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path fill="#faf8f3" d="M0 0h512v512H0z"/><g transform="translate(136 116) scale(10)"><path fill="none" stroke="#1f5c3f" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" d="M12 26V17.5M12 17.5a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM12 17.5H4"/></g></svg>`;

/** Files at the root, because a service worker may only serve pages at and below its own address. */
export async function showDriverFile(path: string, exchange: Exchange): Promise<Response> {
  if (path === '/driver-icon.svg') return fileOf(ICON, 'image/svg+xml');
  if (path === '/driver.webmanifest') return fileOf(manifestOf(pageLocale(exchange)), 'application/manifest+json');
  const { services } = exchange;
  const { entries } = await browserFiles(services);
  const address = entries['worker.js'];
  if (address === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const bytes = await services.readAsset(address.slice(1));
  if (bytes === undefined) throw assetsUnavailable();
  const worker = fileOf(new TextDecoder().decode(bytes), 'text/javascript; charset=utf-8');
  // The policy of a worker is its own: it only asks for what the page asks for.
  worker.headers.set('content-security-policy', "default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
  return worker;
}

function manifestOf(locale: Locale): string {
  return JSON.stringify({
    ...NAMES[locale],
    id: '/driver',
    lang: locale,
    dir: directionOf(locale),
    start_url: '/driver',
    scope: '/driver',
    display: 'standalone',
    orientation: 'portrait',
    background_color: '#faf8f3',
    theme_color: '#faf8f3',
    icons: ['any', 'maskable'].map((purpose) => ({
      src: '/driver-icon.svg',
      sizes: 'any',
      type: 'image/svg+xml',
      purpose,
    })),
  });
}

function fileOf(text: string, mediaType: string): Response {
  return new Response(text, { headers: { 'content-type': mediaType, 'cache-control': 'no-cache', vary: 'Cookie' } });
}
