import type { Database, Rows } from '../../db/database.ts';
import type { ReadStatement } from '../../db/statement.ts';
import type { ProblemCode } from '../core/catalogue.ts';
import { ok, type Result, refuse, unavailable } from '../core/result.ts';

/**
 * The one row that a statement finds. `missing` is the refusal if there is none; 503 if the database does not answer.
 */
export async function readRow<Row>(
  database: Database,
  statement: ReadStatement<Row>,
  missing: ProblemCode,
): Promise<Result<Row>> {
  const answer = await database.read(statement);
  if (!answer.ok) return unavailable();
  const [row] = answer.rows;
  return row === undefined ? refuse(missing) : ok(row);
}

/**
 * Reads at most `limit` rows, and fewer if the rows are too long for one response of the server. Undefined if the
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
