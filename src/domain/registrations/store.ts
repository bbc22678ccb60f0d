import { and, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { directoryAudit } from '../../../db/directory/schema/audit.ts';
import { challenges } from '../../../db/directory/schema/challenges.ts';
import { companies } from '../../../db/directory/schema/companies.ts';
import { companyMembers, people, signInIdentifiers } from '../../../db/directory/schema/people.ts';
import { registrationDocuments, registrations } from '../../../db/directory/schema/registrations.ts';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import {
  check,
  columnsOf,
  placeholder,
  placesOf,
  queries,
  read,
  type WriteStatement,
  write,
} from '../../../db/statement.ts';
import type { Review } from '../../contract/registration-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type CodeTrial, compileTrial } from '../challenges/store.ts';
import { compileLoss } from '../people/identifier-store.ts';
import { REQUIRED_DOCUMENTS } from './requirement.ts';

/* The SQL of registrations, in the directory. It runs before there is a company or a person. */

const registrationColumns = columnsOf(registrations);
export type RegistrationRow = typeof registrations.$inferSelect;

const isFirst = sql`once_hmac = ${placeholder('onceHmac')} and state = 'DRAFT' and created_at > ${placeholder('since')}
  and upload_capability_expires_at > ${placeholder('now')} and expires_at > ${placeholder('now')}`;
const checkFirst = check<Repeat>(sql`not exists (select 1 from registrations where ${isFirst})`);
const insertRegistration = write(queries.insert(registrations).values(placesOf(registrations)));
/** Refused if the same request has made a draft since `since` whose capability is valid. */
export function registrationInsertion(row: RegistrationRow, since: Instant): WriteStatement[] {
  return [checkFirst({ onceHmac: row.onceHmac, since, now: row.createdAt }), insertRegistration({ ...row })];
}

type Repeat = { readonly onceHmac: string; readonly since: Instant; readonly now: Instant };
const selectFirst = read({ id: registrations.id, sealedAnswer: registrations.sealedAnswer }, (columns) =>
  queries.select(columns).from(registrations).where(isFirst).limit(1),
);
/** The draft that the same request has made. */
export function registrationOfRequest(repeat: Repeat) {
  return selectFirst(repeat);
}

const selectRegistration = read(registrationColumns, (columns) =>
  queries
    .select(columns)
    .from(registrations)
    .where(eq(registrations.id, placeholder('id'))),
);
export function registrationById(id: Uuid) {
  return selectRegistration({ id });
}

const selectDocuments = read({ documentType: registrationDocuments.documentType }, (columns) =>
  queries
    .select(columns)
    .from(registrationDocuments)
    .where(eq(registrationDocuments.registrationId, placeholder('id'))),
);
/** The uploaded documents of a registration. */
export function documentTypesOf(registrationId: Uuid) {
  return selectDocuments({ id: registrationId });
}

const selectKnown = read({ personId: signInIdentifiers.personId }, (columns) =>
  queries
    .select(columns)
    .from(signInIdentifiers)
    .where(and(eq(signInIdentifiers.identifier, placeholder('identifier')), isNotNull(signInIdentifiers.provedAt))),
);
/** The person that an e-mail address or a mobile already signs in. */
export function personOf(identifier: string) {
  return selectKnown({ identifier });
}

const selectUploading = read(
  { id: registrations.id, legalBasis: registrations.legalBasis, expiresAt: registrations.expiresAt },
  (columns) =>
    queries
      .select(columns)
      .from(registrations)
      .where(
        and(
          eq(registrations.id, placeholder('id')),
          eq(registrations.state, 'DRAFT'),
          eq(registrations.uploadCapabilityHash, placeholder('hash')),
          gt(registrations.uploadCapabilityExpiresAt, placeholder('now')),
          gt(registrations.expiresAt, placeholder('now')),
        ),
      ),
);
/** The draft of a capability; no row if the capability is unknown or expired. */
export function draftOfCapability(id: Uuid, hash: string, now: Instant) {
  return selectUploading({ id, hash, now });
}

// Completion: one statement checks the code, and the others have an effect only if the code was correct.

/**
 * Whether a draft is valid and has every document that its legal basis needs. For a legal basis that is not in the table,
 * the comparison is with null and so never true.
 */
const requiredTable = JSON.stringify(REQUIRED_DOCUMENTS);
const mayComplete: SQL = sql`exists (
  select 1 from registrations r
  where r.id = ${challenges.subject} and r.state = 'DRAFT' and r.expires_at > ${placeholder('now')}
    and json_array_length(${requiredTable}, '$.' || r.legal_basis) = (
      select count(*) from registration_documents d
      where d.registration_id = r.id
        and d.document_type in (select value from json_each(${requiredTable}, '$.' || r.legal_basis))))`;
const tryRegistrationCode = compileTrial(mayComplete);
/** Checks a registration's code. The correct code writes its hash only if the draft may be completed. */
export function registrationCodeTrial(trial: CodeTrial) {
  return tryRegistrationCode(trial);
}

const abandonDraft = write(
  queries
    .update(registrations)
    .set({ expiresAt: sql`${placeholder('now')}` })
    .where(and(eq(registrations.id, placeholder('id')), eq(registrations.state, 'DRAFT'))),
);
/** Leaves a draft that nobody can continue to the sweep. */
export function draftAbandoned(id: Uuid, now: Instant) {
  return abandonDraft({ id, now });
}

const isAnswered: SQL = sql`r.id = ${placeholder('id')} and r.state = 'DRAFT'
  and exists (select 1 from challenges c where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('answerHash')})`;

const completion = [
  write(
    queries
      .insert(companies)
      .select(
        sql`select r.company_id, r.store_name, ${placeholder('foldedName')}, r.shard, null, ${placeholder('now')} from registrations r where ${isAnswered}`,
      ),
  ),
  write(
    queries
      .insert(people)
      .select(
        sql`select r.owner_id, r.full_name, r.email, r.mobile, ${placeholder('now')}, null from registrations r where ${isAnswered}`,
      ),
  ),
  ...compileLoss(
    sql`select i.identifier, i.person_id from registrations r join sign_in_identifiers i on i.identifier = r.mobile
      where ${isAnswered} and i.proved_at is null and ${placeholder('provedAt')} is not null`,
  ),
  // No code was sent to the e-mail address. It cannot sign the owner in until a second factor by e-mail has proved
  // it.
  write(
    queries
      .insert(signInIdentifiers)
      .select(
        sql`select r.email, r.owner_id, null, null from registrations r where ${isAnswered} and not exists (select 1 from sign_in_identifiers i where i.identifier = r.email)`,
      ),
  ),
  write(
    queries
      .insert(signInIdentifiers)
      .select(
        sql`select r.mobile, r.owner_id, ${placeholder('provedAt')}, ${placeholder('shownAt')} from registrations r where ${isAnswered}`,
      )
      // A code that was sent to this mobile proves it, and a person who has not proved it loses it. A shown code
      // proves nothing.
      .onConflictDoUpdate({
        target: signInIdentifiers.identifier,
        set: { personId: sql`excluded.person_id`, provedAt: sql`excluded.proved_at`, shownAt: null },
        setWhere: sql`${signInIdentifiers.provedAt} is null and excluded.proved_at is not null`,
      }),
  ),
  write(
    queries
      .insert(companyMembers)
      .select(
        sql`select r.company_id, r.owner_id, 'OWNER', ${placeholder('now')} from registrations r where ${isAnswered}`,
      ),
  ),
  write(
    queries.insert(directoryAudit).select(
      sql`select ${placeholder('auditId')}, r.company_id, r.owner_id, null, 'company.registered', r.company_id, ${placeholder('now')}, ${placeholder('address')}, ${placeholder('requestId')}, '{}'
        from registrations r where ${isAnswered}`,
    ),
  ),
  write(
    queries
      .update(registrations)
      .set({
        state: 'COMPLETED',
        sealedAnswer: '',
        completedAt: sql`${placeholder('now')}`,
        review: sql`${placeholder('review')}`,
      })
      .where(
        sql`${registrations.id} = ${placeholder('id')} and ${registrations.state} = 'DRAFT'
          and exists (select 1 from challenges c where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('answerHash')})`,
      ),
  ),
];
const setOwner = write(
  queries
    .update(challenges)
    .set({
      personId: sql`(select r.owner_id from registrations r where r.id = ${placeholder('id')})`,
      deviceReference: sql`(select r.device_reference from registrations r where r.id = ${placeholder('id')})`,
    })
    .where(
      sql`${challenges.id} = ${placeholder('challengeId')} and ${challenges.subject} = ${placeholder('id')} and ${challenges.answerHash} = ${placeholder('answerHash')}`,
    ),
);
/** Makes the new owner the person who answered the challenge, on the device of the registration. So the answer can begin a session. */
export function challengeOwner(answered: { id: Uuid; challengeId: Uuid; answerHash: string }) {
  return setOwner(answered);
}

export interface Completion {
  readonly id: Uuid;
  /** The name of the store as searches compare it. */
  readonly foldedName: string;
  readonly challengeId: Uuid;
  readonly answerHash: string;
  readonly now: Instant;
  /** Whether the registration's response showed the code, so that the code proves nothing about the mobile. */
  readonly isShown: boolean;
  /** How the company's review starts. */
  readonly review: Review;
  readonly auditId: Uuid;
  readonly address: string | null;
  readonly requestId: Uuid;
}
/** Creates the company and its owner from the draft whose code was answered with this hash. */
export function companyOfDraft({ isShown, ...values }: Completion): WriteStatement[] {
  const provedAt = isShown ? null : values.now;
  const shownAt = isShown ? values.now : null;
  return completion.map((statement) => statement({ ...values, provedAt, shownAt }));
}

// Work after a completion.

const upsertSettings = write(
  queries
    .insert(companySettings)
    .values({ companyId: placeholder('companyId'), approvalPolicy: 'AUTOMATIC', review: placeholder('review') })
    // Reviews go from PENDING to REJECTED to APPROVED, never back, so a late repeat changes nothing.
    .onConflictDoUpdate({
      target: companySettings.companyId,
      set: { review: sql`excluded.review` },
      setWhere: sql`excluded.review = 'APPROVED' or ${companySettings.review} = 'PENDING'`,
    }),
);
/** Inserts a company's rows into its shard, or advances its review there. */
export function settingsUpsert(companyId: Uuid, review: Review) {
  return upsertSettings({ companyId, review });
}

const markProvisioned = write(
  queries
    .update(registrations)
    .set({ provisionedAt: sql`${placeholder('now')}` })
    // If the review has changed meanwhile, the sweep writes it to the shard.
    .where(
      and(
        eq(registrations.id, placeholder('id')),
        eq(registrations.review, placeholder('review')),
        isNull(registrations.provisionedAt),
      ),
    ),
);
export function provisionedMark(id: Uuid, review: Review, now: Instant) {
  return markProvisioned({ id, review, now });
}
