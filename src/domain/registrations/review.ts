import type { AuditActor, Operator } from '../../access/principal.ts';
import { scopeForOperator, scopeWithActor } from '../../access/require.ts';
import {
  type ListedRegistration,
  type ReadDocument,
  type RegistrationStatus,
  type ReviewedRegistration,
  SAME_FACTS,
  type SameFact,
} from '../../contract/registration-review.ts';
import type { DocumentContentType, DocumentType, Review } from '../../contract/registration-state.ts';
import { toBase64 } from '../../core/base64url.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { withoutMetadata } from '../../core/picture.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Documents, storageUnavailable } from '../../ports/documents.ts';
import { auditOf, changeVersioned, commitChange } from '../audit/change.ts';
import { type ChallengeDependencies, quietly, sendNotice } from '../challenges/challenge.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { readRow } from '../rows.ts';
import { type ProvisionDependencies, provision } from './completion.ts';
import {
  documentInReview,
  documentsInReview,
  type ElsewhereRow,
  type ListedRow,
  type ReviewedRow,
  registrationInReview,
  registrationPage,
  registrationsAlike,
  reviewDecision,
} from './review-store.ts';

/*
 * Operators review registrations. A company exists as soon as its registration is completed; the review decides whether it
 * may create shipments. The decision is in the directory, and the company's shard has a copy that creations check.
 */

type ReviewDependencies = Omit<ChallengeDependencies, 'later'> & ProvisionDependencies;

/** The operator, as the guard and the audit name them. */
export interface Reviewer {
  readonly operator: Operator;
  readonly actor: AuditActor;
}

/** Registrations with a status, oldest first. */
export function listRegistrations(
  dependencies: PageDependencies,
  { status, ...page }: PageRequest & { readonly status: RegistrationStatus },
): Promise<Result<Page<ListedRegistration>>> {
  return readPage(dependencies, page, {
    binding: ['registrations', status, 'createdAt asc'],
    select: (after, rows) => registrationPage(status, positionOf(after), rows),
    positionOf: (row) => [String(row.createdAt), row.id],
    present: presentListed,
  });
}

/** A registration with the list of its documents. */
export async function readRegistration(
  { directory }: Pick<ReviewDependencies, 'directory'>,
  registrationId: Uuid,
): Promise<Result<ReviewedRegistration>> {
  const found = await directory.database.readAll([
    registrationInReview(registrationId),
    documentsInReview(registrationId),
    registrationsAlike(registrationId),
  ] as const);
  if (!found.ok) return unavailable();
  const [[row], documents, alike] = found.results;
  if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
  const { commercialRegistrationNumber, fullName, email, mobile } = row;
  return ok({
    ...presentListed(row),
    commercialRegistrationNumber,
    fullName,
    email,
    mobile,
    documents: documents.map(({ documentType, contentType, sizeBytes, sha256, isProtected, uploadedAt }) => {
      const file = { documentType, contentType, sizeBytes, sha256, isProtected: isProtected === 1 };
      return { ...file, uploadedAt: formatInstant(uploadedAt) };
    }),
    elsewhere: alike.map((other) => ({
      registrationId: other.id,
      storeName: other.storeName,
      same: sameFactsOf(row, other),
    })),
    decision: decisionOf(row),
  });
}

function sameFactsOf(row: ReviewedRow, other: ElsewhereRow): SameFact[] {
  const number = row.commercialRegistrationNumber;
  const same: Readonly<Record<SameFact, boolean>> = {
    NUMBER: number !== null && number === other.commercialRegistrationNumber,
    MOBILE: row.mobile !== '' && row.mobile === other.mobile,
    EMAIL: row.email !== '' && row.email === other.email,
    DOCUMENT: other.sameDocument === 1,
  };
  return SAME_FACTS.filter((fact) => same[fact]);
}

const EXTENSIONS: Readonly<Record<DocumentContentType, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** The bytes of a document, a picture without its metadata. The audit names the operator; without its entry nothing is shown. */
export async function openDocument(
  dependencies: ReviewDependencies & { readonly documents: Pick<Documents, 'read'> },
  { registrationId, documentType }: { readonly registrationId: Uuid; readonly documentType: DocumentType },
  by: Reviewer,
): Promise<Result<ReadDocument>> {
  const { directory, documents, clock } = dependencies;
  const found = await directory.database.readAll([
    registrationInReview(registrationId),
    documentInReview(registrationId, documentType),
  ] as const);
  if (!found.ok) return unavailable();
  const [[registration], [document]] = found.results;
  if (registration === undefined || document === undefined) return refuse('RESOURCE_NOT_FOUND');
  const bytes = await documents.read(document.objectKey);
  if (bytes === 'missing') return refuse('RESOURCE_NOT_FOUND');
  if (bytes === 'unavailable') return storageUnavailable();
  const details = {
    action: 'registration.document_opened',
    subject: registrationId,
    at: clock.now(),
    detail: { documentType },
  };
  const audit = auditOf(dependencies, scopeOf(registration, by), details);
  const noted = await commitChange(directory, { unit: { statements: [] }, audit });
  if (!noted.ok) return noted;
  const { contentType } = document;
  const fileName = `${documentType.toLowerCase().replaceAll('_', '-')}.${EXTENSIONS[contentType]}`;
  return ok({ fileName, contentType, base64: toBase64(withoutMetadata(bytes, contentType)) });
}

/** How long the documents of a rejected registration are kept: long enough to answer a question about the decision. */
const REJECTED_KEPT_SECONDS = 30 * 24 * 3600;

export interface Decision {
  readonly registrationId: Uuid;
  readonly review: Exclude<Review, 'PENDING'>;
  readonly reason: string;
}

/**
 * Approves or rejects a completed registration, and tells the person who registered. A rejected one may still be approved.
 * 409 with the current state if there is nothing to decide, for example because another operator was faster.
 */
export async function decideRegistration(
  dependencies: ChallengeDependencies & ProvisionDependencies,
  { registrationId, review, reason }: Decision,
  by: Reviewer,
): Promise<Result<ReviewedRegistration>> {
  const { directory, clock } = dependencies;
  const decided = await changeVersioned<ReviewedRow, ReviewedRow>(directory, {
    read: () => readRow(directory.database, registrationInReview(registrationId), 'RESOURCE_NOT_FOUND'),
    decide: (row) => {
      const { review: seen } = row;
      const isOpen = seen === 'PENDING' || (seen === 'REJECTED' && review === 'APPROVED');
      if (!isOpen) return refuse('INVALID_STATE_TRANSITION', { members: { currentState: statusOf(row) } });
      const reviewedAt = clock.now();
      const documentsUntil = review === 'REJECTED' ? addSeconds(reviewedAt, REJECTED_KEPT_SECONDS) : null;
      const reviewedBy = by.operator.kind === 'operator' ? by.operator.clientId : by.operator.personId;
      const update = { id: registrationId, seen, review, reviewedBy, reason, reviewedAt, documentsUntil };
      const action = review === 'APPROVED' ? 'registration.approved' : 'registration.rejected';
      const entry = { action, subject: registrationId, at: reviewedAt, detail: { previousReview: seen } };
      const audit = auditOf(dependencies, scopeOf(row, by), entry);
      return ok({ kind: 'change', value: row, unit: { statements: [reviewDecision(update)] }, audit });
    },
  });
  if (!decided.ok) return decided;
  const { id, companyId, companyShard, shard, mobile, storeName } = decided.value;
  // If this write is lost, the sweep repeats it.
  await provision(dependencies, { id, companyId, shard: companyShard ?? shard, review });
  const purpose = review === 'APPROVED' ? 'COMPANY_APPROVED' : 'COMPANY_REJECTED';
  // By SMS, because only the mobile was proved.
  const notice = { channel: 'SMS', recipient: mobile, purpose, companyName: storeName, reason } as const;
  await quietly(dependencies, sendNotice(dependencies, notice));
  return readRegistration(dependencies, registrationId);
}

function scopeOf({ companyId, companyShard, shard }: ReviewedRow, { operator, actor }: Reviewer) {
  return scopeWithActor(scopeForOperator(operator, { id: companyId, shard: companyShard ?? shard }), actor);
}

function statusOf({ review }: Pick<ListedRow, 'review'>): RegistrationStatus {
  return review ?? 'DRAFT';
}

function presentListed(row: ListedRow): ListedRegistration {
  return {
    registrationId: row.id,
    status: statusOf(row),
    companyId: row.state === 'DRAFT' ? null : row.companyId,
    storeName: row.storeName,
    legalBasis: row.legalBasis,
    createdAt: formatInstant(row.createdAt),
    completedAt: row.completedAt === null ? null : formatInstant(row.completedAt),
  };
}

function decisionOf({ reviewedBy, reviewReason, reviewedAt }: ReviewedRow): ReviewedRegistration['decision'] {
  if (reviewedBy === null || reviewReason === null || reviewedAt === null) return null;
  return { decidedBy: reviewedBy, reason: reviewReason, decidedAt: formatInstant(reviewedAt) };
}
