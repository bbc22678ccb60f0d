import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { code, codeBlock, table } from '../reference/blocks.ts';
import type { GuideSlug } from '../reference/guide-titles.ts';
import type { ReferenceContext } from '../reference/samples.ts';

/** A page below `/docs/` about one subject. Its title is in `GUIDE_TITLES`. */
export interface Guide {
  readonly slug: GuideSlug;
  readonly blocks: Readonly<Record<Locale, (context: ReferenceContext) => readonly Block[]>>;
}

/** A part of a guide. A sentence may contain `code` and [links](/docs). */
export type Block = Html | string | Heading | List | Listing | Table;
export type Cell = Html | string;

interface Heading {
  readonly heading: string;
  readonly id: string;
}
interface List {
  readonly list: readonly string[];
}
interface Listing {
  readonly code: string;
  readonly label: string;
}
interface Table {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function renderBlocks(blocks: readonly Block[], locale: Locale): Html {
  return html`${blocks.map((block) => html`${renderBlock(block, locale)}\n`)}`;
}

function renderBlock(block: Block, locale: Locale): Html {
  if (typeof block === 'string') return html`<p>${inline(block, locale)}</p>`;
  if ('markup' in block) return block;
  if ('heading' in block) return html`<h2 id="${block.id}">${inline(block.heading, locale)}</h2>`;
  if ('list' in block)
    return html`<ul class="rules">${block.list.map((one) => html`<li>${inline(one, locale)}</li>`)}</ul>`;
  if ('code' in block) return codeBlock(block.code, block.label);
  const rows = block.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? inline(cell, locale) : cell)));
  return table(block.label, block.head, rows);
}

/** Code in backquotes, or a link with its text in brackets. */
const MARKUP = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** A sentence with its code and links. Links to our own pages keep the language. */
export function inline(sentence: string, locale: Locale): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of sentence.matchAll(MARKUP)) {
    const [whole, text, name = '', address = ''] = match;
    parts.push(prose(sentence.slice(end, match.index), locale));
    parts.push(
      text === undefined ? html`<a href="${inLanguage(address, locale)}">${inline(name, locale)}</a>` : code(text),
    );
    end = match.index + whole.length;
  }
  return html`${parts}${prose(sentence.slice(end), locale)}`;
}

const PAGE = /^\/(?:docs|problems|console|changes)\b/;

function inLanguage(address: string, locale: Locale): string {
  if (!PAGE.test(address)) return address;
  const [path = '', anchor] = address.split('#');
  return `${path}?lang=${locale}${anchor === undefined ? '' : `#${anchor}`}`;
}
