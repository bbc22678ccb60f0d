import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { GivenProof } from '../../contract/driver.ts';
import type { MediaContentType } from '../../contract/media-asset-state.ts';
import type { Evidence, MissingProof, PinMessage, ProofKind, ProofMediaPurpose } from '../../contract/proof-state.ts';
import type { Location } from '../../contract/shipment.ts';
import type { FailureReason } from '../../contract/shipment-state.ts';
import { sha256Hex } from '../../core/crypto.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Deployment } from '../../core/deployment.ts';
import { metersBetween } from '../../core/earth.ts';
import { addSeconds, formatInstant, type Instant, instantOrNull, parseInstant, toMillis } from '../../core/instant.ts';
import { canonicalJson, parseStored } from '../../core/json.ts';
import { PIN_MESSAGE_SECONDS } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { proofTermsOf } from '../companies/proof-terms.ts';
import { settle } from '../settle.ts';
import { CARRIER_FAULTS } from '../shipments/lifecycle.ts';
import type { SealedProof } from '../shipments/proof-store.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import {
  attemptEvidence,
  attemptPolicyOf,
  deliveryEvidence,
  missingOfAttempt,
  missingOfDelivery,
  needsDoor,
  requiredKinds,
} from './evidence.ts';
import { isPin, type PinKeys, pinTagOf } from './pin.ts';
import {
  mediaOf,
  PIN_TRIES_MAX,
  type ProgressRow,
  type ProofMediaRow,
  pinProgress,
  pinTried,
  progressOf,
  versionedAt,
} from './store.ts';

/* What an action proves, before its command: so a refusal changes nothing but the count of wrong PINs. */

export interface ProofDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly config: PinKeys & { readonly deployment: Deployment };
}

/** The shipment as its driver has it. */
export type ProvenShipment = ShipmentRow & {
  readonly proofTerms: string | null;
};

/** Where a driver was, and when the phone measured it. */
export interface Whereabouts {
  readonly latitude: Decimal;
  readonly longitude: Decimal;
  readonly positionAt: string;
}

export interface ProofOrder {
  readonly action: 'DELIVER' | 'FAIL';
  readonly reasonCode?: FailureReason | undefined;
  readonly proof?: GivenProof | undefined;
  /** Where the driver is now, if that is known. */
  readonly here: Whereabouts | null;
  /** The first arrival at the door. */
  readonly arrival: Arrival | null;
  /** When the driver took the action: null if that cannot be believed, undefined if the client did not say. */
  readonly takenAt?: Instant | null | undefined;
  /** When the driver called, judged in the same way. */
  readonly calledAt?: Instant | null | undefined;
}

interface Arrival {
  readonly arrivedAt: string;
  readonly takenAt?: string | null;
  readonly position: Whereabouts | null;
}

/** The record as it is stored and hashed. */
export interface ProofRecord {
  readonly shipmentId: Uuid;
  readonly kind: 'DELIVERY' | 'ATTEMPT';
  readonly evidence: Evidence;
  readonly reasonCode: FailureReason | null;
  readonly required: readonly ProofKind[];
  readonly pin: { readonly verifiedAt: string } | null;
  /** What became of the message with the PIN; null if none was required. */
  readonly pinMessage: PinMessage | null;
  readonly signedBy: string | null;
  readonly media: readonly {
    readonly mediaAssetId: Uuid;
    readonly purpose: ProofMediaPurpose;
    readonly sha256: string;
    readonly contentType: MediaContentType;
    readonly sizeBytes: number;
    readonly recordedAt: string;
  }[];
  readonly place: {
    readonly latitude: string;
    readonly longitude: string;
    readonly recordedAt: string;
    readonly metersFromDestination: number;
  } | null;
  readonly arrivedAt: string | null;
  /** When the driver tapped the arrival; null if that is not known. */
  readonly arrivalTakenAt: string | null;
  readonly waitedSeconds: number | null;
  /** When the driver last called the recipient, as they say; null if that is not known. */
  readonly calledAt: string | null;
  /** When an operator let it pass without all that was required. */
  readonly releasedAt: string | null;
  /** When the driver tapped; null if that is not known. */
  readonly takenAt: string | null;
  readonly recordedAt: string;
}

interface Facts {
  readonly progress: ProgressRow | undefined;
  /** Of the PIN as it is now. */
  readonly pin: ProgressRow | undefined;
  readonly pinTag: string;
  readonly media: readonly ProofMediaRow[];
}

/**
 * The record of a delivery or a failure; undefined if nothing is to be recorded: a delivery that needs no proof and brings none, and a parcel
 * that the carrier has lost or damaged. 422 with what is missing, or for a wrong PIN.
 */
export async function prepareProof(
  dependencies: ProofDependencies,
  scope: CompanyScope,
  shipment: ProvenShipment,
  order: ProofOrder,
): Promise<Result<SealedProof | undefined>> {
  const terms = proofTermsOf(shipment.proofTerms, dependencies.config.deployment);
  const valued = { ...shipment, requirements: parseStored<string[]>(shipment.requirements) };
  const { action, reasonCode, proof } = order;
  const required = action === 'DELIVER' ? requiredKinds(valued, terms) : [];
  const isFault = reasonCode !== undefined && CARRIER_FAULTS.includes(reasonCode);
  if (proof === undefined && (action === 'DELIVER' ? required.length === 0 : isFault)) return ok(undefined);
  const facts = await readFacts(dependencies, scope, shipment, proof?.mediaAssetIds ?? []);
  if (!facts.ok) return facts;
  const at = { scope, shipment, order, facts: facts.value, now: dependencies.clock.now() };
  if (action === 'DELIVER') return proveDelivery(dependencies, at, required);
  const isFree = attemptPolicyOf(valued.requirements, terms) === 'FREE';
  return proveAttempt(at, { waitSeconds: terms.waitSeconds, mayBeRefused: !isFree });
}

async function readFacts(
  { database, config }: ProofDependencies,
  scope: CompanyScope,
  shipment: ProvenShipment,
  named: readonly Uuid[],
): Promise<Result<Facts>> {
  const read = await database.readAll([progressOf(scope, shipment.id), mediaOf(scope, shipment.id)] as const);
  if (!read.ok) return unavailable();
  const [[progress], rows] = read.results;
  const pinTag = await pinTagOf(config, shipment);
  const media: ProofMediaRow[] = [];
  for (const [index, id] of named.entries()) {
    const found = rows.find((row) => row.id === id && row.state === 'READY');
    if (found === undefined)
      return refuse('VALIDATION_FAILED', {
        violations: [{ field: `proof.mediaAssetIds[${index}]`, code: 'NOT_IN_ENUM' }],
      });
    media.push(found);
  }
  return ok({ progress, pin: pinProgress(progress, pinTag), pinTag, media });
}

interface Proving {
  readonly scope: CompanyScope;
  readonly shipment: ProvenShipment;
  readonly order: ProofOrder;
  readonly facts: Facts;
  readonly now: Instant;
}

async function proveDelivery(
  dependencies: ProofDependencies,
  proving: Proving,
  required: readonly ProofKind[],
): Promise<Result<SealedProof>> {
  const { shipment, order, facts, now } = proving;
  const needsPin = required.includes('PIN');
  const pin = needsPin ? order.proof?.pin : undefined;
  const given = new Set<ProofKind>(pin === undefined ? [] : ['PIN']);
  if (facts.media.some(({ purpose }) => purpose === 'DELIVERY_PHOTO')) given.add('PHOTO');
  if (facts.media.some(({ purpose }) => purpose === 'SIGNATURE')) given.add('SIGNATURE');
  const message = needsPin ? await messageOf(dependencies.database, proving) : ok(null);
  if (!message.ok) return message;
  const pinMessage = message.value;
  const isReleased = (facts.progress?.releasedAt ?? null) !== null;
  const hasPin = pinMessage !== 'FAILED';
  // Before the PIN, so that no try is used up for a delivery that lacks something else.
  const missing = missingOfDelivery({ required, given, hasPin, isReleased });
  if (missing.length > 0) return missingRefusal(missing);
  if (pin !== undefined) {
    const tried = await tryPin(dependencies, proving, pin);
    if (!tried.ok) return tried;
  }
  return ok(
    await seal(shipment, {
      ...common(proving, order.here),
      kind: 'DELIVERY',
      evidence: deliveryEvidence({ required, given }),
      required,
      pin: pin === undefined ? null : { verifiedAt: formatInstant(facts.pin?.verifiedAt ?? now) },
      pinMessage,
    }),
  );
}

/**
 * What became of the message. One that reached the recipient says more than a failed one before or after it. It is sent after the answer
 * to the departure or to the amendment that needs a new PIN, so without a word of it yet it is on its way for a while: a driver who is
 * faster cannot do without the PIN.
 */
async function messageOf(
  database: Database,
  { scope, shipment, facts: { pin }, now }: Proving,
): Promise<Result<PinMessage>> {
  if ((pin?.seenAt ?? null) !== null) return ok('SEEN');
  if ((pin?.sentAt ?? null) !== null) return ok('SENT');
  if ((pin?.unsentAt ?? null) !== null) return ok('FAILED');
  const read = await database.read(versionedAt(scope, shipment));
  if (!read.ok) return unavailable();
  const since = read.rows[0]?.occurredAt;
  return ok(since !== undefined && now < addSeconds(since, PIN_MESSAGE_SECONDS) ? 'SENT' : 'FAILED');
}

async function tryPin(
  { database, writer, config }: ProofDependencies,
  { scope, shipment, facts: { pinTag }, now }: Proving,
  given: string,
): Promise<Result<true>> {
  const { id: shipmentId, companyId } = shipment;
  const isRight = await isPin(config, shipment, given);
  const row = { shipmentId, companyId, pinTag };
  const tried = settle(await writer.commit({ statements: [pinTried(row, isRight, now)] }));
  if (!tried.ok) return tried;
  if (tried.value && isRight) return ok(true);
  const read = await database.read(progressOf(scope, shipmentId));
  const wrong = read.ok ? pinProgress(read.rows[0], pinTag)?.wrongTries : undefined;
  if (wrong === undefined) return unavailable();
  return refuse('PROOF_PIN_INVALID', { members: { attemptsRemaining: Math.max(0, PIN_TRIES_MAX - wrong) } });
}

async function proveAttempt(
  proving: Proving,
  { waitSeconds, mayBeRefused }: { readonly waitSeconds: number; readonly mayBeRefused: boolean },
): Promise<Result<SealedProof>> {
  const { shipment, order, facts } = proving;
  const { reasonCode = null } = order;
  const record = common(proving, null);
  const photos = facts.media.filter(({ purpose }) => purpose !== 'SIGNATURE').length;
  const { waitedSeconds, place } = record;
  const attempt = {
    waitedSeconds,
    metersFromDestination: place?.metersFromDestination ?? null,
    waitSeconds,
    photos,
  };
  const missing = missingOfAttempt(attempt);
  if (mayBeRefused && reasonCode !== null && needsDoor(reasonCode) && missing.length > 0) {
    const leftSeconds = missing.includes('WAIT') ? waitSeconds - (waitedSeconds ?? 0) : undefined;
    if (record.releasedAt === null) return missingRefusal(missing, leftSeconds);
    if (photos === 0) return missingRefusal(['PHOTO']);
  }
  const evidence = attemptEvidence(attempt);
  return ok(await seal(shipment, { ...record, kind: 'ATTEMPT', evidence, required: [], pin: null, pinMessage: null }));
}

/** What both kinds of records say. The place is that of the position, or else that of the arrival at the door. */
function common({ shipment, order, facts, now }: Proving, here: Whereabouts | null) {
  const { arrival, takenAt } = order;
  const place = here ?? arrival?.position ?? null;
  const destination = parseStored<Location>(shipment.destination);
  return {
    reasonCode: order.reasonCode ?? null,
    signedBy: order.proof?.signedBy ?? null,
    media: facts.media.map(({ id: mediaAssetId, purpose, sha256, contentType, sizeBytes, recordedAt }) => {
      return { mediaAssetId, purpose, sha256, contentType, sizeBytes, recordedAt: formatInstant(recordedAt) };
    }),
    place:
      place === null
        ? null
        : {
            latitude: place.latitude,
            longitude: place.longitude,
            recordedAt: place.positionAt,
            metersFromDestination: Math.round(
              metersBetween(place, {
                latitude: Number(destination.latitude),
                longitude: Number(destination.longitude),
              }),
            ),
          },
    arrivedAt: arrival?.arrivedAt ?? null,
    arrivalTakenAt: arrival?.takenAt ?? null,
    waitedSeconds: arrival === null ? null : waitOf(arrival, takenAt, now),
    calledAt: instantOrNull(order.calledAt ?? null),
    releasedAt: instantOrNull(facts.progress?.releasedAt ?? null),
    takenAt: instantOrNull(takenAt ?? null),
    recordedAt: formatInstant(now),
  };
}

/**
 * From tap to tap, in seconds. If the tap of the end cannot be believed, from commit to commit: both may have waited for the same connection, and
 * the time without it was no wait.
 */
function waitOf({ arrivedAt, takenAt: cameAt }: Arrival, leftAt: Instant | null | undefined, now: Instant): number {
  const from = parseInstant(leftAt === null ? arrivedAt : (cameAt ?? arrivedAt));
  const to = leftAt ?? now;
  return from === undefined ? 0 : Math.max(0, Math.floor((toMillis(to) - toMillis(from)) / 1000));
}

/** `leftSeconds`: of the wait at the door. */
function missingRefusal(missing: readonly MissingProof[], leftSeconds?: number) {
  return refuse('PROOF_REQUIRED', { members: { missing }, retryAfterSeconds: leftSeconds });
}

/** The record as text, with its hash. */
export async function seal(
  { id: shipmentId }: { readonly id: Uuid },
  facts: Omit<ProofRecord, 'shipmentId'>,
): Promise<SealedProof> {
  const record: ProofRecord = { shipmentId, ...facts };
  const text = canonicalJson(record);
  return { evidence: record.evidence, sha256: await sha256Hex(new TextEncoder().encode(text)), record: text };
}

/** Whether a repeated delivery has the PIN of the delivery before it, whose answer was lost. */
export function isRepeatedDelivery(
  { config }: Pick<ProofDependencies, 'config'>,
  shipment: ShipmentRow,
  { action, proof }: { readonly action: string; readonly proof?: GivenProof | undefined },
): Promise<boolean> {
  if (action !== 'DELIVER' || shipment.state !== 'DELIVERED' || proof?.pin === undefined) return Promise.resolve(false);
  return isPin(config, shipment, proof.pin);
}
