import { PROBLEM_CODES, PROBLEMS } from '../../core/catalogue.ts';
import { problemSlug } from '../../core/problem-code.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { readGuide } from '../guides/guide.ts';
import { problemText } from '../problems/page.ts';
import { arabicName } from '../reference/arabic.ts';
import { groupName, operationAddress } from '../reference/contents.ts';
import type { Schema } from '../reference/document.ts';
import { listFields } from '../reference/fields.ts';
import { answeredObjects, OBJECTS_PAGE } from '../reference/group-page.ts';
import { sectionsOf, wordsOf } from '../reference/markdown.ts';
import { objectAnchor } from '../reference/operation-section.ts';
import { groupOperations } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Found } from '../reference/search.ts';
import { FRAME } from '../reference/words.ts';
import { CHAPTERS, GUIDES } from '../text.ts';

/** Everything that the search of the reference finds: guides first, then operations, objects and problems. */
export function searchIndex(context: ReferenceContext): readonly Found[] {
  return [...chapters(context), ...guides(context), ...operations(context), ...objects(context), ...problems(context)];
}

function chapters(context: ReferenceContext): readonly Found[] {
  const { locale } = context;
  const { lifecycle, lifecycleIntro } = FRAME[locale];
  const texts = CHAPTERS.map(({ slug, anchor }) => {
    const { title, body } = readGuide(context, slug);
    return { anchor, title, text: wordsOf(body) };
  });
  return [...texts, { anchor: 'lifecycle', title: lifecycle, text: lifecycleIntro }].map(({ anchor, title, text }) => {
    return { title, address: `/docs?lang=${locale}#${anchor}`, words: wordsIn(text) };
  });
}

/** The guides, and each of their headings with the paragraphs below it. */
function guides(context: ReferenceContext): readonly Found[] {
  const { locale } = context;
  return GUIDES.flatMap((slug) => {
    const address = `/docs/${slug}?lang=${locale}`;
    const { title, lead, body } = readGuide(context, slug);
    return sectionsOf(body).map((section) => ({
      title: (section.title ?? title).replaceAll('`', ''),
      address: section.id === undefined ? address : `${address}#${section.id}`,
      ...(section.id === undefined ? {} : { note: title }),
      words: wordsIn([section.id === undefined ? lead : '', wordsOf(section.body)]),
    }));
  });
}

/** Operations are found by their English purpose in both languages, and by the fields and parameters of their requests. */
function operations(context: ReferenceContext): readonly Found[] {
  const { document, locale } = context;
  return groupOperations(document).flatMap((group) =>
    group.operations.map((operation) => {
      const { id = '', method, path, purpose, description, parameters, body } = operation;
      const arabic = arabicName(context, id);
      const names = parameters.map(({ name = '' }) => name);
      const fields = body?.content.schema === undefined ? [] : namesIn(document, body.content.schema);
      return {
        title: arabic ?? purpose,
        address: operationAddress(group, operation, locale),
        ...(arabic === undefined ? {} : { also: purpose }),
        note: `${method} ${path}`,
        words: wordsIn([id, groupName(context, group).plain, description, partsOf([...names, ...fields])]),
      };
    }),
  );
}

/** The objects in responses, by the names of their fields. */
function objects({ document, locale }: ReferenceContext): readonly Found[] {
  return answeredObjects(document).map((name) => {
    const schema = document.components?.schemas?.[name] ?? {};
    return {
      title: name,
      address: `/docs/${OBJECTS_PAGE}?lang=${locale}#${objectAnchor(name)}`,
      note: FRAME[locale].objects,
      words: wordsIn([schema.description, partsOf([name, ...namesIn(document, schema)])]),
    };
  });
}

function problems(context: ReferenceContext): readonly Found[] {
  const { locale } = context;
  return PROBLEM_CODES.map((code) => {
    const { status, title, detail } = PROBLEMS[code];
    return {
      title: code,
      address: `/problems/${problemSlug(code)}?lang=${locale}`,
      note: `${status} ${title[locale]}`,
      words: wordsIn([detail[locale], problemText({ ...context, code })]),
    };
  });
}

/** The last names in the paths of fields: `quantity` for `items[].quantity`. */
function namesIn(document: ReferenceContext['document'], schema: Schema): readonly string[] {
  return listFields(document, schema).map(({ path }) => path.slice(path.lastIndexOf('.') + 1).replace('[]', ''));
}

/** Names with their parts, so that `reference` finds `externalReference`. */
function partsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')]);
}

/** The different words of texts, without markup. */
function wordsIn(texts: unknown): string {
  const words = foldedOf(textIn(texts))
    .split(/[\s,;()[\]«»“”"'’`|]+/)
    .map((word) => word.replace(/[.:!?،؛]+$/, ''));
  return [...new Set(words)].filter((word) => /[\p{L}\p{N}]/u.test(word)).join(' ');
}

/** All strings in a value. Tags and the addresses of links are left out. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll(/<[^>]*>|\]\([^)]*\)/g, ' ');
  return typeof value === 'object' && value !== null ? Object.values(value).map(textIn).join(' ') : '';
}
