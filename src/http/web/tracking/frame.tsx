import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Deployment } from '../../../core/deployment.ts';
import type { Locale } from '../../../core/locale.ts';
import { Mark, Strip } from '../../../ui/frame.tsx';
import type { BrowserFiles } from '../asset-paths.ts';
import { directionOf } from '../formats.ts';
import { WORDS } from './words.ts';

export interface Frame {
  readonly locale: Locale;
  readonly deployment: Deployment;
  readonly files: BrowserFiles;
  readonly title: string;
  /** Whose parcel it is, for the head of the page; nobody's on one that tells nothing. */
  readonly name: string | undefined;
  /** Whether there may be news of it. */
  readonly isFollowed: boolean;
  readonly children: ComponentChildren;
}

/** Where the entity tag of a page stands within it: its script names it when it asks for news. */
const TAG_NAME = 'entity-tag';
/** Stands there until the tag is known. */
const TAG_MARK = 'made of the rest';
const OTHER = { en: 'ar', ar: 'en' } as const satisfies Record<Locale, Locale>;

/** The whole document, without its tag. */
export function renderFrame({ locale, deployment, files, title, name, isFollowed, children }: Frame): string {
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
        {isFollowed ? <meta name={TAG_NAME} content={TAG_MARK} /> : null}
        <title>{title}</title>
        <link rel="stylesheet" href={files.entries['tracking.css']} />
        {name === undefined ? null : <script type="module" src={files.entries['tracking.js']} />}
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <Strip deployment={deployment} locale={locale} />
        <header class="top">
          <span class="brand">{name ?? words.brand}</span>
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

/** The document with its tag, which was made of all the rest. */
export function withTag(document: string, tag: string): string {
  const value = tag.replaceAll('"', '&quot;');
  return document.replace(`content="${TAG_MARK}"`, () => `content="${value}"`);
}
