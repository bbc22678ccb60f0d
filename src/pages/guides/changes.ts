import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { code } from '../reference/blocks.ts';
import { CHANGES_PAGE, renderPart } from '../reference/contents.ts';
import { renderInline } from '../reference/markdown.ts';
import { slugOf } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';

/** The changes of one version that callers of the API notice, by their kind: `Added`, `Changed`, `Fixed`. */
export interface Release {
  readonly name: string;
  readonly kinds: readonly { readonly kind: string; readonly changes: readonly string[] }[];
}

const TEXTS = {
  en: {
    title: 'Changes',
    lead: 'Every change of the interface that a caller can notice, the newest version first.',
    policy: 'What may change, and what never does',
    language: '',
    kinds: {},
  },
  ar: {
    title: 'التغييرات',
    lead: 'كل تغيير في الواجهة يمكن أن يلاحظه المستدعي، وأحدث الإصدارات أولًا.',
    policy: 'ما قد يتغير وما لا يتغير أبدًا',
    language: 'هذه القائمة بالإنجليزية.',
    kinds: { Added: 'إضافات', Changed: 'تغييرات', Fixed: 'إصلاحات', Removed: 'إزالات', Security: 'الأمان' },
  },
} as const satisfies Record<Locale, object>;

/** The page at `/changes`. */
export function changesPage(context: ReferenceContext): string {
  const { locale } = context;
  const text = TEXTS[locale];
  const releases = readChangelog(context.readText('CHANGELOG.md')).map(
    ({ name, kinds }) => html`<h2 id="${slugOf(name)}">${code(name)}</h2>
${kinds.map(({ kind, changes }) => html`<h3>${kindName(kind, locale)}</h3>\n${changeList(changes)}`)}`,
  );
  const main = html`<section class="chapter guide" aria-labelledby="changes">
<h1 id="changes">${text.title}</h1>
<p class="lead">${prose(text.lead, locale)} ${text.language}</p>
<p><a href="/docs/versions?lang=${locale}">${text.policy}</a></p>
${releases}</section>`;
  const { title, lead: description } = text;
  return renderPart(context, { here: CHANGES_PAGE, path: '/changes', title, description, main });
}

function kindName(kind: string, locale: Locale): string {
  const names: Readonly<Record<string, string>> = TEXTS[locale].kinds;
  return names[kind] ?? kind;
}

function changeList(changes: readonly string[]): Html {
  const items = changes.map((change) => html`<li>${renderInline(change, 'en')}</li>\n`);
  return html`<ul class="rules" lang="en" dir="ltr">${items}</ul>`;
}

/** Reads the changelog's Markdown. Entries for operators and contributors are left out. */
export function readChangelog(changelog: string): readonly Release[] {
  const releases = sectionsOf(changelog, '## ').map(({ title, text }) => ({
    name: title,
    kinds: sectionsOf(text, '### ')
      .map((section) => ({ kind: section.title, changes: entriesOf(section.text) }))
      .filter(({ changes }) => changes.length > 0),
  }));
  return releases.filter(({ kinds }) => kinds.length > 0);
}

function sectionsOf(text: string, mark: string): { readonly title: string; readonly text: string }[] {
  const [, ...sections] = `\n${text}`.split(`\n${mark}`);
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return end < 0 ? { title: section, text: '' } : { title: section.slice(0, end), text: section.slice(end) };
  });
}

const FOR_CALLERS = '*API*:';

/** One line for each entry. A part of an entry begins with its readers: `*API*: ... *Operators*: ...`. */
function entriesOf(text: string): string[] {
  const entries = text
    .split('\n- ')
    .slice(1)
    .map((entry) => entry.replace(/\s+/g, ' ').trim());
  const parts = entries.flatMap((entry) => entry.split(/(?=\*(?:API|Operators|Contributors)\*:)/));
  return parts
    .filter((part) => part.startsWith(FOR_CALLERS))
    .map((part) => onlyPublicLinks(part.slice(FOR_CALLERS.length).trim()));
}

/** Files of the repository are not on this site, so their names stay without a link. */
function onlyPublicLinks(entry: string): string {
  const plain = entry.replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
