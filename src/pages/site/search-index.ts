import { PROBLEM_CODES } from '../../core/catalogue.ts';
import { problemSlug } from '../../core/problem-code.ts';
import { GUIDE_PAGES } from '../guides/guides.ts';
import { ARABIC_PURPOSES } from '../reference/arabic.ts';
import { groupName, operationAddress } from '../reference/contents.ts';
import { GUIDES } from '../reference/guide-texts.ts';
import { GUIDE_TITLES } from '../reference/guide-titles.ts';
import { groupOperations } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Found } from '../reference/search.ts';
import { FRAME } from '../reference/texts.ts';
import { WEBHOOK_GUIDE } from '../reference/webhook-texts.ts';

/** Everything that the search of the reference finds: guides first, then operations and problems. */
export function searchIndex(context: ReferenceContext): readonly Found[] {
  return [...chapters(context), ...guides(context), ...operations(context), ...problems(context)];
}

function chapters({ locale }: ReferenceContext): readonly Found[] {
  const text = FRAME[locale];
  const titles = {
    'first-shipment': GUIDES[locale].first,
    webhooks: WEBHOOK_GUIDE[locale].title,
    errors: GUIDES[locale].errors,
    lifecycle: text.lifecycle,
  };
  return Object.entries(titles).map(([anchor, title]) => ({ title, address: `/docs?lang=${locale}#${anchor}` }));
}

/** The guides with their headings. */
function guides(context: ReferenceContext): readonly Found[] {
  const { locale } = context;
  return GUIDE_PAGES.flatMap(({ slug, blocks }) => {
    const address = `/docs/${slug}?lang=${locale}`;
    const { title, lead } = GUIDE_TITLES[slug][locale];
    const headings = blocks[locale](context).flatMap((block) =>
      typeof block === 'object' && 'heading' in block
        ? [{ title: block.heading.replaceAll('`', ''), address: `${address}#${block.id}`, note: title }]
        : [],
    );
    return [{ title, address, words: lead }, ...headings];
  });
}

/** Operations are found by their English purpose in both languages. */
function operations({ document, locale }: ReferenceContext): readonly Found[] {
  return groupOperations(document).flatMap((group) =>
    group.operations.map((operation) => {
      const { id = '', method, path, purpose } = operation;
      const arabic = locale === 'ar' ? ARABIC_PURPOSES[id] : undefined;
      return {
        title: arabic ?? purpose,
        address: operationAddress(group, operation, locale),
        note: `${method} ${path}`,
        words: [id, groupName(group, locale).plain, ...(arabic === undefined ? [] : [purpose])].join(' '),
      };
    }),
  );
}

function problems({ locale }: ReferenceContext): readonly Found[] {
  return PROBLEM_CODES.map((code) => ({
    title: code,
    address: `/problems/${problemSlug(code)}?lang=${locale}`,
    words: code.replaceAll('_', ' '),
  }));
}
