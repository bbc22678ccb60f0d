import { check, sqliteTable } from 'drizzle-orm/sqlite-core';
import { REVIEWS } from '../../../src/contract/registration-state.ts';
import { APPROVAL_POLICIES } from '../../../src/contract/shipment-state.ts';
import { isOneOf, oneOf, uuid } from '../../columns.ts';

/** Settings of a company in its shard. A company without a row has the defaults. */
export const companySettings = sqliteTable(
  'company_settings',
  {
    companyId: uuid('company_id').primaryKey(),
    approvalPolicy: oneOf(APPROVAL_POLICIES)('approval_policy').notNull(),
    /** The company's review in the directory. It may create shipments if this is APPROVED or null. */
    review: oneOf(REVIEWS)(),
  },
  (table) => [check('company_settings_approval_policy', isOneOf(table.approvalPolicy, APPROVAL_POLICIES))],
);
