import type { ShipmentState } from '../contract/shipment-state.ts';
import { EDGES } from '../domain/shipments/lifecycle.ts';
import type { Inputs, Outputs } from '../ui/browser/service/calls.ts';
import type { CallFailure } from '../ui/browser/service/failure.ts';

export type Parcel = Outputs['driver']['listShipments']['data'][number];
type Order = Inputs['driver']['act'];
/** An action that waits to be sent. Its id makes repeats harmless. */
export type QueuedAction = Order & { readonly actionId: string };

/** How the service answered an action. `later`: it did not answer, or it asked to wait. */
export type Sent =
  | { readonly kind: 'done'; readonly parcel: Parcel }
  | { readonly kind: 'refused'; readonly failure: CallFailure }
  | { readonly kind: 'later' }
  | { readonly kind: 'signed-out' };

/** The end of an action: done, or refused and dropped. */
export interface Settled {
  readonly action: QueuedAction;
  readonly sent: Extract<Sent, { readonly kind: 'done' | 'refused' }>;
}

const KEY = 'driver-actions';

/**
 * Actions in the order in which the driver took them, kept by the browser until the service has answered each. Two tabs
 * may send the same action: the service does it once.
 */
export class ActionQueue {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #send: (action: QueuedAction) => Promise<Sent>;
  #run: Promise<'empty' | 'later' | 'signed-out'> | undefined;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, send: (action: QueuedAction) => Promise<Sent>) {
    this.#storage = storage;
    this.#send = send;
  }

  actions(): readonly QueuedAction[] {
    return parseActions(this.#storage.getItem(KEY));
  }

  /** A second press on the same button is ignored. */
  add(action: QueuedAction): void {
    const actions = this.actions();
    const last = actions.findLast(({ shipmentId }) => shipmentId === action.shipmentId);
    if (last?.action !== action.action) this.#store([...actions, action]);
  }

  /**
   * Sends the oldest action until none is left, and stops at one without an answer. If an action is refused, later actions
   * on the same shipment are dropped too, because they were based on it.
   */
  sendAll(onSettled: (settled: Settled) => void): Promise<'empty' | 'later' | 'signed-out'> {
    this.#run ??= this.#sendEach(onSettled).finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  async #sendEach(onSettled: (settled: Settled) => void): Promise<'empty' | 'later' | 'signed-out'> {
    for (;;) {
      const [action] = this.actions();
      if (action === undefined) return 'empty';
      const sent = await this.#send(action);
      if (sent.kind === 'later' || sent.kind === 'signed-out') return sent.kind;
      const isOver = (other: QueuedAction) =>
        sent.kind === 'refused' ? other.shipmentId === action.shipmentId : other.actionId === action.actionId;
      this.#store(this.actions().filter((other) => !isOver(other)));
      onSettled({ action, sent });
    }
  }

  #store(actions: readonly QueuedAction[]): void {
    this.#storage.setItem(KEY, JSON.stringify(actions));
  }
}

function parseActions(text: string | null): readonly QueuedAction[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? (parsed as QueuedAction[]) : [];
  } catch {
    return [];
  }
}

/** A parcel as it will be once its queued actions are done. */
export interface Task {
  readonly parcel: Parcel;
  readonly state: ShipmentState;
  readonly hasArrived: boolean;
  /** Changes that the driver has not confirmed, oldest first. */
  readonly unread: Parcel['changes'];
}

/** The parcels that the driver still has to do something with, the most advanced first. */
export function tasksOf(parcels: readonly Parcel[], actions: readonly QueuedAction[]): readonly Task[] {
  return parcels
    .map((parcel) => taskOf(parcel, actions))
    .filter(({ state }) => isInHand(state))
    .toSorted((first, second) => ORDER.indexOf(first.state) - ORDER.indexOf(second.state));
}

const ORDER: readonly ShipmentState[] = ['OUT_FOR_DELIVERY', 'PICKED_UP', 'ACCEPTED'];

/** Whether a driver has a parcel in this state. */
export function isInHand(state: ShipmentState): boolean {
  return ORDER.includes(state);
}

function taskOf(parcel: Parcel, actions: readonly QueuedAction[]): Task {
  let { state } = parcel;
  let hasArrived = parcel.arrivedAt !== null;
  let unread = parcel.changes.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  for (const { shipmentId, action, version = Number.POSITIVE_INFINITY } of actions) {
    if (shipmentId !== parcel.shipmentId) continue;
    if (action === 'ACKNOWLEDGE') unread = unread.filter((change) => change.version > version);
    const next = EDGES.find(({ command, from }) => command === action && from === state)?.to;
    hasArrived = action === 'ARRIVE' || (hasArrived && next === undefined);
    state = next ?? state;
  }
  return { parcel, state, hasArrived, unread };
}

/** The one action that brings a parcel forward. */
export function nextAction({ state, hasArrived }: Task): 'ARRIVE' | 'PICK_UP' | 'DEPART' | 'DELIVER' {
  if (state === 'PICKED_UP') return 'DEPART';
  if (!hasArrived) return 'ARRIVE';
  return state === 'ACCEPTED' ? 'PICK_UP' : 'DELIVER';
}
