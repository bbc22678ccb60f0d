import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import type { RegistrationCompleted } from '../../contract/registration.ts';
import type { Review } from '../../contract/registration-state.ts';
import { toBase64Url } from '../../core/base64url.ts';
import type { Deployment } from '../../core/deployment.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { quietly, tryChallenge } from '../challenges/challenge.ts';
import { newestChallenge } from '../challenges/store.ts';
import { type InvitingDependencies, invite, notifyDisplaced } from '../people/identifier.ts';
import { holderOfRegistration } from '../people/identifier-store.ts';
import { requiredDocumentsOf } from './requirement.ts';
import {
  companyOfDraft,
  documentTypesOf,
  provisionedMark,
  registrationById,
  registrationCodeTrial,
  settingsUpsert,
} from './store.ts';

/*
 * Promise: a registration becomes a company at most once, in one unit of the directory. Then the company's rows are
 * written to its shard. If that write is lost, the sweep repeats it. The write is idempotent. Where companies need an
 * approval, its shard learns this before the company exists, so there is no moment in which it could create shipments.
 */

export interface CompletionDependencies extends InvitingDependencies {
  readonly config: InvitingDependencies['config'] & {
    readonly deployment: Deployment;
    readonly isApprovalRequired: boolean;
  };
  readonly shards: ReadonlyMap<string, { readonly writer: Writer }>;
}

export interface CompletionOrder {
  readonly registrationId: Uuid;
  readonly otp: string;
  readonly address: string | null;
  readonly requestId: Uuid;
}

/** Creates the company and its owner for the right code. 409 if documents are missing; the code then stays valid. */
export async function completeRegistration(
  dependencies: CompletionDependencies,
  order: CompletionOrder,
): Promise<Result<RegistrationCompleted>> {
  const answerHash = await tokenHashOf(toBase64Url(dependencies.random.bytes(32)));
  return complete(dependencies, order, { answerHash, entering: () => [] });
}

export interface Answering {
  readonly answerHash: string;
  /** Statements that follow the completion in its unit. */
  readonly entering: (challengeId: Uuid) => readonly WriteStatement[];
}

/** Checks the code, completes the registration and runs the statements that follow, in one unit. */
export async function complete(
  dependencies: CompletionDependencies,
  { registrationId, otp, address, requestId }: CompletionOrder,
  { answerHash, entering }: Answering,
): Promise<Result<RegistrationCompleted>> {
  const { directory, shards, random, config } = dependencies;
  const review = config.isApprovalRequired ? 'PENDING' : 'APPROVED';
  const isShown = config.deployment === 'sandbox';
  const newest = await directory.database.read(newestChallenge('REGISTRATION', registrationId));
  if (!newest.ok) return unavailable();
  const [challenge] = newest.rows;
  if (challenge === undefined) return refuse('OTP_EXPIRED');
  const challengeId = challenge.id;
  const known = await directory.database.readAll([
    holderOfRegistration(registrationId),
    registrationById(registrationId),
  ] as const);
  if (!known.ok) return unavailable();
  const [[holder], [draft]] = known.results;
  if (config.isApprovalRequired && draft?.state === 'DRAFT') {
    const held = await shards
      .get(draft.shard)
      ?.writer.commit({ statements: [settingsUpsert(draft.companyId, review)] });
    if (held?.status !== 'committed') return unavailable();
  }
  const auditId = random.uuid();
  const tried = await tryChallenge(dependencies, {
    challengeId,
    purpose: 'REGISTRATION',
    subject: registrationId,
    otp,
    answerHash,
    statementsOf: (trial) => [
      registrationCodeTrial(trial),
      ...companyOfDraft({
        id: registrationId,
        foldedName: foldedOf(draft?.storeName ?? ''),
        challengeId,
        answerHash,
        now: trial.now,
        isShown,
        review,
        auditId,
        address,
        requestId,
      }),
      ...entering(challengeId),
    ],
  });
  if (!tried.ok) return tried;
  const isAnswered = tried.value.answerHash === answerHash;
  if (isAnswered && !isShown) await notifyDisplaced(dependencies, holder, 'SMS');
  return readOutcome(dependencies, registrationId, isAnswered);
}

async function readOutcome(
  dependencies: CompletionDependencies,
  registrationId: Uuid,
  isAnswered: boolean,
): Promise<Result<RegistrationCompleted>> {
  const { directory, clock } = dependencies;
  const after = await directory.database.readAll([
    registrationById(registrationId),
    documentTypesOf(registrationId),
  ] as const);
  if (!after.ok) return unavailable();
  const [[row], documents] = after.results;
  if (isAnswered && row !== undefined) {
    // If this write is lost, the sweep repeats it. Until then the shard's defaults are the same.
    await provision(dependencies, row);
    // If the mobile signs in another person, the e-mail address is the only way into the new company.
    await quietly(dependencies, invite(dependencies, row.ownerId));
    return ok({ state: 'COMPLETED', companyId: row.companyId });
  }
  if (row?.state !== 'DRAFT' || row.expiresAt <= clock.now()) return refuse('OTP_EXPIRED');
  const uploaded = documents.map(({ documentType }) => documentType);
  const requiredDocuments = requiredDocumentsOf(row.legalBasis, uploaded);
  return refuse('REGISTRATION_INCOMPLETE', { members: { requiredDocuments } });
}

export interface ProvisionDependencies {
  readonly directory: { readonly writer: Writer };
  readonly shards: ReadonlyMap<string, { readonly writer: Writer }>;
  readonly clock: Clock;
}

/** Writes a company's rows and its review to its shard, and then records this in the directory. */
export async function provision(
  { directory, shards, clock }: ProvisionDependencies,
  {
    id,
    companyId,
    shard,
    review,
  }: { readonly id: Uuid; readonly companyId: Uuid; readonly shard: string; readonly review: Review | null },
): Promise<void> {
  // Only drafts have no review.
  if (review === null) return;
  const written = await shards.get(shard)?.writer.commit({ statements: [settingsUpsert(companyId, review)] });
  if (written?.status === 'committed')
    await directory.writer.commit({ statements: [provisionedMark(id, review, clock.now())] });
}
