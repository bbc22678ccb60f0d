import type { ScenarioName } from '../../../contract/driver-state.ts';
import {
  type FailureReason,
  hasDriver,
  isBeforeOffer,
  isTerminal,
  type ShipmentState,
} from '../../../contract/shipment-state.ts';
import { addSeconds, type Instant } from '../../../core/instant.ts';
import { type Refusal, refuse } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';

/** A shipment with a scenario, as it was read. */
export interface ScenarioProgress {
  readonly name: ScenarioName;
  readonly stepSeconds: number;
  /** The number of commands that this scenario has run. */
  readonly step: number;
  readonly state: ShipmentState;
  readonly stateSince: Instant;
  /** When the service itself acts next; for an offer, when it expires. */
  readonly dueAt: Instant | null;
  /** No driver is asked earlier: a new pickup window may have put the search off. */
  readonly searchFrom: Instant | null;
  /** Of the delivery window, if there is one. */
  readonly deliveryWindowEnd: Instant | null;
  readonly driverId: Uuid | null;
  readonly mainDriverId: Uuid;
  readonly reliefDriverId: Uuid;
}

/**
 * A driver's action; `OFFER`: an offer to the second driver, because the first cannot get two offers in a row; or `RECALL`, which is the
 * merchant's.
 */
export type ScenarioCommand =
  | { readonly name: 'ACCEPT' | 'DECLINE' | 'RELEASE' | 'PICK_UP' | 'DEPART' | 'DELIVER'; readonly driverId: Uuid }
  | { readonly name: 'FAIL'; readonly driverId: Uuid; readonly reasonCode: FailureReason }
  | { readonly name: 'OFFER'; readonly driverId: Uuid }
  | { readonly name: 'RECALL' };

/** `end`: the scenario has ended; with an error if it ended early. */
export type ScenarioStep =
  | { readonly kind: 'command'; readonly command: ScenarioCommand; readonly isLast: boolean }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'end'; readonly error: string | null };

type Act = 'ACCEPT' | 'DECLINE' | 'RELEASE' | 'PICK_UP' | 'DEPART' | 'DELIVER' | 'RECALL' | FailureReason;

/**
 * The driver's action in each state, up to the state in which the scenario ends; `last` is the action that leads there.
 */
interface Course {
  readonly acts: Partial<Record<ShipmentState, Act>>;
  readonly last: Act | null;
}

const UNDER_WAY = { OFFERED: 'ACCEPT', ACCEPTED: 'PICK_UP', PICKED_UP: 'DEPART' } as const;

/** Each scenario ends as its name says. The caller decides what happens afterwards. */
const COURSES: Readonly<Record<ScenarioName, Course>> = {
  HAPPY_PATH: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'DELIVER' }, last: 'DELIVER' },
  // Dispatch gives up by itself, because during this scenario no service level is eligible.
  NO_DRIVER: { acts: { OFFERED: 'DECLINE', ACCEPTED: 'RELEASE' }, last: null },
  // The first command declines, all later ones accept.
  DECLINE_THEN_ACCEPT: { acts: { OFFERED: 'ACCEPT' }, last: 'ACCEPT' },
  DRIVER_RELEASES: { acts: { OFFERED: 'ACCEPT', ACCEPTED: 'RELEASE' }, last: 'RELEASE' },
  RECIPIENT_UNREACHABLE: {
    acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'RECIPIENT_UNREACHABLE' },
    last: 'RECIPIENT_UNREACHABLE',
  },
  RECIPIENT_REFUSED: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'RECIPIENT_REFUSED' }, last: 'RECIPIENT_REFUSED' },
  COD_NOT_PAID: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'COD_NOT_PAID' }, last: 'COD_NOT_PAID' },
  LOST: { acts: { ...UNDER_WAY, PICKED_UP: 'LOST', OUT_FOR_DELIVERY: 'LOST' }, last: 'LOST' },
  // The driver waits before the door until the window is over.
  WINDOW_MISSED: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'DELIVER' }, last: 'DELIVER' },
  // The driver is told a wrong PIN until no try is left.
  WRONG_PIN: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'OTHER' }, last: 'OTHER' },
  // The driver has never been at the door.
  ATTEMPT_WITHOUT_PROOF: {
    acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'RECIPIENT_UNREACHABLE' },
    last: 'RECIPIENT_UNREACHABLE',
  },
  // The return that follows has a happy path of its own.
  RECALLED: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'RECALL' }, last: 'RECALL' },
  // The wrong address is set when it starts. Whether it holds the shipment back is for the policy of the company.
  ADDRESS_MISMATCH: { acts: { ...UNDER_WAY, OUT_FOR_DELIVERY: 'DELIVER' }, last: 'DELIVER' },
};

/** Why a scenario cannot start for this shipment, or undefined if it can. */
export function scenarioRefusal(name: ScenarioName, state: ShipmentState): Refusal | undefined {
  if (isTerminal(state)) return refuse('SHIPMENT_TERMINAL', { members: { currentState: state } });
  // The acceptance is what agrees to the window.
  const isAgreed = name === 'WINDOW_MISSED' && hasDriver(state);
  if (!isAgreed && (isBeforeOffer(state) || COURSES[name].acts[state] !== undefined)) return undefined;
  return refuse('INVALID_STATE_TRANSITION', { members: { currentState: state } });
}

/** The next step of a scenario. Call it only if approval and dispatch have nothing to do. A pure function. */
export function nextStep(progress: ScenarioProgress, now: Instant): ScenarioStep {
  const { name, state, step, reliefDriverId, searchFrom } = progress;
  if (name === 'NO_DRIVER' && state === 'DISPATCH_UNRESOLVED') return { kind: 'end', error: null };
  const until = pauseOf(progress);
  if (state === 'READY_FOR_DISPATCH') {
    const from = searchFrom !== null && searchFrom > until ? searchFrom : until;
    return from > now
      ? { kind: 'wait', until: from }
      : { kind: 'command', command: { name: 'OFFER', driverId: reliefDriverId }, isLast: false };
  }
  const { acts, last } = COURSES[name];
  const act = name === 'DECLINE_THEN_ACCEPT' && step === 0 && state === 'OFFERED' ? 'DECLINE' : acts[state];
  if (act === undefined) return { kind: 'end', error: `There is no way on from ${state}` };
  const { driverId, mainDriverId } = progress;
  if (driverId !== mainDriverId && driverId !== reliefDriverId)
    return { kind: 'end', error: 'It is with another driver' };
  return until > now
    ? { kind: 'wait', until }
    : { kind: 'command', command: commandOf(act, driverId), isLast: act === last };
}

/**
 * When the state ends: after `stepSeconds`, but an open offer is answered after at most three quarters of its time, and a
 * window is missed a second after its end.
 */
function pauseOf({ name, state, stateSince, stepSeconds, dueAt, deliveryWindowEnd }: ScenarioProgress): Instant {
  const pause = addSeconds(stateSince, stepSeconds);
  if (name === 'WINDOW_MISSED' && state === 'OUT_FOR_DELIVERY' && deliveryWindowEnd !== null) {
    const missed = addSeconds(deliveryWindowEnd, 1);
    return pause > missed ? pause : missed;
  }
  if (state !== 'OFFERED' || dueAt === null) return pause;
  const latest = (stateSince + ((dueAt - stateSince) * 3n) / 4n) as Instant;
  return pause < latest ? pause : latest;
}

function commandOf(act: Act, driverId: Uuid): ScenarioCommand {
  switch (act) {
    case 'ACCEPT':
    case 'DECLINE':
    case 'RELEASE':
    case 'PICK_UP':
    case 'DEPART':
    case 'DELIVER':
      return { name: act, driverId };
    case 'RECALL':
      return { name: act };
    default:
      return { name: 'FAIL', driverId, reasonCode: act };
  }
}
