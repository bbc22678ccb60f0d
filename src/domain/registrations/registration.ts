import { tokenHashOf } from '../../access/authenticate.ts';
import type { Registration, RegistrationRequest, VerificationResent } from '../../contract/registration.ts';
import { toBase64Url } from '../../core/base64url.ts';
import { hmacOf } from '../../core/crypto.ts';
import type { Deployment } from '../../core/deployment.ts';
import { emailOf } from '../../core/email.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { CODE_ATTEMPTS_MAX } from '../../core/limits.ts';
import { maskPhone, toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import {
  type ChallengeDependencies,
  channelRefusal,
  commitWithinLimits,
  type Made,
  makeChallenge,
  messagesUnavailable,
  prepareChallenge,
  sendNotice,
  sendQuietly,
  smsRefusal,
  useGivenBack,
} from '../challenges/challenge.ts';
import { CODE_SPACING_SECONDS } from '../challenges/code.ts';
import { codesOfAddress, codesOfIdentity, type LimitSettings, registrationsOfAddress } from '../challenges/limit.ts';
import { type AnswerSeal, fingerprintOf } from '../idempotency/once.ts';
import { numberViolations, requiredDocumentsOf, shardFor } from './requirement.ts';
import {
  draftAbandoned,
  personOf,
  type RegistrationRow,
  registrationById,
  registrationInsertion,
  registrationOfRequest,
} from './store.ts';

export interface RegistrationDependencies extends ChallengeDependencies {
  readonly endpointSecrets: AnswerSeal;
  readonly shards: ReadonlyMap<string, unknown>;
  readonly config: LimitSettings & { readonly deployment: Deployment };
}

export const DRAFT_SECONDS = 7 * 24 * 3600;
export const CAPABILITY_SECONDS = 30 * 60;
const CAPABILITY_BYTES = 32;
/** Without a key: how soon the same request is a second click and not a second registration. */
const DOUBLE_CLICK_SECONDS = 10;

export interface Registered {
  readonly registration: Registration;
  /** Whether an earlier request with the same idempotency key made the draft. */
  readonly isReplay: boolean;
}

/**
 * Registers, or repeats the answer of an earlier request as long as its capability is valid: of one with the same key and body, or
 * without a key of the same body in the last seconds. Nobody is known here, so a key alone identifies nothing: another body is
 * another registration.
 */
export async function register(
  dependencies: RegistrationDependencies,
  { idempotencyKey: key, ...request }: RegistrationRequest & { readonly idempotencyKey?: string | undefined },
  address: string | null,
): Promise<Result<Registered>> {
  const { directory, clock, config, endpointSecrets } = dependencies;
  const isKeyed = key !== undefined;
  const onceHmac = await hmacOf(config.credentialKey, `registration ${key ?? ''} ${await fingerprintOf(request)}`);
  const now = clock.now();
  const since = isKeyed ? addSeconds(now, -DRAFT_SECONDS) : addSeconds(now, -DOUBLE_CLICK_SECONDS);
  const find = async (): Promise<Result<Registered | undefined>> => {
    const found = await directory.database.read(registrationOfRequest({ onceHmac, since, now: clock.now() }));
    if (!found.ok) return unavailable();
    const [first] = found.rows;
    if (first === undefined) return ok(undefined);
    const answer = await endpointSecrets.open(subjectOf(first.id), first.sealedAnswer);
    return ok({ registration: parseStored<Registration>(answer), isReplay: isKeyed });
  };
  const earlier = await find();
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return ok(earlier.value);
  const made = await makeDraft(dependencies, request, { address, onceHmac, since });
  if (made.ok) return ok({ registration: made.value, isReplay: false });
  // The unit is also refused if the same request was faster.
  const faster = await find();
  return faster.ok && faster.value !== undefined ? ok(faster.value) : made;
}

function subjectOf(registrationId: Uuid): string {
  return `registration ${registrationId}`;
}

/**
 * Creates a draft and sends a code to the mobile. If the e-mail address or the mobile already signs a person in, the
 * response and the work are the same, and the draft may even be completed. Only that person is informed, by e-mail.
 */
async function makeDraft(
  dependencies: RegistrationDependencies,
  request: RegistrationRequest,
  { address, onceHmac, since }: { readonly address: string | null; readonly onceHmac: string; readonly since: Instant },
): Promise<Result<Registration>> {
  const { directory, config, endpointSecrets } = dependencies;
  const violations = numberViolations(request);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  if (isSilent(dependencies)) return messagesUnavailable();
  const refused = await smsRefusal(dependencies, 'REGISTRATION');
  if (refused !== undefined) return refused;
  const { row, uploadCapability } = await draftOf(dependencies, request);
  const ofMobile = await codesOfIdentity(config, row.mobile);
  const limits = [
    ...(await registrationsOfAddress(config, address)),
    ...(await codesOfAddress(config, address)),
    ofMobile,
  ];
  const order = { purpose: 'REGISTRATION', subject: row.id, channel: 'SMS', limits } as const;
  const { made, statements } = await prepareChallenge(dependencies, order);
  const answer = present(dependencies, row, { uploadCapability, made });
  const sealedAnswer = await endpointSecrets.seal(subjectOf(row.id), JSON.stringify(answer));
  const insertion = registrationInsertion({ ...row, onceHmac, sealedAnswer }, since);
  const kept = await commitWithinLimits(dependencies, limits, { made, statements: [...insertion, ...statements] });
  if (!kept.ok) return kept;
  const known = await directory.database.read(personOf(row.email));
  if (!known.ok) return unavailable();
  const isSent = await sendBoth(dependencies, row, { code: made.code, isKnown: known.rows.length > 0 });
  if (isSent) return ok(answer);
  // Nobody can continue this draft, because its code was not sent and the answer does not name it.
  await useGivenBack(dependencies, ofMobile, made, [draftAbandoned(row.id, made.createdAt)]);
  return messagesUnavailable();
}

/** No code can be sent, and the response does not contain it either. */
function isSilent({ messages, config }: Pick<RegistrationDependencies, 'messages' | 'config'>): boolean {
  return channelRefusal(messages, 'SMS') !== undefined && config.deployment !== 'sandbox';
}

type Draft = Omit<RegistrationRow, 'onceHmac' | 'sealedAnswer'>;

async function draftOf(
  { clock, random, shards }: RegistrationDependencies,
  request: RegistrationRequest,
): Promise<{ readonly row: Draft; readonly uploadCapability: string }> {
  const { storeName, legalBasis, fullName, deviceReference } = request;
  const uploadCapability = `upl_${toBase64Url(random.bytes(CAPABILITY_BYTES))}`;
  const createdAt = clock.now();
  const companyId = random.uuid();
  const row: Draft = {
    id: random.uuid(),
    state: 'DRAFT',
    storeName,
    legalBasis,
    fullName,
    deviceReference,
    companyId,
    createdAt,
    commercialRegistrationNumber: request.commercialRegistrationNumber ?? null,
    email: emailOf(request.email),
    mobile: toE164(request.mobileNumber),
    ownerId: random.uuid(),
    shard: shardFor(companyId, [...shards.keys()]),
    uploadCapabilityHash: await tokenHashOf(uploadCapability),
    uploadCapabilityExpiresAt: addSeconds(createdAt, CAPABILITY_SECONDS),
    expiresAt: addSeconds(createdAt, DRAFT_SECONDS),
    completedAt: null,
    provisionedAt: null,
    review: null,
    reviewedBy: null,
    reviewReason: null,
    reviewedAt: null,
    documentsUntil: null,
  };
  return { row, uploadCapability };
}

/** Sends the code to the mobile, and a notice to the e-mail address: that a registration started, or that it has an account. */
async function sendBoth(
  dependencies: RegistrationDependencies,
  { mobile, email }: Draft,
  { code, isKnown }: { readonly code: string; readonly isKnown: boolean },
): Promise<boolean> {
  const { messages } = dependencies;
  if (messages.provider === 'none') return true;
  const purpose = isKnown ? 'ALREADY_REGISTERED' : 'REGISTRATION_BEGUN';
  const [isSent] = await Promise.all([
    messages.send({ channel: 'SMS', recipient: mobile, purpose: 'REGISTRATION', code }),
    sendNotice(dependencies, { channel: 'EMAIL', recipient: email, purpose }),
  ]);
  return isSent;
}

function present(
  { config }: RegistrationDependencies,
  row: Draft,
  { uploadCapability, made }: { readonly uploadCapability: string; readonly made: Made },
): Registration {
  const { sandboxOtp, ...verification } = verificationOf(config, made);
  return {
    registrationId: row.id,
    uploadCapability,
    uploadCapabilityExpiresAt: formatInstant(row.uploadCapabilityExpiresAt),
    state: row.state,
    requiredDocuments: requiredDocumentsOf(row.legalBasis, []),
    verification: { channel: 'SMS', maskedDestination: maskPhone(row.mobile), ...verification },
    expiresAt: formatInstant(row.expiresAt),
    ...(sandboxOtp === undefined ? {} : { sandboxOtp }),
  };
}

function verificationOf({ deployment }: RegistrationDependencies['config'], made: Made): VerificationResent {
  return {
    expiresAt: formatInstant(made.expiresAt),
    resendAvailableAt: formatInstant(addSeconds(made.createdAt, CODE_SPACING_SECONDS)),
    attemptsRemaining: CODE_ATTEMPTS_MAX,
    ...(deployment === 'sandbox' ? { sandboxOtp: made.code } : {}),
  };
}

/** Replaces the last code. An unknown or finished registration is counted and gets the same response. */
export async function resendCode(
  dependencies: RegistrationDependencies,
  registrationId: Uuid,
  address: string | null,
): Promise<Result<VerificationResent>> {
  const { directory, clock, messages, config } = dependencies;
  if (isSilent(dependencies)) return messagesUnavailable();
  const found = await directory.database.read(registrationById(registrationId));
  if (!found.ok) return unavailable();
  const [row] = found.rows;
  const isLive = row?.state === 'DRAFT' && clock.now() < row.expiresAt;
  const identity = isLive ? row.mobile : registrationId;
  const limits = [
    await codesOfIdentity(config, identity, CODE_SPACING_SECONDS),
    ...(await codesOfAddress(config, address)),
  ];
  const order = { purpose: 'REGISTRATION', subject: registrationId, channel: 'SMS', limits } as const;
  const made = await makeChallenge(dependencies, order);
  if (!made.ok) return made;
  if (isLive && messages.provider !== 'none') {
    const message = { channel: 'SMS', recipient: row.mobile, purpose: 'REGISTRATION', code: made.value.code } as const;
    await sendQuietly(dependencies, message);
  }
  return ok(verificationOf(config, made.value));
}
