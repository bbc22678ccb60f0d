import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { MessageChannel, MessagePurpose } from '../../contract/message.ts';
import type { ChallengePurpose } from '../../contract/person-role.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { CODE_ATTEMPTS_MAX, CODE_MINUTES } from '../../core/limits.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import { pause } from '../../core/timer.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { logError } from '../../ports/log.ts';
import type { Message, Messages } from '../../ports/message.ts';
import type { Random } from '../../ports/random.ts';
import { settle } from '../settle.ts';
import { codeHmacOf, newCode } from './code.ts';
import {
  type Limit,
  type LimitSettings,
  noticesTo,
  refusalOf,
  smsOfDeployment,
  usedUpRefusal,
  useStatements,
} from './limit.ts';
import {
  type ChallengeRow,
  type CodeTrial,
  challengeById,
  challengeInsert,
  challengesEnd,
  useDelete,
} from './store.ts';

/*
 * Promise: a code has at most five tries, even if they arrive at the same time. It succeeds at most once, and only the
 * newest code of a subject is valid. A code for an unknown identity is counted, stored and answered like any other.
 */

export interface ChallengeDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
  readonly messages: Messages;
  readonly config: LimitSettings;
  /** Keeps the isolate alive for work after the response. */
  readonly later: (work: Promise<unknown>) => void;
}

export interface ChallengeOrder {
  readonly purpose: ChallengePurpose;
  readonly subject: string;
  readonly channel: MessageChannel;
  readonly personId?: Uuid;
  /** Finds the person if `personId` is not given. */
  readonly identifier?: string;
  /** Finds the driver, in E.164. */
  readonly driverPhone?: string;
  readonly deviceReference?: Uuid;
  readonly limits: readonly Limit[];
}

export interface Made {
  readonly id: Uuid;
  readonly code: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** Creates a code, and the statements that store it and replace earlier codes. */
export async function prepareChallenge(
  { clock, random, config }: Pick<ChallengeDependencies, 'clock' | 'random' | 'config'>,
  order: ChallengeOrder,
): Promise<{ readonly made: Made; readonly statements: readonly WriteStatement[] }> {
  const { purpose, subject, channel, limits } = order;
  const { personId = null, identifier = null, driverPhone = null, deviceReference = null } = order;
  const createdAt = clock.now();
  const id = random.uuid();
  const code = newCode(random);
  const codeHmac = await codeHmacOf(config.credentialKey, id, code);
  const expiresAt = addSeconds(createdAt, CODE_MINUTES * 60);
  const owner = { personId, identifier, driverPhone };
  const row = { id, purpose, subject, ...owner, channel, deviceReference, codeHmac, createdAt, expiresAt };
  return {
    made: { id, code, createdAt, expiresAt },
    statements: [...useStatements(limits, createdAt), challengesEnd(purpose, subject, createdAt), challengeInsert(row)],
  };
}

/**
 * Creates and stores a code. 429 above one of the order's limits, 503 if the deployment has sent its maximum of SMS.
 */
export async function makeChallenge(
  dependencies: Pick<ChallengeDependencies, 'directory' | 'clock' | 'random' | 'config'>,
  order: ChallengeOrder,
): Promise<Result<Made>> {
  // Checked before any lookup, so that every caller gets the same answer above the limit.
  if (order.channel === 'SMS' && order.purpose !== 'SANDBOX_DRIVER_SIGN_IN') {
    const refused = await smsRefusal(dependencies, order.purpose);
    if (refused !== undefined) return refused;
  }
  const { made, statements } = await prepareChallenge(dependencies, order);
  const kept = await commitWithinLimits(dependencies, order.limits, { made, statements });
  return kept.ok ? ok(made) : kept;
}

/** Commits a unit that starts with a challenge's statements; 429 if a limit refused it. */
export async function commitWithinLimits(
  { directory }: Pick<ChallengeDependencies, 'directory'>,
  limits: readonly Limit[],
  { made, statements }: { readonly made: Made; readonly statements: readonly WriteStatement[] },
): Promise<Result<true>> {
  const kept = settle(await directory.writer.commit({ statements }));
  if (!kept.ok) return kept;
  return kept.value ? ok(true) : refusalOf(directory.database, limits, made.createdAt);
}

export interface ChallengeAnswer {
  readonly challengeId: Uuid;
  readonly purpose: ChallengePurpose;
  /** The subject that the challenge must have; null if its id is enough. */
  readonly subject: string | null;
  /** The only person who may answer; without it, the person of the challenge. */
  readonly personId?: Uuid | undefined;
  readonly otp: string;
  readonly answerHash: string;
  /** The check of the code and its follow-up statements. Each follow-up runs only if the row contains the answer's hash. */
  readonly statementsOf: (trial: CodeTrial) => readonly WriteStatement[];
}

/**
 * Checks a code and returns the challenge if it is correct. The row then holds the answer's hash, unless the code must
 * not be answered yet. 409 for the correct code of another person than the order names; the code stays valid. 422 for a
 * wrong code and for a challenge that has expired, was used or does not exist.
 */
export async function tryChallenge(
  { directory, clock, config }: Pick<ChallengeDependencies, 'directory' | 'clock' | 'config'>,
  { challengeId, purpose, subject, personId, otp, answerHash, statementsOf }: ChallengeAnswer,
): Promise<Result<ChallengeRow>> {
  const before = await directory.database.read(challengeById(challengeId));
  if (!before.ok) return unavailable();
  // Nothing is written for a finished challenge, so that such guesses do not load the writer.
  if (!isOpen(before.rows[0], clock.now())) return refuse('OTP_EXPIRED');
  const codeHmac = await codeHmacOf(config.credentialKey, challengeId, otp);
  const max = CODE_ATTEMPTS_MAX;
  const only = personId ?? null;
  const trial = { id: challengeId, purpose, subject, personId: only, codeHmac, answerHash, now: clock.now(), max };
  const outcome = await directory.writer.commit({ statements: statementsOf(trial) });
  const isUnheard = outcome.status === 'unknown';
  if (!isUnheard) {
    const tried = settle(outcome);
    if (!tried.ok) return tried;
    if (!tried.value) return refuse('OTP_EXPIRED');
  }
  const after = await directory.database.read(challengeById(challengeId));
  if (!after.ok) return unavailable();
  const [row] = after.rows;
  if (row?.answerHash === answerHash) return ok(row);
  if (isUnheard) return unavailable();
  // The try is already counted, so this comparison tells a guessing client nothing.
  const isOfSomebody = row?.personId !== null || ALWAYS_OF_SOMEBODY.includes(row.purpose);
  if (row?.codeHmac !== codeHmac || !isOfSomebody) return invalidCode(row?.attempts);
  return only === null || row.personId === only ? ok(row) : refuse('SESSION_CHANGED');
}

/** A registration has no person yet, and a recipient none at all. */
const ALWAYS_OF_SOMEBODY: readonly ChallengePurpose[] = ['REGISTRATION', 'RECIPIENT_SIGN_IN'];

function isOpen(challenge: ChallengeRow | undefined, now: Instant): boolean {
  if (challenge === undefined || challenge.answerHash !== null) return false;
  return challenge.expiresAt > now && challenge.attempts < CODE_ATTEMPTS_MAX;
}

function invalidCode(attempts = CODE_ATTEMPTS_MAX): Refusal {
  return refuse('OTP_INVALID', { members: { attemptsRemaining: Math.max(0, CODE_ATTEMPTS_MAX - attempts) } });
}

/** By then the response has left. Work that begins beside it delays it by half a millisecond, which a series of requests shows. */
const QUIET_MS = 50;

/**
 * Sends a message that only known identities get. It is sent after the response, because otherwise the response time
 * would reveal which identities are known. A local inbox has no such secret, and tests read it at once.
 */
export async function sendQuietly(
  { messages, later }: Pick<ChallengeDependencies, 'messages' | 'later'>,
  message: Message,
): Promise<void> {
  if (messages.provider === 'inbox') await messages.send(message);
  else later(pause(QUIET_MS).then(() => messages.send(message)));
}

/** Does other work after the response, for requests whose duration would tell whom they are about. A local inbox waits for it. */
export async function quietly(
  { messages, later }: Pick<ChallengeDependencies, 'messages' | 'later'>,
  work: Promise<unknown>,
): Promise<void> {
  if (messages.provider === 'inbox') await work;
  else later(work);
}

/**
 * Sends a notice, unless the recipient has reached the limit of notices in a day. The caller does not learn whether it
 * was sent.
 */
export async function sendNotice(
  { directory, clock, config, messages }: Pick<ChallengeDependencies, 'directory' | 'clock' | 'config' | 'messages'>,
  notice: Omit<Message, 'code'>,
): Promise<void> {
  if (messages.provider === 'none') return;
  const limit = await noticesTo(config, notice.recipient, notice.purpose);
  const counted = settle(await directory.writer.commit({ statements: useStatements([limit], clock.now()) }));
  if (counted.ok && counted.value) await messages.send({ ...notice, code: null });
}

type SmsDependencies = Pick<ChallengeDependencies, 'directory' | 'clock' | 'config'>;

/** 503 with the waiting time, if the deployment has sent its maximum of SMS. */
export async function smsRefusal(
  { directory, clock, config }: SmsDependencies,
  purpose: MessagePurpose,
): Promise<Refusal | undefined> {
  return usedUpRefusal(directory.database, [await smsOfDeployment(config, purpose)], clock.now());
}

/** The same messages, limited to the deployment's maximum of SMS. A refused SMS is logged as an error. */
export function messagesWithin(messages: Messages, { directory, clock, config }: SmsDependencies): Messages {
  return {
    provider: messages.provider,
    isDown: (channel) => messages.isDown(channel),
    async send(message) {
      if (message.channel === 'SMS') {
        const limit = await smsOfDeployment(config, message.purpose);
        const statements = useStatements([limit], clock.now());
        const counted = settle(await directory.writer.commit({ statements }));
        if (!counted.ok) return false;
        if (!counted.value) {
          logError({ error: `No SMS was sent: the deployment's limit of ${limit.max} an hour is used up` });
          return false;
        }
      }
      return messages.send(message);
    },
  };
}

const MESSAGE_RETRY_SECONDS = 60;

/** 503 for everybody alike, before anything is counted, while no message of the channel can be sent. */
export function channelRefusal(messages: Messages, channel: MessageChannel): Refusal | undefined {
  return messages.provider === 'none' || messages.isDown(channel) ? messagesUnavailable() : undefined;
}

/**
 * Gives back the use of a person's limit when the provider did not take the message. Only for an answer that says so: otherwise the
 * next limit would show whose identity is known. Uses of the network address stay.
 */
export async function useGivenBack(
  { directory }: Pick<ChallengeDependencies, 'directory'>,
  { bucket }: Limit,
  { createdAt }: Pick<Made, 'createdAt'>,
  statements: readonly WriteStatement[] = [],
): Promise<void> {
  await directory.writer.commit({ statements: [useDelete(bucket, createdAt), ...statements] });
}

/** 503: no message can be sent now. */
export function messagesUnavailable(): Refusal {
  return refuse('MESSAGE_PROVIDER_UNAVAILABLE', { retryAfterSeconds: MESSAGE_RETRY_SECONDS });
}
