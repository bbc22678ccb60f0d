import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { TrackingBrand } from '../../../contract/tracking-brand.ts';
import type { Deployment } from '../../../core/deployment.ts';
import type { Locale } from '../../../core/locale.ts';
import { Fonts, Mark, Strip } from '../../../ui/frame.tsx';
import { type BrowserFiles, fontEntries } from '../asset-paths.ts';
import { directionOf } from '../formats.ts';
import { WORDS } from './words.ts';

/** Where and in which language a page is shown. */
export interface Place {
  readonly locale: Locale;
  readonly deployment: Deployment;
  readonly files: BrowserFiles;
  /** The address of the map's archive, if there is one. */
  readonly map: string | undefined;
}

export interface Frame extends Place {
  readonly title: string;
  /** The merchant's name for the header, or undefined on an error page. */
  readonly name: string | undefined;
  /** What a preview in a chat shows. It has neither the state, which a preview would freeze, nor the recipient. */
  readonly preview?: { readonly title: string; readonly description: string } | undefined;
  /** The merchant's logo, shown in place of the name. */
  readonly logo?: TrackingBrand['logo'] | undefined;
  /** The entry of its script. */
  readonly script?: 'tracking.js' | 'recipient.js';
  /** Whether the page can still change, so that its script refreshes it. */
  readonly canChange: boolean;
  readonly children: ComponentChildren;
}

/** The meta element that holds the page's entity tag. The script sends it in If-None-Match. */
const TAG_NAME = 'entity-tag';
/** A placeholder, because the tag is computed from the rest of the page. */
const TAG_MARK = 'entity-tag-placeholder';
/** Languages with their countries, as in the Open Graph protocol. */
const OPEN_GRAPH_LOCALES = { en: 'en_US', ar: 'ar_SA' } as const satisfies Record<Locale, string>;
const OTHER = { en: 'ar', ar: 'en' } as const satisfies Record<Locale, Locale>;

/** The whole document, without its tag. */
export function renderFrame({
  locale,
  deployment,
  files,
  map,
  title,
  name,
  preview,
  logo,
  canChange,
  script = 'tracking.js',
  children,
}: Frame): string {
  const words = WORDS[locale];
  const other = OTHER[locale];
  const page = (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        {canChange ? <meta name={TAG_NAME} content={TAG_MARK} /> : null}
        <title>{title}</title>
        {preview === undefined ? null : (
          <>
            <meta name="description" content={preview.description} />
            <meta property="og:type" content="website" />
            <meta property="og:site_name" content={words.brand} />
            <meta property="og:title" content={preview.title} />
            <meta property="og:description" content={preview.description} />
            <meta property="og:locale" content={OPEN_GRAPH_LOCALES[locale]} />
          </>
        )}
        <Fonts addresses={fontEntries(locale).map((font) => files.entries[font])} />
        <link rel="stylesheet" href={files.entries['tracking.css']} />
        {name === undefined ? null : <script type="module" src={files.entries[script]} />}
      </head>
      <body data-map={map}>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <Strip deployment={deployment} locale={locale} />
        <header class="top">
          <span class="brand">{logo == null ? (name ?? words.brand) : <Logo logo={logo} name={name} />}</span>
          <a href={`?lang=${other}`} hreflang={other} lang={other} dir={directionOf(other)}>
            {words.other}
          </a>
        </header>
        <p id="outdated" class="notice" hidden>
          {words.notCurrent}
        </p>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        {name === undefined ? null : (
          <footer class="quiet">
            <Mark />
            {words.brand}
          </footer>
        )}
        <p id="news" class="unseen" role="status" aria-live="polite" />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

/** At its own address on this site. The attributes reserve its place before it has loaded. */
function Logo({
  logo: { url, width, height },
  name,
}: {
  readonly logo: NonNullable<Frame['logo']>;
  readonly name: string | undefined;
}) {
  return <img class="logo" src={new URL(url).pathname} width={width} height={height} alt={name ?? ''} />;
}

/** Puts the entity tag into the document. */
export function withTag(document: string, tag: string): string {
  const value = tag.replaceAll('"', '&quot;');
  return document.replace(`content="${TAG_MARK}"`, () => `content="${value}"`);
}
