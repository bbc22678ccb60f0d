import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import {
  type DriverPrincipal,
  type DriverSession,
  type DriverSessions,
  newDriverToken,
} from '../../access/driver-token.ts';
import { toBase64Url } from '../../core/base64url.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { SANDBOX_MOBILES, toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type ChallengeDependencies,
  channelRefusal,
  makeChallenge,
  sendQuietly,
  tryChallenge,
} from '../challenges/challenge.ts';
import { CODE_SPACING_SECONDS, identityHmacOf } from '../challenges/code.ts';
import { codesOfAddress, codesOfIdentity } from '../challenges/limit.ts';
import { challengeById, driverCodeTrial } from '../challenges/store.ts';
import { findForwarded } from '../moves/forwarding.ts';
import type { MoveBook } from '../moves/move-book.ts';
import { settle } from '../settle.ts';
import { commitLeave, type LeaveDependencies } from './leave.ts';
import { driverSessionInsert, driverSessionsDelete, dutyUpdate, liveDriverSession } from './store.ts';

interface Store {
  readonly database: Database;
  readonly writer: Writer;
}

export type CodeDependencies = Pick<ChallengeDependencies, 'directory' | 'clock' | 'random' | 'config'>;

/** The length of a working day. */
const SESSION_SECONDS = 12 * 3600;
const ANSWER_BYTES = 32;

export interface DriverChallenge {
  readonly challengeId: Uuid;
  readonly expiresAt: string;
}

/**
 * Sends a code to a driver's phone. An unknown phone is counted and answered in the same way, and the carrier is called
 * after the response. So neither the response nor its time reveals whether the phone is known. Nothing is sent to the
 * phone of a sandbox's driver.
 */
export async function startDriverSession(
  dependencies: ChallengeDependencies,
  { phone: spelling, address }: { readonly phone: string; readonly address: string | null },
): Promise<Result<DriverChallenge>> {
  const { directory, messages, config } = dependencies;
  // Checked before any lookup, so that the answer without a provider is the same for every caller.
  const silent = channelRefusal(messages, 'SMS');
  if (silent !== undefined) return silent;
  const phone = toE164(spelling);
  const made = await makeChallenge(dependencies, {
    purpose: 'DRIVER_SIGN_IN',
    subject: await identityHmacOf(config.credentialKey, phone),
    driverPhone: phone,
    channel: 'SMS',
    limits: [await codesOfIdentity(config, phone, CODE_SPACING_SECONDS), ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, expiresAt } = made.value;
  const kept = await directory.database.read(challengeById(id));
  if (!kept.ok) return unavailable();
  const mayBeSent = messages.provider === 'inbox' || !phone.startsWith(SANDBOX_MOBILES);
  if (kept.rows[0]?.driverId != null && mayBeSent)
    await sendQuietly(dependencies, { channel: 'SMS', recipient: phone, purpose: 'DRIVER_SIGN_IN', code });
  return ok({ challengeId: id, expiresAt: formatInstant(expiresAt) });
}

/**
 * A code for the driver of a company's sandbox. Only that company may answer it. It is returned instead of sent, so the
 * next one may be requested at once.
 */
export async function makeSandboxDriverCode(
  dependencies: CodeDependencies,
  { phone, companyId, address }: { readonly phone: string; readonly companyId: Uuid; readonly address: string | null },
): Promise<Result<DriverChallenge & { readonly code: string }>> {
  const { config } = dependencies;
  const made = await makeChallenge(dependencies, {
    purpose: 'SANDBOX_DRIVER_SIGN_IN',
    subject: companyId,
    driverPhone: phone,
    channel: 'SMS',
    limits: [await codesOfIdentity(config, phone), ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, expiresAt } = made.value;
  return ok({ challengeId: id, expiresAt: formatInstant(expiresAt), code });
}

export interface DriverVerification {
  readonly challengeId: Uuid;
  readonly otp: string;
  /** The company whose sandbox created the code; null for a code that was sent. */
  readonly companyId: Uuid | null;
}

/**
 * Creates a session if the code is correct. The token is returned only once, and the driver's earlier sessions end. The
 * token names the driver's shard, which is known only after the code is checked, so the challenge stores a separate
 * hash of the answer.
 */
export async function verifyDriverSession(
  dependencies: CodeDependencies & {
    readonly shards: ReadonlyMap<string, Store>;
    readonly driverSessions: DriverSessions;
  },
  { challengeId, otp, companyId }: DriverVerification,
): Promise<Result<{ driverToken: string; expiresAt: string }>> {
  const { shards, clock, random, driverSessions } = dependencies;
  const tried = await tryChallenge(dependencies, {
    challengeId,
    purpose: companyId === null ? 'DRIVER_SIGN_IN' : 'SANDBOX_DRIVER_SIGN_IN',
    subject: companyId,
    otp,
    answerHash: toBase64Url(random.bytes(ANSWER_BYTES)),
    statementsOf: (trial) => [driverCodeTrial(trial)],
  });
  if (!tried.ok) return tried;
  const { driverId, shard } = tried.value;
  const store = shards.get(shard ?? '');
  if (driverId === null || store === undefined) return unavailable();
  const driverToken = newDriverToken(store.database.id, random);
  const now = clock.now();
  const expiresAt = addSeconds(now, SESSION_SECONDS);
  const tokenHash = await tokenHashOf(driverToken);
  const session = driverSessionInsert({ tokenHash, driverId, createdAt: now, expiresAt });
  const begun = settle(await store.writer.commit({ statements: [driverSessionsDelete(driverId), session] }));
  driverSessions.deleteOf(driverId);
  if (!begun.ok) return begun;
  // Refused: the phone is registered, but its driver is no longer in the shard.
  return begun.value ? ok({ driverToken, expiresAt: formatInstant(expiresAt) }) : refuse('OTP_EXPIRED');
}

/** Ends the session of a driver, who has at most one, and puts the driver off duty. */
export async function endDriverSession(
  dependencies: LeaveDependencies & Pick<Store, 'writer'> & { driverSessions: DriverSessions; clock: Clock },
  { driverId }: DriverPrincipal,
): Promise<Result<true>> {
  const { writer, driverSessions, clock } = dependencies;
  const own = [driverSessionsDelete(driverId), dutyUpdate(driverId, false, clock.now())];
  const ended = await commitLeave(dependencies, driverId, async (givenUp) =>
    settle(await writer.commit({ ...givenUp, statements: [...own, ...givenUp.statements] })),
  );
  driverSessions.deleteOf(driverId);
  return ended;
}

interface FindDriverDependencies {
  readonly driverSessions: DriverSessions;
  readonly shards: ReadonlyMap<string, Store>;
  readonly clock: Clock;
  readonly moveBook: MoveBook;
  /** Throws if the shard is already serving as many requests as it can. */
  readonly enterShard: (shard: string, sentFrom?: string) => void;
}

/**
 * The driver of a session token; `unknown` if a shard did not answer. A sandbox's driver moves with the company, so the
 * driver is also looked up in the shards to which companies of the token's shard have moved.
 */
export async function findDriver(
  { driverSessions, ...dependencies }: FindDriverDependencies,
  named: string,
  tokenHash: string,
): Promise<DriverPrincipal | undefined | 'unknown'> {
  const readAt = dependencies.clock.now();
  const found = await findSession(dependencies, named, tokenHash);
  if (found === undefined || found === 'unknown') return found;
  driverSessions.set(tokenHash, found, readAt);
  const { driverId, shard, companyId } = found;
  return { driverId, shard, companyId };
}

/**
 * The driver of a session that this process knows. Undefined if it has to be read, also if the company of a sandbox's
 * driver may have moved.
 */
export async function knownDriver(
  { driverSessions, shards, moveBook, enterShard }: FindDriverDependencies,
  named: string,
  tokenHash: string,
): Promise<DriverPrincipal | undefined> {
  const session = driverSessions.get(tokenHash);
  const store = session && shards.get(session.shard);
  if (session === undefined || store === undefined) return undefined;
  const { companyId, shard } = session;
  if (companyId !== null && (await moveBook.forwardsOf(store.database))?.has(companyId) !== false) return undefined;
  enterShard(named);
  if (shard !== named) enterShard(shard, named);
  return session;
}

async function findSession(
  { shards, clock, moveBook, enterShard }: Omit<FindDriverDependencies, 'driverSessions'>,
  named: string,
  tokenHash: string,
): Promise<DriverSession | undefined | 'unknown'> {
  const first = shards.get(named);
  if (first === undefined) return undefined;
  enterShard(named);
  const found = await sessionIn(first.database, tokenHash, clock);
  if (found !== undefined) return found;
  return findForwarded({ shards, moveBook }, first, ({ database }) => {
    enterShard(database.id, named);
    return sessionIn(database, tokenHash, clock);
  });
}

async function sessionIn(
  database: Database,
  tokenHash: string,
  clock: Clock,
): Promise<DriverSession | undefined | 'unknown'> {
  const answer = await database.read(liveDriverSession(tokenHash, clock.now()));
  if (!answer.ok) return 'unknown';
  const [session] = answer.rows;
  return session === undefined ? undefined : { ...session, shard: database.id };
}
