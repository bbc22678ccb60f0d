import type { ShipmentState } from '../contract/shipment-state.ts';
import { EDGES } from '../domain/shipments/lifecycle.ts';
import type { Inputs, Outputs } from '../ui/browser/service/calls.ts';
import type { CallFailure } from '../ui/browser/service/failure.ts';

export type Parcel = Outputs['driver']['listShipments']['data'][number];
type Order = Inputs['driver']['act'];
/** An action that waits to be sent. Its id makes repeats harmless. */
export type QueuedAction = Order & {
  readonly actionId: string;
  /** When the driver tapped, by the clock of the phone. */
  readonly tappedMs?: number;
  /** Pictures belong to it, which the phone keeps until it is done. */
  readonly hasMedia?: boolean;
  /** Until then, by the clock of the phone, the driver can undo it, and it is not sent. */
  readonly heldUntil?: number;
};

/** How long a failure can be undone: its state is final. */
export const HOLD_MS = 10_000;

/** A clock that was set back does not hold an action for longer. */
export function isHeld({ heldUntil = 0 }: QueuedAction, nowMs: number): boolean {
  return heldUntil > nowMs && heldUntil <= nowMs + HOLD_MS;
}

/** How the service answered an action. `later`: it did not answer, or it is busy, which is not the fault of the action. */
export type Sent =
  | { readonly kind: 'done'; readonly parcel: Parcel }
  | { readonly kind: 'refused'; readonly failure: CallFailure }
  | { readonly kind: 'later'; readonly isBusy?: boolean }
  | { readonly kind: 'signed-out' };

/**
 * A 4xx is final, except that a session can be renewed, and that a slow connection and a rate limit pass. A 500 may be the fault of this
 * action. A rate limit and the other 5xx are not.
 */
export function sentOf(failure: CallFailure): Exclude<Sent, { readonly kind: 'done' }> {
  const status = failure.problem?.status ?? 0;
  if (status === 401 || failure.code === 'SESSION_CHANGED') return { kind: 'signed-out' };
  if (status === 429 || status > 500) return { kind: 'later', isBusy: true };
  return status >= 400 && status < 500 && status !== 408 ? { kind: 'refused', failure } : { kind: 'later' };
}

/** The end of an action: done, or refused and dropped. */
export interface Settled {
  readonly action: QueuedAction;
  readonly sent: Extract<Sent, { readonly kind: 'done' | 'refused' }>;
}

const KEY = 'driver-actions';
/** So many looks at the service succeed while an action gets no answer: then it is the action, not the connection. About half a minute, and a minute and a half with a picture. */
export const TRIES_MAX = 6;

/**
 * Actions in the order in which the driver took them, kept by the browser until the service has answered each. Two tabs
 * may send the same action: the service does it once.
 */
export class ActionQueue {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #send: (action: QueuedAction) => Promise<Sent>;
  #run: Promise<'empty' | 'later' | 'signed-out'> | undefined;
  /** The action that is on its way. */
  #sending: string | undefined;
  /** The shipment whose action ended the last run without an answer. */
  #late: string | undefined;
  /** By shipment: how often its action had no answer while the service answered the rest. A reload counts anew, maybe with a better page. */
  readonly #tries = new Map<string, number>();

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

  /** Takes an action back that is still held. */
  undo(actionId: string): void {
    if (actionId !== this.#sending) this.#store(this.actions().filter((action) => action.actionId !== actionId));
  }

  /** The service answers everything else, so the action that ended the last run is at fault. */
  blame(): void {
    if (this.#late !== undefined) this.#tries.set(this.#late, (this.#tries.get(this.#late) ?? 0) + 1);
    this.#late = undefined;
  }

  /** The shipments whose next action does not get through. Those of other shipments are sent first. */
  stuck(): readonly string[] {
    const waiting = this.actions().map(({ shipmentId }) => shipmentId);
    return [...new Set(waiting)].filter((shipmentId) => this.#isStuck(shipmentId));
  }

  /** Gives up what waits for a shipment. The service may do what is on its way. */
  drop(shipmentId: string): void {
    this.#store(this.actions().filter((action) => action.shipmentId !== shipmentId));
    this.#tries.delete(shipmentId);
  }

  /**
   * Sends the oldest action until none is left but those that are held, and stops at one without an answer. While the service is
   * busy with a shipment, the others' actions are sent. If an action is refused, later actions on the same shipment are dropped too,
   * because they were based on it. Of those that are stuck, one is tried at the end.
   */
  sendAll(onSettled: (settled: Settled) => void): Promise<'empty' | 'later' | 'signed-out'> {
    this.#run ??= this.#sendEach(onSettled).finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  /** Sends an action that is never kept, after those that wait. One that gets no answer stops it only on the same shipment. */
  async sendNow(action: QueuedAction, onSettled: (settled: Settled) => void): Promise<Sent> {
    const rest = await this.sendAll(onSettled);
    if (rest === 'signed-out') return { kind: rest };
    const isBehind = this.actions().some(({ shipmentId }) => shipmentId === action.shipmentId);
    return isBehind ? { kind: 'later' } : this.#send(action);
  }

  async #sendEach(onSettled: (settled: Settled) => void): Promise<'empty' | 'later' | 'signed-out'> {
    const busy = new Set<string>();
    for (;;) {
      const action = this.#next(busy);
      if (action === undefined) return busy.size > 0 ? 'later' : 'empty';
      const { shipmentId } = action;
      this.#sending = action.actionId;
      const sent = await this.#send(action);
      this.#sending = undefined;
      this.#late = sent.kind === 'later' && sent.isBusy !== true ? shipmentId : undefined;
      if (sent.kind === 'later' && sent.isBusy === true) {
        // Storage, or the database of one company: other shipments may need neither.
        busy.add(shipmentId);
        continue;
      }
      if (sent.kind === 'later' && this.#isStuck(shipmentId)) {
        this.blame();
        return 'empty';
      }
      if (sent.kind === 'later' || sent.kind === 'signed-out') return sent.kind;
      this.#tries.delete(shipmentId);
      const isOver = (other: QueuedAction) =>
        sent.kind === 'refused' ? other.shipmentId === shipmentId : other.actionId === action.actionId;
      this.#store(this.actions().filter((other) => !isOver(other)));
      onSettled({ action, sent });
    }
  }

  /** The oldest that is not held, of shipments that are not `busy`. Of stuck shipments, the one that was tried least. */
  #next(busy: ReadonlySet<string>): QueuedAction | undefined {
    const tries = ({ shipmentId }: QueuedAction) =>
      this.#isStuck(shipmentId) ? (this.#tries.get(shipmentId) ?? 0) : 0;
    const ready = this.actions().filter((action) => !busy.has(action.shipmentId) && !isHeld(action, Date.now()));
    return ready.toSorted((first, second) => tries(first) - tries(second))[0];
  }

  #isStuck(shipmentId: string): boolean {
    return (this.#tries.get(shipmentId) ?? 0) >= TRIES_MAX;
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

/** The parcels that the driver still has to do something with: the most advanced first, and of these what is wanted first. */
export function tasksOf(parcels: readonly Parcel[], actions: readonly QueuedAction[]): readonly Task[] {
  return parcels
    .map((parcel) => taskOf(parcel, actions))
    .filter(({ state }) => isInHand(state))
    .toSorted(
      (first, second) => ORDER.indexOf(first.state) - ORDER.indexOf(second.state) || dueMs(first) - dueMs(second),
    );
}

/** When the driver has to be at the next place at the latest. Without a window, the order of the service stays. */
function dueMs({ parcel, state }: Task): number {
  if (state === 'ACCEPTED') return Date.parse(parcel.pickupWindowEnd);
  return parcel.deliveryWindow === null ? Number.MAX_SAFE_INTEGER : Date.parse(parcel.deliveryWindow.end);
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
