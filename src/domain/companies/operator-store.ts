import { and, asc, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { companies, companySuspensions } from '../../../db/directory/schema/companies.ts';
import { credentials } from '../../../db/directory/schema/credentials.ts';
import { people } from '../../../db/directory/schema/people.ts';
import { registrations } from '../../../db/directory/schema/registrations.ts';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { companyMoves } from '../../../db/shard/schema/moves.ts';
import { columnsOf, placeholder, queries, read, variants, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressPolicy } from '../../contract/address-state.ts';
import type { CompanyState } from '../../contract/operator-company.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of operators who look at companies, suspend and resume them. */

const listedColumns = {
  id: companies.id,
  name: companies.name,
  shard: companies.shard,
  createdAt: companies.createdAt,
  suspendedSince: companySuspensions.since,
  commercialRegistrationNumber: registrations.commercialRegistrationNumber,
};
const isSuspension = and(eq(companySuspensions.companyId, companies.id), isNull(companySuspensions.endedAt));
// A draft already has the id of its company.
const isRegistration = and(eq(registrations.companyId, companies.id), eq(registrations.state, 'COMPLETED'));

/** What a search compares. */
export type CompanySearch = 'all' | 'name' | 'companyId' | 'commercialRegistrationNumber';
const MATCHES: Readonly<Record<CompanySearch, SQL | undefined>> = {
  all: undefined,
  name: sql`instr(${companies.foldedName}, ${placeholder('text')}) > 0`,
  companyId: eq(companies.id, placeholder('text')),
  commercialRegistrationNumber: eq(registrations.commercialRegistrationNumber, placeholder('text')),
};
const STATES: Readonly<Record<CompanyState | 'any', SQL | undefined>> = {
  any: undefined,
  ACTIVE: isNull(companySuspensions.since),
  SUSPENDED: isNotNull(companySuspensions.since),
};
const selectPage = variants((by: CompanySearch, state: CompanyState | 'any', isBehind: boolean) =>
  read(listedColumns, (columns) =>
    queries
      .select(columns)
      .from(companies)
      .leftJoin(companySuspensions, isSuspension)
      .leftJoin(registrations, isRegistration)
      .where(and(MATCHES[by], STATES[state], isBehind ? lt(companies.id, placeholder('after')) : undefined))
      .orderBy(desc(companies.id))
      .limit(placeholder('limit')),
  ),
);
export interface CompanyQuery {
  readonly by: CompanySearch;
  readonly text: string;
  readonly state: CompanyState | undefined;
}
export type ListedCompanyRow = ReturnType<ReturnType<ReturnType<typeof selectPage>>['decode']>;
/** Companies, newest first: ids begin with the time. */
export function companyPage({ by, text, state }: CompanyQuery, after: string | undefined, limit: number) {
  const select = selectPage(by, state ?? 'any', after !== undefined);
  return select({ text, limit, ...(after === undefined ? {} : { after }) });
}

const detailColumns = {
  ...listedColumns,
  registrationId: registrations.id,
  review: registrations.review,
  peopleCount: companySuspensions.version,
};
const selectDetail = read(detailColumns, (columns) =>
  queries
    .select({
      ...columns,
      peopleCount: sql`(select count(*) from company_members m where m.company_id = ${companies.id})`.as('people'),
    })
    .from(companies)
    .leftJoin(companySuspensions, isSuspension)
    .leftJoin(registrations, isRegistration)
    .where(eq(companies.id, placeholder('companyId'))),
);
/** A company as operators see it, in the directory. */
export function companyInDetail(scope: CompanyScope) {
  return selectDetail({ companyId: scope.companyId });
}

/** More than the console shows at once. */
const SUSPENSIONS_MAX = 20;
const nameOf = (operator: typeof companySuspensions.suspendedBy | typeof companySuspensions.endedBy) =>
  sql`(select p.full_name from people p where p.id = ${operator})`;
const suspensionColumns = {
  ...columnsOf(companySuspensions),
  suspendedByName: people.fullName,
  endedByName: people.fullName,
};
const selectSuspensions = read(suspensionColumns, (columns) =>
  queries
    .select({
      ...columns,
      suspendedByName: nameOf(companySuspensions.suspendedBy).as('suspended_by_name'),
      endedByName: nameOf(companySuspensions.endedBy).as('ended_by_name'),
    })
    .from(companySuspensions)
    .where(eq(companySuspensions.companyId, placeholder('companyId')))
    .orderBy(desc(companySuspensions.version))
    .limit(placeholder('limit')),
);
export type SuspensionRow = ReturnType<ReturnType<typeof selectSuspensions>['decode']>;
/** The suspensions of a company, newest first, with the names of the operators. */
export function suspensionsOf(scope: CompanyScope, limit: number = SUSPENSIONS_MAX) {
  return selectSuspensions({ companyId: scope.companyId, limit });
}

/** A company has one client; a few more at most. */
const CREDENTIALS_MAX = 20;
const selectCredentials = read({ clientId: credentials.clientId, lastUsedAt: credentials.lastUsedAt }, (columns) =>
  queries
    .select(columns)
    .from(credentials)
    .where(and(eq(credentials.companyId, placeholder('companyId')), isNull(credentials.deletedAt)))
    .orderBy(asc(credentials.createdAt))
    .limit(CREDENTIALS_MAX),
);
/** The clients of a company's systems. */
export function clientsOf(scope: CompanyScope) {
  return selectCredentials({ companyId: scope.companyId });
}

const policyColumns = {
  approvalPolicy: companySettings.approvalPolicy,
  addressPolicy: companySettings.addressPolicy,
  proofTerms: companySettings.proofTerms,
};
const selectPolicies = read(policyColumns, (columns) =>
  queries
    .select(columns)
    .from(companySettings)
    .where(eq(companySettings.companyId, placeholder('companyId'))),
);
/** Who approves the company's shipments, what they need of a National Address and what they prove. No row, or null, means the default. */
export function policiesOf(scope: CompanyScope) {
  return selectPolicies({ companyId: scope.companyId });
}

const upsertApprovalPolicy = write(
  queries
    .insert(companySettings)
    .values({ companyId: placeholder('companyId'), approvalPolicy: placeholder('approvalPolicy') })
    .onConflictDoUpdate({
      target: companySettings.companyId,
      set: { approvalPolicy: sql`excluded.approval_policy` },
    }),
);
/** Sets who approves the company's shipments from now on. */
export function approvalPolicyUpsert(scope: CompanyScope, approvalPolicy: ApprovalPolicy) {
  return upsertApprovalPolicy({ companyId: scope.companyId, approvalPolicy });
}

const upsertAddressPolicy = write(
  queries
    .insert(companySettings)
    .values({
      companyId: placeholder('companyId'),
      approvalPolicy: sql`'AUTOMATIC'`,
      addressPolicy: placeholder('addressPolicy'),
    })
    .onConflictDoUpdate({ target: companySettings.companyId, set: { addressPolicy: sql`excluded.address_policy` } }),
);
/** Sets what the company's shipments need of a National Address from now on. */
export function addressPolicyUpsert(scope: CompanyScope, addressPolicy: AddressPolicy) {
  return upsertAddressPolicy({ companyId: scope.companyId, addressPolicy });
}

const upsertProofTerms = write(
  queries
    .insert(companySettings)
    .values({
      companyId: placeholder('companyId'),
      approvalPolicy: sql`'AUTOMATIC'`,
      proofTerms: placeholder('proofTerms'),
    })
    .onConflictDoUpdate({ target: companySettings.companyId, set: { proofTerms: sql`excluded.proof_terms` } }),
);
/** Sets what the company's deliveries prove: JSON of its terms. */
export function proofTermsUpsert(scope: CompanyScope, proofTerms: string) {
  return upsertProofTerms({ companyId: scope.companyId, proofTerms });
}

const moveColumns = {
  state: companyMoves.state,
  otherShard: companyMoves.otherShard,
  changedAt: companyMoves.changedAt,
};
const selectMove = read(moveColumns, (columns) =>
  queries
    .select(columns)
    .from(companyMoves)
    .where(eq(companyMoves.companyId, placeholder('companyId'))),
);
/** The last move of the company, as its shard knows it. */
export function moveOf(scope: CompanyScope) {
  return selectMove({ companyId: scope.companyId });
}

export interface StandingUpdate {
  /** The version of the suspension that begins or ends. */
  readonly version: number;
  readonly at: Instant;
  /** The operator. */
  readonly by: string;
  readonly reason: string;
}

const insertSuspension = write(
  queries
    .insert(companySuspensions)
    .values({
      companyId: placeholder('companyId'),
      version: placeholder('version'),
      since: placeholder('at'),
      suspendedBy: placeholder('by'),
      reason: placeholder('reason'),
    })
    .onConflictDoNothing(),
  { mustChange: true },
);
/** Suspends the company. Refuses the unit if another operator has inserted this version. */
export function suspensionInsert(scope: CompanyScope, update: StandingUpdate) {
  return insertSuspension({ companyId: scope.companyId, ...update });
}

const endSuspension = write(
  queries
    .update(companySuspensions)
    .set({
      endedAt: sql`${placeholder('at')}`,
      endedBy: sql`${placeholder('by')}`,
      endReason: sql`${placeholder('reason')}`,
    })
    .where(
      and(
        eq(companySuspensions.companyId, placeholder('companyId')),
        eq(companySuspensions.version, placeholder('version')),
        isNull(companySuspensions.endedAt),
      ),
    ),
  { mustChange: true },
);
/** Resumes the company. Refuses the unit if another operator has ended this suspension. */
export function suspensionEnd(scope: CompanyScope, update: StandingUpdate) {
  return endSuspension({ companyId: scope.companyId, ...update });
}
