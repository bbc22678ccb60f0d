import { limitText } from '../limits.ts';
import { PLACEHOLDER, siteText } from '../text.ts';
import type { ReferenceContext } from './samples.ts';

/** The names of groups and operations in Arabic. The OpenAPI document has the English ones. */
export const ARABIC_NAMES = 'pages/operations';

type Words = Readonly<Record<string, string>>;
const known = new WeakMap<ReferenceContext, Words>();

/** The Arabic name of a group or an operation, or undefined if the page is English or there is none. */
export function arabicName(context: ReferenceContext, name: string): string | undefined {
  if (context.locale !== 'ar') return undefined;
  const words = known.get(context) ?? siteText(context, ARABIC_NAMES).words;
  known.set(context, words);
  return words[name]?.replaceAll(PLACEHOLDER, (mark, limit: string) => limitText(limit, 'ar') ?? mark);
}
