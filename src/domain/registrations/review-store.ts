import { and, asc, eq, sql } from 'drizzle-orm';
import { companies } from '../../../db/directory/schema/companies.ts';
import { registrationDocuments, registrations } from '../../../db/directory/schema/registrations.ts';
import { columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';
import type { RegistrationStatus } from '../../contract/registration-review.ts';
import type { DocumentType, Review } from '../../contract/registration-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of operators who review registrations, in the directory. */

const listedColumns = {
  id: registrations.id,
  state: registrations.state,
  review: registrations.review,
  companyId: registrations.companyId,
  storeName: registrations.storeName,
  legalBasis: registrations.legalBasis,
  createdAt: registrations.createdAt,
  completedAt: registrations.completedAt,
};
const isBehind = sql`(${placeholder('createdAt')} is null or (${registrations.createdAt}, ${registrations.id}) > (${placeholder('createdAt')}, ${placeholder('key')}))`;
const selectPage = read(listedColumns, (columns) =>
  queries
    .select(columns)
    .from(registrations)
    .where(and(sql`${registrations.review} is ${placeholder('review')}`, isBehind))
    .orderBy(asc(registrations.createdAt), asc(registrations.id))
    .limit(placeholder('limit')),
);
export type ListedRow = ReturnType<ReturnType<typeof selectPage>['decode']>;
/** Registrations with this status, oldest first. */
export function registrationPage(status: RegistrationStatus, after: Position | undefined, limit: number) {
  // A draft has no review.
  const review = status === 'DRAFT' ? null : status;
  return selectPage({ review, createdAt: after?.createdAt ?? null, key: after?.key ?? null, limit });
}

const reviewedColumns = { ...columnsOf(registrations), companyShard: companies.shard };
const selectReviewed = read(reviewedColumns, (columns) =>
  queries
    .select(columns)
    .from(registrations)
    .leftJoin(companies, eq(companies.id, registrations.companyId))
    .where(eq(registrations.id, placeholder('id'))),
);
export type ReviewedRow = ReturnType<ReturnType<typeof selectReviewed>['decode']>;
/** A registration, with the shard that its company is in now. A draft has no company yet. */
export function registrationInReview(id: Uuid) {
  return selectReviewed({ id });
}

/** More than an operator reads. */
const ELSEWHERE_MAX = 20;
const sameDocument = sql`exists (select 1 from registration_documents d
  join registration_documents own on own.sha256 = d.sha256 and own.registration_id = ${placeholder('id')}
  where d.registration_id = ${registrations.id})`;
const elsewhereColumns = {
  ...listedColumns,
  commercialRegistrationNumber: registrations.commercialRegistrationNumber,
  mobile: registrations.mobile,
  email: registrations.email,
  // Only its type: 1 or 0.
  sameDocument: registrationDocuments.isProtected,
};
const selectElsewhere = read(elsewhereColumns, (columns) =>
  queries
    .select({ ...columns, sameDocument: sameDocument.as('same_document') })
    .from(registrations)
    .where(
      sql`${registrations.state} = 'COMPLETED' and ${registrations.id} <> ${placeholder('id')} and ${registrations.id} in (
        select o.id from registrations r join registrations o on o.commercial_registration_number = r.commercial_registration_number where r.id = ${placeholder('id')}
        union select o.id from registrations r join registrations o on o.mobile = r.mobile and r.mobile <> '' where r.id = ${placeholder('id')}
        union select o.id from registrations r join registrations o on o.email = r.email and r.email <> '' where r.id = ${placeholder('id')}
        union select d.registration_id from registration_documents own join registration_documents d on d.sha256 = own.sha256 where own.registration_id = ${placeholder('id')})`,
    )
    .orderBy(asc(registrations.createdAt), asc(registrations.id))
    .limit(ELSEWHERE_MAX),
);
export type ElsewhereRow = ReturnType<ReturnType<typeof selectElsewhere>['decode']>;
/** Other companies' registrations with the same number, mobile, e-mail address or document, oldest first. */
export function registrationsAlike(id: Uuid) {
  return selectElsewhere({ id });
}

const documentColumns = columnsOf(registrationDocuments);
const selectDocuments = read(documentColumns, (columns) =>
  queries
    .select(columns)
    .from(registrationDocuments)
    .where(eq(registrationDocuments.registrationId, placeholder('id')))
    .orderBy(asc(registrationDocuments.documentType)),
);
export function documentsInReview(registrationId: Uuid) {
  return selectDocuments({ id: registrationId });
}

const selectDocument = read(documentColumns, (columns) =>
  queries
    .select(columns)
    .from(registrationDocuments)
    .where(
      and(
        eq(registrationDocuments.registrationId, placeholder('id')),
        eq(registrationDocuments.documentType, placeholder('documentType')),
      ),
    ),
);
export function documentInReview(registrationId: Uuid, documentType: DocumentType) {
  return selectDocument({ id: registrationId, documentType });
}

const updateReview = write(
  queries
    .update(registrations)
    .set({
      review: sql`${placeholder('review')}`,
      reviewedBy: sql`${placeholder('reviewedBy')}`,
      reviewReason: sql`${placeholder('reason')}`,
      reviewedAt: sql`${placeholder('reviewedAt')}`,
      documentsUntil: sql`${placeholder('documentsUntil')}`,
      // The shard does not know it yet.
      provisionedAt: null,
    })
    .where(and(eq(registrations.id, placeholder('id')), eq(registrations.review, placeholder('seen')))),
  { mustChange: true },
);
export interface ReviewUpdate {
  readonly id: Uuid;
  /** The review that the row must still have. */
  readonly seen: Review;
  readonly review: Review;
  readonly reviewedBy: string;
  readonly reason: string;
  readonly reviewedAt: Instant;
  readonly documentsUntil: Instant | null;
}
/** Records a decision. Refuses the unit if another operator was faster. */
export function reviewDecision(update: ReviewUpdate) {
  return updateReview({ ...update });
}
