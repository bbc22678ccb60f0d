import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Deployment } from '../../../core/deployment.ts';
import type { Locale } from '../../../core/locale.ts';
import { Fonts, noticeOf, Strip } from '../../../ui/frame.tsx';
import { type BrowserFiles, fontEntries } from '../asset-paths.ts';
import { directionOf } from '../formats.ts';
import type { DrawnCode } from './codes.ts';
import type { Block, Content, Entry } from './content.ts';
import { OVERRIDE, OVERRIDE_END } from './isolate.ts';
import { layoutLabel } from './layout.ts';
import { roughLines } from './rough.ts';
import { WORDS } from './words.ts';

interface Place {
  readonly deployment: Deployment;
  readonly files: BrowserFiles;
}

/** Labels as a whole document, each 100 by 150 mm. */
export function waybillPage(labels: readonly Content[], locale: Locale, { deployment, files }: Place): string {
  const words = WORDS[locale];
  const numbers = [...new Set(labels.map(({ shipmentNumber }) => shipmentNumber))];
  const page = (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{`${words.title} ${numbers.length === 1 ? numbers[0] : ''}`.trim()}</title>
        <Fonts addresses={fontEntries(locale).map((font) => files.entries[font])} />
        <link rel="stylesheet" href={files.entries['waybill.css']} />
      </head>
      <body>
        <header class="hint">{words.hint}</header>
        <main>
          {labels.map((label) => (
            <Sheet label={label} deployment={deployment} />
          ))}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

function Sheet({ label, deployment }: { readonly label: Content; readonly deployment: Deployment }) {
  const { locale, shipmentNumber, blocks } = label;
  const words = WORDS[locale];
  const { codes, scale } = layoutLabel(label, noticeOf(deployment, locale), roughLines);
  return (
    <article class={`label scale-${scale}`}>
      <Strip deployment={deployment} locale={locale} />
      {blocks.map((block) => (
        <Part block={block} locale={locale}>
          {block.name === 'money' ? <Code code={codes.qr} name="qr" label={words.qr} /> : null}
        </Part>
      ))}
      <div class="bars">
        <Code code={codes.barcode} name="barcode" label={words.barcode} />
        <bdi class="number" dir="ltr">
          {shipmentNumber}
        </bdi>
      </div>
    </article>
  );
}

function Part({
  block: { name, entries },
  locale,
  children,
}: {
  readonly block: Block;
  readonly locale: Locale;
  readonly children: ComponentChildren;
}) {
  if (name === 'head')
    return (
      <h1 class={name}>
        <span class="unseen">{WORDS[locale].title} </span>
        {entries.map(({ kind, text }) => (
          <span class={kind}>
            <Isolated text={text} />
          </span>
        ))}
      </h1>
    );
  return (
    <section class={name}>
      <div>{entries.map(paragraphOf)}</div>
      {children}
    </section>
  );
}

function paragraphOf({ kind, text }: Entry) {
  const content = <Isolated text={text} />;
  return kind === 'heading' ? <h2 class={kind}>{content}</h2> : <p class={kind}>{content}</p>;
}

const ISOLATES = /([\u2066\u2067\u2069])/;

/** A text with elements in place of its isolates (UAX #9), so that what is copied from the page has no invisible characters. */
function Isolated({ text }: { readonly text: string }) {
  const [before = '', ...parts] = text.split(ISOLATES);
  const open: Isolate[] = [{ dir: undefined, isOverridden: false, children: [before] }];
  for (let at = 0; at < parts.length; at += 2) {
    const [mark, content = ''] = [parts[at], parts[at + 1]];
    const ended = mark === '\u2069' ? open.pop() : undefined;
    const isOverridden = content.startsWith(OVERRIDE);
    if (ended === undefined) open.push({ dir: mark === '\u2067' ? 'rtl' : 'ltr', isOverridden, children: [] });
    else open.at(-1)?.children.push(elementOf(ended));
    open.at(-1)?.children.push(isOverridden ? content.slice(OVERRIDE.length, -OVERRIDE_END.length) : content);
  }
  return <>{open[0]?.children}</>;
}

interface Isolate {
  readonly dir: 'ltr' | 'rtl' | undefined;
  /** Whether its characters have the direction of the isolate, not their own. */
  readonly isOverridden: boolean;
  readonly children: ComponentChildren[];
}

function elementOf({ dir, isOverridden, children }: Isolate) {
  return isOverridden ? <bdo dir={dir}>{children}</bdo> : <bdi dir={dir}>{children}</bdi>;
}

function Code({ code, name, label }: { readonly code: DrawnCode; readonly name: string; readonly label: string }) {
  const { width, height, path } = code;
  return (
    <svg class={name} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
