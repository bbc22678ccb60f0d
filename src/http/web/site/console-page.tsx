import { renderToString } from 'preact-render-to-string';
import type { Deployment } from '../../../core/deployment.ts';
import type { Locale } from '../../../core/locale.ts';
import type { CarrierContact } from '../../../service/config.ts';
import { Fonts, LoadingFrame, Strip } from '../../../ui/frame.tsx';
import { type BrowserFiles, fontEntries } from '../asset-paths.ts';
import { directionOf } from '../formats.ts';

export type Root = '/console' | '/operations' | '/driver';

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

interface ConsolePage {
  readonly root: Root;
  readonly locale: Locale;
  readonly deployment: Deployment;
  readonly contact: CarrierContact | undefined;
  readonly entries: BrowserFiles['entries'];
  /** The address of the map's archive, if there is one. */
  readonly map: string | undefined;
}

/** A page that a script fills. The script's entry and the element that it fills have the same name. */
export function consolePage({ root, locale, deployment, contact, entries, map }: ConsolePage): string {
  const name = root === '/driver' ? 'driver' : 'console';
  const text = TEXTS[locale];
  const page = (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{text[root]}</title>
        {/* With credentials, because the language may be in the cookie. */}
        {name === 'driver' ? (
          <>
            <link rel="manifest" href="/driver.webmanifest" crossOrigin="use-credentials" />
            <link rel="apple-touch-icon" href="/driver-icon.svg" />
          </>
        ) : null}
        <Fonts addresses={fontEntries(locale).map((font) => entries[font])} />
        <link rel="stylesheet" href={entries[`${name}.css`]} />
        <script type="module" src={entries[`${name}.js`]} />
      </head>
      <body data-map={name === 'console' ? map : undefined}>
        <div id={name} data-deployment={deployment} data-phone={contact?.phone} data-email={contact?.email}>
          <noscript>
            <p>
              {text.needsScript} <a href="/docs">/docs</a>
            </p>
          </noscript>
          <Strip deployment={deployment} locale={locale} />
          {name === 'console' ? <LoadingFrame locale={locale} /> : null}
        </div>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}
