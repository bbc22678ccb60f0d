import type { Rows } from '../../db/database.ts';

/**
 * Reads at most `limit` rows, and fewer where they are too long for the server to send at once. Undefined when the
 * database did not answer.
 */
export async function readUpTo<Row>(
  limit: number,
  read: (limit: number) => Promise<Rows<Row>>,
): Promise<Row[] | undefined> {
  for (let asked = limit; ; asked = Math.ceil(asked / 2)) {
    const answer = await read(asked);
    if (answer.ok) return answer.rows;
    if (answer.isTooLarge !== true || asked === 1) return undefined;
  }
}
