import { Marked, type MarkedToken, type Token, type Tokens } from 'marked';
import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { code, codeBlock, table } from './blocks.ts';
import { slugOf } from './operations.ts';
import { sampleChoice } from './samples.ts';

/** Addresses are links only where the text says so. */
const markdown = new Marked({ gfm: true, tokenizer: { url: () => undefined } });

/** A heading with its anchor, as in `## Timeouts {#timeouts}`. */
export const HEADING = /^(#{2,3}) +(.+?) +\{#([\w.-]+)\}$/gm;

/** A part of a text: a heading, and the Markdown below it. The first part has no heading. */
export interface Section {
  readonly title: string | undefined;
  readonly id: string | undefined;
  readonly body: string;
}

export function sectionsOf(text: string): readonly Section[] {
  const headings = [...text.matchAll(HEADING)];
  const first = { title: undefined, id: undefined, body: text.slice(0, headings[0]?.index) };
  return [
    first,
    ...headings.map(([line, , title, id], at) => {
      const start = (headings[at]?.index ?? 0) + line.length;
      return { title, id, body: text.slice(start, headings[at + 1]?.index) };
    }),
  ];
}

/** The text without its blocks of code, its anchors and most marks. */
export function wordsOf(text: string): string {
  return text
    .replaceAll(CODE_BLOCK, '')
    .replaceAll(HEADING, '$2')
    .replaceAll(/\*\*|\\(?=[\\<>*_[\]])/g, '');
}

export const CODE_BLOCK = /^ *```[^]*?^ *```$/gm;

/** The Markdown that texts may use, as HTML. */
export function renderMarkdown(text: string, locale: Locale): Html {
  return renderBlocks(markdown.lexer(text), { locale, heading: '' });
}

/** Markdown within one line. */
export function renderInline(text: string, locale: Locale): Html {
  return inline(markdown.Lexer.lexInline(text), locale);
}

interface Place {
  readonly locale: Locale;
  /** The heading above, which names tables for screen readers. */
  readonly heading: string;
}

function renderBlocks(tokens: readonly Token[], place: Place): Html {
  const parts: Html[] = [];
  let heading = place.heading;
  const blocks = tokens.filter((token) => token.type !== 'space');
  for (let at = 0; at < blocks.length; at += 1) {
    const samples = samplesFrom(blocks, at);
    const token = blocks[at];
    if (samples.length > 1) {
      parts.push(choiceOf(samples));
      at += samples.length - 1;
    } else if (token !== undefined) {
      if (is(token, 'heading')) heading = headingOf(token).title;
      parts.push(renderBlock(token, { ...place, heading }));
    }
  }
  return html`${parts.map((part, index) => html`${index === 0 ? '' : '\n'}${part}`)}`;
}

function renderBlock(token: Token, place: Place): Html {
  if (is(token, 'heading')) {
    const { title, id } = headingOf(token);
    const content = renderInline(title, place.locale);
    return token.depth === 2 ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`;
  }
  if (is(token, 'paragraph')) return html`<p>${inline(token.tokens, place.locale)}</p>`;
  if (is(token, 'text')) return inline(token.tokens ?? [token], place.locale);
  if (is(token, 'code')) return codeBlock(token.text, token.lang ?? '');
  if (is(token, 'list')) return listOf(token, place);
  if (is(token, 'table')) return tableOf(token, place);
  throw new Error(`Texts have no markup for ${token.type}: ${token.raw}`);
}

function headingOf({ raw, text }: Tokens.Heading): { readonly title: string; readonly id: string } {
  const [section] = [...raw.trim().matchAll(HEADING)];
  if (section === undefined) throw new Error(`A heading needs an anchor: ${text}`);
  const [, , title = '', id = ''] = section;
  return { title, id };
}

/** Steps have paragraphs and code, rules are sentences. A list whose entries begin in bold explains words. */
function listOf({ ordered, loose, items }: Tokens.List, place: Place): Html {
  const terms = ordered ? [] : items.flatMap((item) => termOf(item, place.locale));
  if (terms.length === items.length) return html`<dl class="facts">${terms}</dl>`;
  const entries = items.map(({ tokens }) => html`<li>${renderBlocks(tokens, place)}</li>\n`);
  if (!ordered) return html`<ul class="rules">${entries}</ul>`;
  return loose ? html`<ol class="steps">${entries}</ol>` : html`<ol class="rules">${entries}</ol>`;
}

function termOf({ tokens }: Tokens.ListItem, locale: Locale): readonly Html[] {
  const [block] = tokens;
  const [term, first, ...rest] = (block !== undefined && is(block, 'text') ? block.tokens : undefined) ?? [];
  if (term === undefined || first === undefined || !is(term, 'strong') || !is(first, 'text')) return [];
  const meaning = [{ ...first, text: first.text.replace(/^:\s+/, '') }, ...rest];
  return [html`<div><dt>${inline(term.tokens, locale)}</dt><dd>${inline(meaning, locale)}</dd></div>\n`];
}

function tableOf({ header, rows }: Tokens.Table, { locale, heading }: Place): Html {
  const head = header.map(({ text }) => text);
  const cells = rows.map((row) => row.map(({ tokens }) => inline(tokens, locale, true)));
  return table(heading.replaceAll('`', ''), head, cells);
}

/** Blocks of code one after another with the same label, as in `curl POST /oauth/token`: one sample in several languages. */
function samplesFrom(blocks: readonly Token[], start: number): readonly Sample[] {
  const samples = blocks.slice(start).map((token) => {
    const [language = '', ...label] = (is(token, 'code') ? (token.lang ?? '') : '').split(' ');
    return { language, label: label.join(' '), code: is(token, 'code') ? token.text : '' };
  });
  const label = samples[0]?.label ?? '';
  const end = samples.findIndex((sample) => sample.label !== label);
  return label === '' ? [] : samples.slice(0, end < 0 ? undefined : end);
}

interface Sample {
  readonly language: string;
  readonly label: string;
  readonly code: string;
}

function choiceOf(samples: readonly Sample[]): Html {
  const label = samples[0]?.label ?? '';
  return sampleChoice(slugOf(label), label, samples);
}

function inline(tokens: readonly Token[], locale: Locale, isCell = false): Html {
  const parts: Html[] = [];
  let language = locale;
  for (const token of tokens) {
    if (token.raw === ENGLISH_START || token.raw === ENGLISH_END) {
      language = token.raw === ENGLISH_START ? 'en' : locale;
      parts.push(token.raw === ENGLISH_START ? html`<span lang="en" dir="ltr">` : html`</span>`);
    } else parts.push(inlinePart(token, language, isCell));
  }
  return html`${parts}`;
}

/** What stands around a text that exists in English only. */
export const ENGLISH_START = '<span lang="en" dir="ltr">';
export const ENGLISH_END = '</span>';

function inlinePart(token: Token, locale: Locale, isCell: boolean): Html {
  if (is(token, 'text') || is(token, 'escape')) return prose(token.text.replaceAll(/\s+/g, ' '), locale);
  if (is(token, 'codespan')) return isCell && token.text.startsWith('/') ? pathOf(token.text) : code(token.text);
  if (is(token, 'strong')) return html`<strong>${inline(token.tokens, locale)}</strong>`;
  if (is(token, 'link')) {
    return html`<a href="${inLanguage(token.href, locale)}">${inline(token.tokens, locale)}</a>`;
  }
  throw new Error(`Texts have no markup for ${token.type}: ${token.raw}`);
}

/** A path may break before each of its parts. */
function pathOf(path: string): Html {
  const parts = path.split('/').slice(1);
  return html`<bdi dir="ltr"><code>${parts.map((part) => html`<wbr>/${part}`)}</code></bdi>`;
}

const PAGE = /^\/(?:$|(?:changes|console|docs|driver|problems)\b)/;

/** Links to our own pages keep the language. */
function inLanguage(address: string, locale: Locale): string {
  if (!PAGE.test(address)) return address;
  const [path = '', anchor] = address.split('#');
  return `${path}?lang=${locale}${anchor === undefined ? '' : `#${anchor}`}`;
}

function is<Type extends MarkedToken['type']>(token: Token, type: Type): token is Extract<MarkedToken, { type: Type }> {
  return token.type === type;
}
