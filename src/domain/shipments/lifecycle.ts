import type { AmendmentReason } from '../../contract/amendment-state.ts';
import type { Collected } from '../../contract/driver.ts';
import { type ShipmentEventType } from '../../contract/event-type.ts';
import type { RECALLED } from '../../contract/resolution-state.ts';
import {
  type Actor,
  type CancellationReason,
  type FailureReason,
  type HandoverReason,
  isTerminal,
  SHIPMENT_STATES,
  type ShipmentState,
  type UnresolvedReason,
} from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import { type Refusal, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Amendment } from './amendment.ts';
import type { Contact, Identity } from './follow-up.ts';
import type { SealedProof } from './proof-store.ts';

/** Commands on a shipment. */
export type Command =
  | { readonly name: 'APPROVE' | 'EXPIRE_OFFER' }
  | { readonly name: 'GIVE_UP'; readonly reasonCode: UnresolvedReason }
  | { readonly name: 'RETRY_DISPATCH'; readonly serviceLevelCode: string | null }
  | { readonly name: 'OFFER'; readonly offerId: Uuid; readonly driverId: Uuid; readonly expiresAt: Instant }
  | {
      readonly name: 'DECLINE';
      readonly driverId: Uuid;
      /** False if the driver goes off duty: the offer is not refused, and may be made to the driver again. */
      readonly isRefusal?: boolean;
    }
  | { readonly name: 'ACCEPT' | 'RELEASE' | 'PICK_UP' | 'DEPART'; readonly driverId: Uuid }
  | {
      readonly name: 'DELIVER';
      readonly driverId: Uuid;
      /** What the recipient paid: undefined for the whole amount in cash. */
      readonly collected?: Collected | undefined;
      readonly proof?: SealedProof | undefined;
    }
  | {
      readonly name: 'FAIL';
      readonly driverId: Uuid;
      readonly reasonCode: FailureReason;
      readonly proof?: SealedProof | undefined;
    }
  // Only operators do this, and any driver may have the shipment.
  | { readonly name: 'FAIL'; readonly reasonCode: FailureReason; readonly comment: string | null }
  // The follow-up that returns the parcel, and who takes it there, are chosen before.
  | {
      readonly name: 'RECALL';
      readonly reasonCode: typeof RECALLED;
      readonly comment: string | null;
      readonly followUp: Identity;
      readonly contact: Contact;
    }
  | { readonly name: 'REASSIGN'; readonly reasonCode: HandoverReason; readonly comment: string | null }
  | {
      readonly name: 'TAKE_OVER';
      readonly offerId: Uuid;
      /** The driver who gets the parcel. */
      readonly toDriverId: Uuid;
      readonly reasonCode: HandoverReason;
      readonly comment: string | null;
    }
  | { readonly name: 'CANCEL'; readonly reasonCode: CancellationReason; readonly comment: string | null }
  | {
      readonly name: 'AMEND';
      readonly reasonCode: AmendmentReason | null;
      /** The names of what it changes. */
      readonly comment: string;
      readonly amendment: Amendment;
    };
export type CommandName = Command['name'];

/** One legal change of state, or of the driver or other facts in the same state. */
export interface Edge {
  readonly command: CommandName;
  readonly from: ShipmentState;
  readonly to: ShipmentState;
  readonly event: ShipmentEventType;
  readonly actors: readonly Actor[];
}

const MERCHANT = ['MERCHANT', 'OPERATOR'] as const;
const DISPATCH = ['SYSTEM', 'OPERATOR'] as const;
const DRIVER = ['DRIVER'] as const;
const OPERATOR = ['OPERATOR'] as const;
const CARRIER = ['DRIVER', 'OPERATOR'] as const;

/** The whole lifecycle. All other changes of state are illegal. */
export const EDGES: readonly Edge[] = [
  edge('APPROVE', 'PENDING_APPROVAL', 'READY_FOR_DISPATCH', 'shipment.approved', DISPATCH),
  edge('OFFER', 'READY_FOR_DISPATCH', 'OFFERED', 'shipment.offered', DISPATCH),
  edge('ACCEPT', 'OFFERED', 'ACCEPTED', 'shipment.accepted', DRIVER),
  edge('DECLINE', 'OFFERED', 'READY_FOR_DISPATCH', 'shipment.offer_declined', DRIVER),
  edge('EXPIRE_OFFER', 'OFFERED', 'READY_FOR_DISPATCH', 'shipment.offer_expired', DISPATCH),
  edge('RELEASE', 'ACCEPTED', 'READY_FOR_DISPATCH', 'shipment.driver_released', DRIVER),
  edge('REASSIGN', 'ACCEPTED', 'READY_FOR_DISPATCH', 'shipment.driver_released', OPERATOR),
  edge('GIVE_UP', 'READY_FOR_DISPATCH', 'DISPATCH_UNRESOLVED', 'shipment.dispatch_unresolved', DISPATCH),
  edge('GIVE_UP', 'OFFERED', 'DISPATCH_UNRESOLVED', 'shipment.dispatch_unresolved', DISPATCH),
  edge('GIVE_UP', 'ACCEPTED', 'DISPATCH_UNRESOLVED', 'shipment.dispatch_unresolved', DISPATCH),
  edge('RETRY_DISPATCH', 'DISPATCH_UNRESOLVED', 'READY_FOR_DISPATCH', 'shipment.dispatch_retried', MERCHANT),
  edge('PICK_UP', 'ACCEPTED', 'PICKED_UP', 'shipment.picked_up', DRIVER),
  edge('DEPART', 'PICKED_UP', 'OUT_FOR_DELIVERY', 'shipment.out_for_delivery', DRIVER),
  edge('DELIVER', 'OUT_FOR_DELIVERY', 'DELIVERED', 'shipment.delivered', DRIVER),
  edge('TAKE_OVER', 'PICKED_UP', 'PICKED_UP', 'shipment.driver_changed', OPERATOR),
  edge('TAKE_OVER', 'OUT_FOR_DELIVERY', 'OUT_FOR_DELIVERY', 'shipment.driver_changed', OPERATOR),
  edge('FAIL', 'PICKED_UP', 'DELIVERY_FAILED', 'shipment.delivery_failed', CARRIER),
  edge('FAIL', 'OUT_FOR_DELIVERY', 'DELIVERY_FAILED', 'shipment.delivery_failed', CARRIER),
  edge('RECALL', 'PICKED_UP', 'DELIVERY_FAILED', 'shipment.delivery_failed', MERCHANT),
  edge('RECALL', 'OUT_FOR_DELIVERY', 'DELIVERY_FAILED', 'shipment.delivery_failed', MERCHANT),
  edge('CANCEL', 'PENDING_APPROVAL', 'CANCELLED', 'shipment.cancelled', MERCHANT),
  edge('CANCEL', 'READY_FOR_DISPATCH', 'CANCELLED', 'shipment.cancelled', MERCHANT),
  edge('CANCEL', 'OFFERED', 'CANCELLED', 'shipment.cancelled', MERCHANT),
  edge('CANCEL', 'ACCEPTED', 'CANCELLED', 'shipment.cancelled', MERCHANT),
  edge('CANCEL', 'DISPATCH_UNRESOLVED', 'CANCELLED', 'shipment.cancelled', MERCHANT),
  // It leaves the state, the search for a driver and the offer as they are.
  ...SHIPMENT_STATES.filter((state) => !isTerminal(state)).map((state) =>
    edge('AMEND', state, state, 'shipment.amended', ['MERCHANT', 'RECIPIENT']),
  ),
];

/** What an actor may do to a shipment in this state. */
export function commandsOf(actor: Actor, state: ShipmentState): CommandName[] {
  return EDGES.filter(({ from, actors }) => from === state && actors.includes(actor)).map(({ command }) => command);
}

/** The carrier's own faults. Before departure, a delivery can fail only for these reasons. */
export const CARRIER_FAULTS: readonly FailureReason[] = ['LOST', 'DAMAGED'];

/** Whether a failure is by one of them. */
export function isLoss(command: Command): command is Extract<Command, { name: 'FAIL' }> {
  return command.name === 'FAIL' && CARRIER_FAULTS.includes(command.reasonCode);
}

/** The part of a shipment that a decision needs. */
export interface LifecycleFields {
  readonly state: ShipmentState;
  readonly version: number;
  readonly approvedAt: Instant | null;
  readonly amendmentCount: number;
}

/** The effect of a command on a shipment: its next position and exactly one event. */
export interface Transition {
  readonly next: LifecycleFields & Partial<Amendment['row']>;
  readonly event: {
    readonly type: ShipmentEventType;
    readonly previousState: ShipmentState;
    readonly actor: Actor;
    readonly reasonCode: string | null;
    readonly note: string | null;
    readonly occurredAt: Instant;
  };
}

/** `unchanged`: the command has already taken effect, and repeating it is not an error. */
export type Decision =
  | { readonly kind: 'transition'; readonly transition: Transition }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Decides a command on a shipment by the table of edges. Pure: the same arguments give the same result. */
export function decide(shipment: LifecycleFields, command: Command, actor: Actor, now: Instant): Decision {
  if (command.name === 'CANCEL' && shipment.state === 'CANCELLED') return { kind: 'unchanged' };
  const found = EDGES.find((candidate) => candidate.command === command.name && candidate.from === shipment.state);
  if (found === undefined || !found.actors.includes(actor) || !isReasonAllowed(shipment, command)) {
    const code = command.name === 'CANCEL' ? 'SHIPMENT_NOT_CANCELLABLE' : 'INVALID_STATE_TRANSITION';
    return { kind: 'refused', refusal: refuse(code, { members: { currentState: shipment.state } }) };
  }
  const next = {
    state: found.to,
    version: shipment.version + 1,
    approvedAt: command.name === 'APPROVE' ? now : shipment.approvedAt,
    amendmentCount: shipment.amendmentCount + (command.name === 'AMEND' && command.amendment.waiting === null ? 1 : 0),
    ...(command.name === 'AMEND' ? command.amendment.row : {}),
  };
  const event = {
    type: found.event,
    previousState: shipment.state,
    actor,
    reasonCode: 'reasonCode' in command ? command.reasonCode : null,
    note: 'comment' in command ? command.comment : null,
    occurredAt: now,
  };
  return { kind: 'transition', transition: { next, event } };
}

function isReasonAllowed(shipment: LifecycleFields, command: Command): boolean {
  if (command.name !== 'FAIL' || shipment.state !== 'PICKED_UP') return true;
  return CARRIER_FAULTS.includes(command.reasonCode);
}

function edge(
  command: CommandName,
  from: ShipmentState,
  to: ShipmentState,
  event: ShipmentEventType,
  actors: readonly Actor[],
): Edge {
  return { command, from, to, event, actors };
}
