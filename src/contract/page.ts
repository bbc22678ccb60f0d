import * as z from 'zod';
import { PAGE_LIMIT_MAX } from '../core/limits.ts';
import { integer, text } from './values.ts';

/* Parameters and answers of every list. */

export const LIMIT_DEFAULT = 25;
/** A cursor of this service has about 150 characters, so a longer one is not valid. */
const CURSOR_LENGTH_MAX = 512;

/** Query parameters `limit` and `cursor`. */
export const pageRequest = {
  limit: integer(1, PAGE_LIMIT_MAX).default(LIMIT_DEFAULT),
  cursor: z.optional(text({ min: 1, max: CURSOR_LENGTH_MAX })),
};

const page = z
  .strictObject({
    nextCursor: z.nullable(z.string()).describe('Send it as `cursor` for the next page; null on the last page.'),
    hasMore: z.boolean().describe('Whether another page follows: the same as `nextCursor` not being null.'),
  })
  .meta({ id: 'Page' });

/** The answer of a list of `entry`. */
export function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.strictObject({ data: z.array(entry), page });
}
