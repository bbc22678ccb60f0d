import type { Locale } from '../core/locale.ts';

export interface TextSource {
  readonly locale: Locale;
  /** Reads a file of the repository. */
  readonly readText: (path: string) => string;
}

/** A page in one language, as `docs/site` has it. */
export interface SiteText {
  /** From the root of the repository. */
  readonly path: string;
  /** The front matter: title, lead, and words of computed tables. */
  readonly words: Readonly<Record<string, string>>;
  readonly body: string;
  /** Lines above the body. */
  readonly bodyLine: number;
}

/** The folder of all texts. */
export const TEXTS = 'docs/site';

/** What the reference begins with. It only leads to guides and operations, so searches do not find it. */
export const OVERVIEW: Chapter = { slug: 'what-you-can-do', anchor: 'what-you-can-do' };

export interface Chapter {
  readonly slug: string;
  readonly anchor: string;
}

/** The chapters of the first page of the reference, with their anchors there. */
export const CHAPTERS = [
  { slug: 'first-shipment', anchor: 'first-shipment' },
  { slug: 'receiving-webhooks', anchor: 'webhooks' },
  { slug: 'errors', anchor: 'errors' },
] as const;

/** The guides with pages of their own below `/docs/`, in the order of the table of contents. */
export const GUIDES = [
  'clients',
  'generate-client',
  'tested-clients',
  'retries',
  'polling-events',
  'entity-tags',
  'recipients',
  'cash',
  'proof',
  'after-failure',
  'answer-complaints',
  'limits',
  'versions',
  'requirements',
  'vat',
  'glossary',
  'support',
] as const;

/** All that is also answered as Markdown, at `/docs/{slug}.md`. */
export const MARKDOWN_GUIDES: readonly string[] = [...CHAPTERS.map(({ slug }) => slug), ...GUIDES];

/** What stands between two braces is a value from the code. */
export const PLACEHOLDER = /\{\{([^{}\n]*)\}\}/g;

const FRONT_MATTER = /^---\n([^]*?)\n---\n/;

/** Reads a page, such as `guides/retries`. */
export function siteText({ readText, locale }: TextSource, name: string): SiteText {
  const path = textPath(name, locale);
  const source = readText(path);
  const [front = '', lines = ''] = FRONT_MATTER.exec(source) ?? [];
  const words = lines.split('\n').map((line): [string, string] => {
    const at = line.indexOf(': ');
    return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 2)];
  });
  return {
    path,
    words: lines === '' ? {} : Object.fromEntries(words),
    body: source.slice(front.length),
    bodyLine: front.split('\n').length - 1,
  };
}

export function textPath(name: string, locale: Locale): string {
  return `${TEXTS}/${name}.${locale}.md`;
}

/** A word of the front matter. */
export function wordOf({ path, words }: Pick<SiteText, 'path' | 'words'>, name: string): string {
  const word = words[name];
  if (word === undefined) throw new Error(`${path}:1: The front matter has no ${name}`);
  return word;
}

/** A block of code. Its label is read out by screen readers. */
export function fence(label: string, code: string): string {
  return `\`\`\`${label}\n${code}\n\`\`\``;
}

export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
