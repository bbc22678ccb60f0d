import { and, eq, inArray, sql } from 'drizzle-orm';
import { companies } from '../../../db/directory/schema/companies.ts';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Review } from '../../contract/registration-state.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of companies: their shards in the directory, and their settings in their shard. */

const selectCompany = read({ id: companies.id, shard: companies.shard }, (columns) =>
  queries
    .select(columns)
    .from(companies)
    .where(eq(companies.id, placeholder('id'))),
);
/** The shard of a company, for operators. */
export function companyById(id: Uuid) {
  return selectCompany({ id });
}

/** The company in the directory. It exists as soon as its registration is completed. */
export function companyOf(scope: CompanyScope) {
  return selectCompany({ id: scope.companyId });
}

const selectName = read({ name: companies.name }, (columns) =>
  queries
    .select(columns)
    .from(companies)
    .where(eq(companies.id, placeholder('companyId'))),
);
/** The name of the company. */
export function companyName(scope: CompanyScope) {
  return selectName({ companyId: scope.companyId });
}

const updateVatNumber = write(
  queries
    .update(companies)
    .set({ vatNumber: sql`${placeholder('vatNumber')}` })
    .where(eq(companies.id, placeholder('companyId'))),
  { mustChange: true },
);
export function vatNumberUpdate(scope: CompanyScope, vatNumber: string | null) {
  return updateVatNumber({ companyId: scope.companyId, vatNumber });
}

const selectNames = read({ id: companies.id, name: companies.name }, (columns) =>
  queries
    .select(columns)
    .from(companies)
    .where(sql`${companies.id} in (select value from json_each(${placeholder('ids')}))`),
);
/** The names of companies, for operators. */
export function companyNamesByIds(ids: readonly Uuid[]) {
  return selectNames({ ids: JSON.stringify(ids) });
}

/** Reviews of companies that are not approved. A company without a review counts as approved. */
const NOT_APPROVED = ['PENDING', 'REJECTED'] as const satisfies readonly Review[];
export const isNotApproved = inArray(companySettings.review, NOT_APPROVED);

const selectBarred = read({ review: companySettings.review }, (columns) =>
  queries
    .select(columns)
    .from(companySettings)
    .where(and(eq(companySettings.companyId, placeholder('companyId')), isNotApproved)),
);
/** The review of the company in its shard, if it is not approved: it may not create shipments or send invitations. */
export function barringReview(scope: CompanyScope) {
  return selectBarred({ companyId: scope.companyId });
}
