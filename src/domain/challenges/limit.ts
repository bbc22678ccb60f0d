import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { MessagePurpose } from '../../contract/message.ts';
import type { ProblemCode } from '../../core/catalogue.ts';
import { addSeconds, type Instant, toMillis } from '../../core/instant.ts';
import { networkOf, SITE_FACTOR, siteOf } from '../../core/network-address.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { CODE_WINDOW_SECONDS, identityHmacOf } from './code.ts';
import { useBefore, useInsert } from './store.ts';

/**
 * A limit on how often something may be done. Uses are counted in the database, so the count covers all isolates and
 * survives restarts.
 */
export interface Limit {
  readonly bucket: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** The minimum time between two uses. */
  readonly spacingSeconds?: number;
  /** The problem code above the limit. */
  readonly code: Extract<ProblemCode, 'RATE_LIMITED' | 'OTP_RATE_LIMITED' | 'MESSAGE_PROVIDER_UNAVAILABLE'>;
}

export const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** No limit has a longer window, so older uses can be deleted. */
export const USES_KEPT_SECONDS = DAY_SECONDS;

export interface LimitSettings {
  readonly credentialKey: string;
  readonly rateLimits: {
    readonly codes: number;
    readonly codesOfAddress: number;
    readonly recipientCodes: number;
    readonly registrations: number;
    readonly sms: number;
    readonly registrationSms: number;
    readonly invitations: number;
  };
}

/** Codes of one identity (a phone, an e-mail address, a person, a registration). */
export async function codesOfIdentity(settings: LimitSettings, identity: string, spacingSeconds = 0): Promise<Limit> {
  const bucket = await bucketOf(settings, `codes of ${identity}`);
  const { codes: max } = settings.rateLimits;
  return { bucket, max, windowSeconds: CODE_WINDOW_SECONDS, spacingSeconds, code: 'OTP_RATE_LIMITED' };
}

/** Codes to the recipient of one shipment, by whatever link: somebody who has a link must not be able to fill the phone. */
export async function codesOfShipment(
  settings: LimitSettings,
  shipmentId: Uuid,
  spacingSeconds: number,
): Promise<Limit> {
  const bucket = await bucketOf(settings, `codes to the recipient of ${shipmentId}`);
  const { recipientCodes: max } = settings.rateLimits;
  return { bucket, max, windowSeconds: HOUR_SECONDS, spacingSeconds, code: 'OTP_RATE_LIMITED' };
}

/** Look-ups of addresses on the page of one shipment's recipient in a day. */
const LOOK_UPS_MAX = 20;

/** The national registry has a quota for the whole deployment, which one recipient must not use up. */
export async function lookUpsOfShipment(
  settings: Pick<LimitSettings, 'credentialKey'>,
  shipmentId: Uuid,
): Promise<Limit> {
  const bucket = await bucketOf(settings, `look-ups of the recipient of ${shipmentId}`);
  return { bucket, max: LOOK_UPS_MAX, windowSeconds: DAY_SECONDS, code: 'RATE_LIMITED' };
}

/** Phones that one person asks about in a day: more than they type. Finding four masked digits needs up to 10,000 tries, so 20 days. */
const KNOWN_PHONES_MAX = 500;
/** Those of a whole company, whose people could share the tries. */
const KNOWN_PHONES_OF_COMPANY_MAX = 2_000;

/** The answer says whether a phone is that of an earlier shipment, whose phone is masked everywhere else. */
export async function knownPhonesOf(
  settings: Pick<LimitSettings, 'credentialKey'>,
  companyId: Uuid,
  asker: string,
): Promise<Limit[]> {
  const bucket = await bucketOf(settings, `known recipients for ${asker}`);
  const ofCompany = await bucketOf(settings, `known recipients of ${companyId}`);
  const terms = { windowSeconds: DAY_SECONDS, code: 'RATE_LIMITED' } as const;
  return [
    { bucket, max: KNOWN_PHONES_MAX, ...terms },
    { bucket: ofCompany, max: KNOWN_PHONES_OF_COMPANY_MAX, ...terms },
  ];
}

/** Codes requested from one network address, for any identity. No limit if the runtime does not know addresses. */
export async function codesOfAddress(settings: LimitSettings, address: string | null): Promise<Limit[]> {
  const { codesOfAddress: max } = settings.rateLimits;
  const terms = { max, windowSeconds: CODE_WINDOW_SECONDS, code: 'OTP_RATE_LIMITED' } as const;
  return limitsOfAddress(settings, address, { what: 'codes', ...terms });
}

export async function registrationsOfAddress(settings: LimitSettings, address: string | null): Promise<Limit[]> {
  const { registrations: max } = settings.rateLimits;
  const terms = { max, windowSeconds: HOUR_SECONDS, code: 'RATE_LIMITED' } as const;
  return limitsOfAddress(settings, address, { what: 'registrations', ...terms });
}

/** One limit for an IPv4 address; for an IPv6 address one for its /64 and a larger one for its /48. */
async function limitsOfAddress(
  settings: LimitSettings,
  address: string | null,
  { what, ...terms }: Omit<Limit, 'bucket'> & { readonly what: string },
): Promise<Limit[]> {
  if (address === null) return [];
  const network = { ...terms, bucket: await bucketOf(settings, `${what} from ${networkOf(address)}`) };
  const site = siteOf(address);
  if (site === undefined) return [network];
  const bucket = await bucketOf(settings, `${what} from site ${site}`);
  return [network, { ...terms, bucket, max: terms.max * SITE_FACTOR }];
}

/**
 * Notices of one purpose that a recipient gets in a day. Further ones are not sent, so that nobody can fill another
 * person's inbox.
 */
const NOTICES_MAX = 3;

/**
 * Each purpose is counted separately, so that registrations by strangers cannot hold back an invitation or a warning.
 */
export async function noticesTo(settings: LimitSettings, recipient: string, purpose: string): Promise<Limit> {
  const bucket = await bucketOf(settings, `${purpose} notices to ${recipient}`);
  return { bucket, max: NOTICES_MAX, windowSeconds: DAY_SECONDS, code: 'RATE_LIMITED' };
}

/** Invitations of one company in a day. Who removes a person and adds another uses one more. */
const INVITATIONS_MAX = 50;

/** Invitations of a company in a day, and of the whole deployment in an hour: they are sent in the service's name. */
export async function invitationsOf(settings: LimitSettings, companyId: Uuid): Promise<Limit[]> {
  const code = 'OTP_RATE_LIMITED';
  const ofCompany = await bucketOf(settings, `invitations of ${companyId}`);
  const ofDeployment = await bucketOf(settings, 'invitations of the deployment');
  return [
    { bucket: ofCompany, max: INVITATIONS_MAX, windowSeconds: DAY_SECONDS, code },
    { bucket: ofDeployment, max: settings.rateLimits.invitations, windowSeconds: HOUR_SECONDS, code },
  ];
}

/**
 * SMS that the whole deployment sends in an hour. This bounds the cost of an attack from many addresses. Anybody can
 * register, so registrations count apart: strangers cannot use up the sign-ins of people and drivers.
 */
export async function smsOfDeployment(settings: LimitSettings, purpose: MessagePurpose): Promise<Limit> {
  const isRegistration = purpose === 'REGISTRATION';
  const bucket = await bucketOf(settings, isRegistration ? 'SMS of registrations' : 'SMS of the deployment');
  const { sms, registrationSms } = settings.rateLimits;
  const max = isRegistration ? registrationSms : sms;
  return { bucket, max, windowSeconds: HOUR_SECONDS, code: 'MESSAGE_PROVIDER_UNAVAILABLE' };
}

/**
 * A registration has two documents. Each repeated upload leaves a replaced object in the store until the next sweep.
 */
const UPLOADS_MAX = 30;

/** Document uploads of one registration, including repeated ones. */
export async function uploadsOfRegistration(
  settings: Pick<LimitSettings, 'credentialKey'>,
  registrationId: Uuid,
): Promise<Limit> {
  const bucket = await bucketOf(settings, `uploads of ${registrationId}`);
  return { bucket, max: UPLOADS_MAX, windowSeconds: HOUR_SECONDS, code: 'RATE_LIMITED' };
}

export interface SecretLimitSettings {
  readonly credentialKey: string;
  readonly rateLimits: { readonly secrets: number };
}

/** Secrets that a company creates for its API credential, or an operator for programs. */
export async function secretsOf(settings: SecretLimitSettings, ownerId: Uuid): Promise<Limit> {
  const bucket = await bucketOf(settings, `secrets of ${ownerId}`);
  return { bucket, max: settings.rateLimits.secrets, windowSeconds: HOUR_SECONDS, code: 'RATE_LIMITED' };
}

/** Statements that count one use of each limit. They refuse the unit if a limit is exceeded. */
export function useStatements(limits: readonly Limit[], now: Instant): WriteStatement[] {
  return limits.map(({ bucket, max, windowSeconds, spacingSeconds = 0 }) => {
    const since = addSeconds(now, -windowSeconds);
    // Without spacing, use an instant in the future, because no use is later.
    const spacedSince = addSeconds(now, spacingSeconds === 0 ? windowSeconds : -spacingSeconds);
    return useInsert({ bucket, now, since, max, spacedSince });
  });
}

/** Whether a limit is used up. This does not count as a use. */
async function isUsedUp(database: Database, limit: Limit, now: Instant): Promise<Result<boolean>> {
  const since = addSeconds(now, -limit.windowSeconds);
  const answer = await database.read(useBefore(limit.bucket, since, limit.max - 1));
  return answer.ok ? ok(answer.rows.length > 0) : unavailable();
}

/** The refusal if any of the limits is used up. This does not count as a use. */
export async function usedUpRefusal(
  database: Database,
  limits: readonly Limit[],
  now: Instant,
): Promise<Refusal | undefined> {
  for (const limit of limits) {
    const used = await isUsedUp(database, limit, now);
    if (!used.ok) return used;
    if (used.value) return refusalOf(database, [limit], now);
  }
  return undefined;
}

/** The refusal when a unit with `useStatements` was refused: 429 with the time until every limit has room. */
export async function refusalOf(database: Database, limits: readonly Limit[], now: Instant): Promise<Refusal> {
  let waitSeconds = 1;
  // There may be room again by now, so the limit that refused is no longer known. The code is that of the first
  // limit.
  let code: Limit['code'] = limits[0]?.code ?? 'RATE_LIMITED';
  for (const limit of limits) {
    const since = addSeconds(now, -limit.windowSeconds);
    const answer = await database.readAll([
      useBefore(limit.bucket, since, limit.max - 1),
      useBefore(limit.bucket, since, 0),
    ] as const);
    if (!answer.ok) return unavailable();
    const [[counted], [newest]] = answer.results;
    const seconds = Math.max(
      secondsUntil(counted?.usedAt, limit.windowSeconds, now),
      secondsUntil(newest?.usedAt, limit.spacingSeconds ?? 0, now),
    );
    if (seconds > waitSeconds) {
      waitSeconds = seconds;
      code = limit.code;
    }
  }
  return refuse(code, { retryAfterSeconds: waitSeconds });
}

function secondsUntil(usedAt: Instant | undefined, seconds: number, now: Instant): number {
  if (usedAt === undefined) return 0;
  return Math.ceil((toMillis(addSeconds(usedAt, seconds)) - toMillis(now)) / 1000);
}

function bucketOf({ credentialKey }: Pick<LimitSettings, 'credentialKey'>, text: string): Promise<string> {
  return identityHmacOf(credentialKey, `limit: ${text}`);
}
