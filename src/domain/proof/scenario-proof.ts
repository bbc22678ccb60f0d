import type { Location } from '../../contract/shipment.ts';
import type { FailureReason } from '../../contract/shipment-state.ts';
import { formatInstant, type Instant, toMillis } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { CARRIER_FAULTS } from '../shipments/lifecycle.ts';
import type { SealedProof } from '../shipments/proof-store.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { attemptEvidence, deliveryEvidence, requiredKinds } from './evidence.ts';
import { seal } from './prepare.ts';

/* What a sandbox's scenario proves: it arrives, waits and asks for the PIN as a good driver does. It has no camera. */

export interface PlayedAction {
  /** Undefined for a delivery. */
  readonly reasonCode: FailureReason | undefined;
  /** When the shipment set out: the scenario's driver is at the door from then on. */
  readonly since: Instant;
  readonly now: Instant;
  readonly hasArrived: boolean;
  /** The driver was told a wrong PIN until no try was left. */
  readonly hasWrongPin: boolean;
}

/** The record of a scenario's delivery or failure; undefined if nothing has to be proven. */
export async function playedProof(shipment: ShipmentRow, action: PlayedAction): Promise<SealedProof | undefined> {
  const { reasonCode, since, now, hasArrived, hasWrongPin } = action;
  if (reasonCode !== undefined && CARRIER_FAULTS.includes(reasonCode)) return undefined;
  const requirements = parseStored<string[]>(shipment.requirements);
  const required =
    reasonCode === undefined ? requiredKinds({ ...shipment, requirements }, { proofPolicy: 'NONE' }) : [];
  if (reasonCode === undefined && required.length === 0) return undefined;
  const { latitude, longitude } = parseStored<Location>(shipment.destination);
  const waitedSeconds = hasArrived ? Math.max(0, Math.floor((toMillis(now) - toMillis(since)) / 1000)) : null;
  const metersFromDestination = hasArrived ? 0 : null;
  const given = new Set(required.filter((kind) => kind === 'PIN'));
  const evidence =
    reasonCode === undefined
      ? deliveryEvidence({ required, given })
      : attemptEvidence({ waitedSeconds, metersFromDestination, waitSeconds: 0, photos: 0 });
  const at = formatInstant(now);
  return seal(shipment, {
    kind: reasonCode === undefined ? 'DELIVERY' : 'ATTEMPT',
    evidence,
    reasonCode: reasonCode ?? null,
    required: hasWrongPin ? ['PIN'] : required,
    pin: given.has('PIN') ? { verifiedAt: at } : null,
    pinMessage: given.has('PIN') || hasWrongPin ? 'SENT' : null,
    signedBy: null,
    media: [],
    place: hasArrived ? { latitude, longitude, recordedAt: formatInstant(since), metersFromDestination: 0 } : null,
    arrivedAt: hasArrived ? formatInstant(since) : null,
    arrivalTakenAt: null,
    waitedSeconds,
    calledAt: null,
    // The pictures that a scenario cannot take are released.
    releasedAt: required.length > given.size ? at : null,
    takenAt: null,
    recordedAt: at,
  });
}
