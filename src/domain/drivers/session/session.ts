import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import { tokenHashOf } from '../../../access/authenticate.ts';
import { type DriverPrincipal, newDriverToken } from '../../../access/driver-token.ts';
import { addSeconds, formatInstant, type Instant, toMillis } from '../../../core/instant.ts';
import { SANDBOX_MOBILES, toE164 } from '../../../core/phone.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Messages } from '../../../ports/message.ts';
import type { Random } from '../../../ports/random.ts';
import { messagesUnavailable, sendQuietly } from '../../challenges/challenge.ts';
import type { MoveBook } from '../../moves/move-book.ts';
import { findBeyond } from '../../moves/trail.ts';
import { CODE_ATTEMPTS_MAX, CODE_SECONDS, CODE_WINDOW_SECONDS, codeHmacOf, newCode } from '../../one-time-code.ts';
import { settle } from '../../settle.ts';
import { driverSessionInsert, liveDriverSession } from '../store.ts';
import { challengeById, challengeInsert, codeTrial, oldestChallenge } from './store.ts';

interface Store {
  readonly database: Database;
  readonly writer: Writer;
}

export interface DriverSessionDependencies {
  readonly directory: Store;
  readonly shards: ReadonlyMap<string, Store>;
  readonly clock: Clock;
  readonly random: Random;
  readonly messages: Messages;
  readonly config: { readonly credentialKey: string; readonly rateLimits: { readonly codes: number } };
}

/** A working day. */
const SESSION_SECONDS = 12 * 3600;

export interface Challenge {
  readonly challengeId: Uuid;
  readonly expiresAt: string;
}

/**
 * Sends a code to a driver's phone. The phone of nobody is counted and answered alike, so that the answer tells nothing:
 * a carrier is asked when it is out, and not told of. To the phone of a sandbox's driver nothing is carried.
 */
export async function startDriverSession(
  dependencies: DriverSessionDependencies & { readonly later: (work: Promise<unknown>) => void },
  phone: string,
): Promise<Result<Challenge>> {
  const { directory, messages } = dependencies;
  // Before anything is looked up: without a provider it is the same for everybody.
  if (messages.provider === 'none') return messagesUnavailable();
  const made = await makeChallenge(dependencies, toE164(phone), null);
  if (!made.ok) return made;
  const { code, ...challenge } = made.value;
  const kept = await directory.database.read(challengeById(challenge.challengeId));
  if (!kept.ok) return unavailable();
  if (kept.rows[0]?.driverId == null) return ok(challenge);
  const message = { channel: 'SMS', recipient: toE164(phone), purpose: 'DRIVER_SIGN_IN', code } as const;
  const isOfSandbox = message.recipient.startsWith(SANDBOX_MOBILES);
  if (messages.provider === 'inbox' || !isOfSandbox) await sendQuietly(dependencies, message);
  return ok(challenge);
}

/** A new challenge with its code. `companyId`: the company in whose sandbox it is asked for. */
export async function makeChallenge(
  { directory, clock, random, config }: DriverSessionDependencies,
  phone: string,
  companyId: Uuid | null,
): Promise<Result<Challenge & { readonly code: string }>> {
  const now = clock.now();
  const id = random.uuid();
  const code = newCode(random);
  const codeHmac = await codeHmacOf(config.credentialKey, id, code);
  const expiresAt = addSeconds(now, CODE_SECONDS);
  const since = addSeconds(now, -CODE_WINDOW_SECONDS);
  const order = { id, phone, companyId, codeHmac, createdAt: now, expiresAt, since, max: config.rateLimits.codes };
  const kept = settle(await directory.writer.commit({ statements: [challengeInsert(order)] }));
  if (!kept.ok) return kept;
  if (kept.value) return ok({ challengeId: id, expiresAt: formatInstant(expiresAt), code });
  const oldest = await directory.database.read(oldestChallenge(phone, since));
  if (!oldest.ok) return unavailable();
  return tooMany(oldest.rows[0]?.createdAt ?? now, now);
}

function tooMany(oldest: Instant, now: Instant): Refusal {
  const remainingMs = toMillis(addSeconds(oldest, CODE_WINDOW_SECONDS)) - toMillis(now);
  return refuse('OTP_RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)) });
}

export interface DriverVerification {
  readonly challengeId: Uuid;
  readonly otp: string;
  /** The company in whose sandbox the code was asked for. */
  readonly companyId: Uuid | null;
}

/**
 * A session for the right code: a token that only its driver will ever have seen. A wrong code costs one of five tries;
 * a challenge that is over, used or not there at all can no longer be answered.
 */
export async function verifyDriverSession(
  dependencies: DriverSessionDependencies,
  { challengeId, otp, companyId }: DriverVerification,
): Promise<Result<{ driverToken: string; expiresAt: string }>> {
  const { directory, shards, clock, random, config } = dependencies;
  const found = await directory.database.read(challengeById(challengeId));
  if (!found.ok) return unavailable();
  const [challenge] = found.rows;
  if (challenge === undefined) return refuse('OTP_EXPIRED');
  // A phone of nobody takes the same steps with a token that will never be given out.
  const driverToken = newDriverToken(challenge.shard ?? 'none', random);
  const tokenHash = await tokenHashOf(driverToken);
  const codeHmac = await codeHmacOf(config.credentialKey, challengeId, otp);
  const trial = codeTrial({
    id: challengeId,
    companyId,
    codeHmac,
    tokenHash,
    now: clock.now(),
    max: CODE_ATTEMPTS_MAX,
  });
  const tried = settle(await directory.writer.commit({ statements: [trial] }));
  if (!tried.ok) return tried;
  if (!tried.value) return refuse('OTP_EXPIRED');
  const after = await directory.database.read(challengeById(challengeId));
  if (!after.ok) return unavailable();
  const [row] = after.rows;
  if (row?.tokenHash !== tokenHash || row.driverId === null) {
    const attemptsRemaining = Math.max(0, CODE_ATTEMPTS_MAX - (row?.attempts ?? CODE_ATTEMPTS_MAX));
    return refuse('OTP_INVALID', { members: { attemptsRemaining } });
  }
  const store = shards.get(row.shard ?? '');
  if (store === undefined) return unavailable();
  const now = clock.now();
  const expiresAt = addSeconds(now, SESSION_SECONDS);
  const session = driverSessionInsert({ tokenHash, driverId: row.driverId, createdAt: now, expiresAt });
  const begun = settle(await store.writer.commit({ statements: [session] }));
  if (!begun.ok) return begun;
  // Refused: the phone is registered, and its driver is not in the shard any more.
  return begun.value ? ok({ driverToken, expiresAt: formatInstant(expiresAt) }) : refuse('OTP_EXPIRED');
}

interface FindDriverDependencies extends Pick<DriverSessionDependencies, 'shards' | 'clock'> {
  readonly moveBook: MoveBook;
  /** Throws when so many are at work in this shard already that it has no room for more. */
  readonly enterShard: (shard: string, sentFrom?: string) => void;
}

/**
 * Whose session a token is; `unknown` when a shard did not answer. A sandbox's driver moves with its company: he is looked
 * for where companies have gone that left the shard of his token.
 */
export async function findDriver(
  { shards, clock, moveBook, enterShard }: FindDriverDependencies,
  named: string,
  tokenHash: string,
): Promise<DriverPrincipal | undefined | 'unknown'> {
  const first = shards.get(named);
  if (first === undefined) return undefined;
  enterShard(named);
  const found = await sessionIn(first.database, tokenHash, clock);
  if (found !== undefined) return found;
  return findBeyond({ shards, moveBook }, first, ({ database }) => {
    enterShard(database.id, named);
    return sessionIn(database, tokenHash, clock);
  });
}

async function sessionIn(
  database: Database,
  tokenHash: string,
  clock: Clock,
): Promise<DriverPrincipal | undefined | 'unknown'> {
  const answer = await database.read(liveDriverSession(tokenHash, clock.now()));
  if (!answer.ok) return 'unknown';
  const [session] = answer.rows;
  return session === undefined ? undefined : { driverId: session.driverId, shard: database.id };
}
