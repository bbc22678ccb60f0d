import { check, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ADDRESS_POLICIES } from '../../../src/contract/address-state.ts';
import { REVIEWS } from '../../../src/contract/registration-state.ts';
import { APPROVAL_POLICIES } from '../../../src/contract/shipment-state.ts';
import { decimal, isOneOf, oneOf, uuid } from '../../columns.ts';

/** Settings of a company in its shard. A company without a row has the defaults. */
export const companySettings = sqliteTable(
  'company_settings',
  {
    companyId: uuid('company_id').primaryKey(),
    approvalPolicy: oneOf(APPROVAL_POLICIES)('approval_policy').notNull(),
    /** The company's review in the directory. It may create shipments if this is APPROVED or null. */
    review: oneOf(REVIEWS)(),
    /** For the shipments that the company creates from now on. Null: the default of the deployment. */
    addressPolicy: oneOf(ADDRESS_POLICIES)('address_policy'),
    /** The most that a recipient's change may cost the company without its decision, in SAR with VAT. Null: nothing. */
    recipientAmendmentLimit: decimal('recipient_amendment_limit'),
    /** JSON of the ProofTerms that an operator has set. Null: those of the deployment. */
    proofTerms: text('proof_terms'),
  },
  (table) => [check('company_settings_approval_policy', isOneOf(table.approvalPolicy, APPROVAL_POLICIES))],
);
