import { type SQL, sql } from 'drizzle-orm';
import { placeholder } from '../../../db/statement.ts';

/*
 * Positions of a company's events. The index of the feed has them by type, so those of each type are merged. Types are read
 * from the index and not from this version's list: a newer version may have written events of others.
 */

/** The events that merchants still read. Part of each condition, because the indexes have only these. */
export const isKept = sql.raw('body is not null');

const ofCompany = sql`company_id = ${placeholder('companyId')} and ${isKept}`;
/** The types of the company's events, found by skipping from one to the next. */
const presentTypes = sql`(with recursive present(type) as (
    select min(type) from events where ${ofCompany}
    union all
    select (select min(type) from events where ${ofCompany} and type > present.type) from present where present.type is not null
  ) select type from present where type is not null)`;

/** The first of these events of the company, in their order. `condition` compares positions. */
export function firstPositions(condition: SQL, limit: SQL, types: SQL = presentTypes): SQL {
  const ofType = sql`select position from events where ${ofCompany} and type = one.type and ${condition} order by position limit ${limit}`;
  return sql`(select each.position from ${types} as one cross join events as each on each.position in (${ofType}) order by each.position limit ${limit})`;
}

/** The first position of the company that fulfils a condition on positions, or null. */
export function firstPosition(condition: SQL): SQL {
  return sql`(select min((select min(position) from events where ${ofCompany} and type = one.type and ${condition})) from ${presentTypes} as one)`;
}

/** The last position of the company, or null. */
export const lastPosition = sql`(select max((select max(position) from events where ${ofCompany} and type = one.type)) from ${presentTypes} as one)`;
