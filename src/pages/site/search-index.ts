import { PROBLEM_CODES, PROBLEMS } from '../../core/catalogue.ts';
import { problemSlug } from '../../core/problem-code.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import type { Block } from '../guides/guide.ts';
import { GUIDE_PAGES } from '../guides/guides.ts';
import { PROBLEM_TEXTS } from '../problems/page.ts';
import { ARABIC_PURPOSES } from '../reference/arabic.ts';
import { groupName, operationAddress } from '../reference/contents.ts';
import type { Schema } from '../reference/document.ts';
import { listFields } from '../reference/fields.ts';
import { answeredObjects, OBJECTS_PAGE } from '../reference/group-page.ts';
import { GUIDES } from '../reference/guide-texts.ts';
import { GUIDE_TITLES } from '../reference/guide-titles.ts';
import { objectAnchor } from '../reference/operation-section.ts';
import { groupOperations } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Found } from '../reference/search.ts';
import { FRAME } from '../reference/texts.ts';
import { WEBHOOK_GUIDE } from '../reference/webhook-texts.ts';

/** Everything that the search of the reference finds: guides first, then operations, objects and problems. */
export function searchIndex(context: ReferenceContext): readonly Found[] {
  return [...chapters(context), ...guides(context), ...operations(context), ...objects(context), ...problems(context)];
}

function chapters({ locale }: ReferenceContext): readonly Found[] {
  const [frame, guide, webhooks] = [FRAME[locale], GUIDES[locale], WEBHOOK_GUIDE[locale]];
  const first = [guide.firstIntro, guide.ownIntro, guide.sandboxIntro, guide.setUp, guide.steps];
  return [
    { anchor: 'first-shipment', title: guide.first, texts: first },
    { anchor: 'webhooks', title: webhooks.title, texts: webhooks },
    { anchor: 'errors', title: guide.errors, texts: [guide.errorsIntro, guide.rules, guide.retriesIntro] },
    { anchor: 'lifecycle', title: frame.lifecycle, texts: frame.lifecycleIntro },
  ].map(({ anchor, title, texts }) => {
    return { title, address: `/docs?lang=${locale}#${anchor}`, words: wordsIn(texts) };
  });
}

/** The guides, and each of their headings with the paragraphs below it. */
function guides(context: ReferenceContext): readonly Found[] {
  const { locale } = context;
  return GUIDE_PAGES.flatMap(({ slug, blocks }) => {
    const address = `/docs/${slug}?lang=${locale}`;
    const { title, lead } = GUIDE_TITLES[slug][locale];
    const sections: { found: Found; texts: Block[] }[] = [{ found: { title, address }, texts: [lead] }];
    for (const block of blocks[locale](context)) {
      if (typeof block === 'object' && 'heading' in block) {
        const found = { title: block.heading.replaceAll('`', ''), address: `${address}#${block.id}`, note: title };
        sections.push({ found, texts: [] });
      } else if (typeof block === 'string' || !('code' in block)) sections.at(-1)?.texts.push(block);
    }
    return sections.map(({ found, texts }) => ({ ...found, words: wordsIn(texts) }));
  });
}

/** Operations are found by their English purpose in both languages, and by the fields and parameters of their requests. */
function operations({ document, locale }: ReferenceContext): readonly Found[] {
  return groupOperations(document).flatMap((group) =>
    group.operations.map((operation) => {
      const { id = '', method, path, purpose, description, parameters, body } = operation;
      const arabic = locale === 'ar' ? ARABIC_PURPOSES[id] : undefined;
      const names = parameters.map(({ name = '' }) => name);
      const fields = body?.content.schema === undefined ? [] : namesIn(document, body.content.schema);
      return {
        title: arabic ?? purpose,
        address: operationAddress(group, operation, locale),
        ...(arabic === undefined ? {} : { also: purpose }),
        note: `${method} ${path}`,
        words: wordsIn([id, groupName(group, locale).plain, description, partsOf([...names, ...fields])]),
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

function problems({ locale }: ReferenceContext): readonly Found[] {
  return PROBLEM_CODES.map((code) => {
    const { status, title, detail } = PROBLEMS[code];
    return {
      title: code,
      address: `/problems/${problemSlug(code)}?lang=${locale}`,
      note: `${status} ${title[locale]}`,
      words: wordsIn([detail[locale], PROBLEM_TEXTS[locale][code]]),
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
