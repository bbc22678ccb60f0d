import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ATTEMPT_AGAIN_MINUTES } from '../core/limits.ts';
import { CARRIER_FAULTS } from '../domain/shipments/lifecycle.ts';
import { companyNow } from '../ui/browser/base/company-clock.ts';
import { type Inputs, type Outputs, serviceForDriver } from '../ui/browser/service/calls.ts';
import { type CallFailure, failureOf } from '../ui/browser/service/failure.ts';
import { readAll } from '../ui/browser/service/read-all.ts';
import { keptHere } from '../ui/kept-here.ts';
import { KeptParcels, type LostParcel } from './kept-parcels.ts';
import { forgetSeen, keepSeen, readSeen, type Standing } from './kept-seen.ts';
import { keepAsked, keepStep, missingOf, readStep } from './kept-step.ts';
import type { KeptMedia } from './proof-media.ts';
import {
  ActionQueue,
  HOLD_MS,
  isHeld,
  isInHand,
  type Parcel,
  type QueuedAction,
  type Sent,
  type Settled,
  sentOf,
} from './queue.ts';
import { ServiceClock } from './service-clock.ts';
import { type DriverSession, queueStorageOf } from './session.ts';
import { usePosition } from './use-position.ts';

export type Offer = Outputs['driver']['listOffers']['data'][number];
export type Order = Pick<
  Inputs['driver']['act'],
  'shipmentId' | 'action' | 'reasonCode' | 'version' | 'collected' | 'proof'
> &
  Pick<QueuedAction, 'hasMedia'>;

/** An action that the service refused. */
export interface Refused {
  readonly action: QueuedAction;
  readonly failure: CallFailure;
}

/** A parcel whose delivery the driver has reported as failed a moment ago. */
export interface Failed extends Pick<Parcel, 'shipmentId' | 'shipmentNumber'> {
  readonly failedMs: number;
}

/** The service takes a new attempt for so long after a failure. */
export const AGAIN_MS = ATTEMPT_AGAIN_MINUTES * 60_000;

interface Seen {
  readonly standing: Standing | undefined;
  readonly offers: readonly Offer[];
  readonly parcels: readonly Parcel[];
}

export interface DriverWork extends Seen {
  readonly driverId: string;
  /** Failures that the driver can take back with another attempt. */
  readonly failed: readonly Failed[];
  readonly lost: readonly LostParcel[];
  readonly actions: readonly QueuedAction[];
  readonly refused: readonly Refused[];
  readonly isOffline: boolean;
  /** What the phone kept was not understood, and nothing has replaced it yet. */
  readonly isUnread: boolean;
  /** Actions that wait to be sent; one that can still be undone does not. */
  readonly waiting: readonly QueuedAction[];
  /** The driver does not let this page know where the phone is. */
  readonly isHidden: boolean;
  /** The service's time in milliseconds. Clocks of phones can be wrong. */
  readonly now: () => number;
  readonly act: (order: Order) => void;
  /** Sends an action at once, after those of its shipment, and never keeps it. Returns why it was not done. */
  readonly actNow: (order: Order) => Promise<CallFailure | undefined>;
  /** Begins another attempt. */
  readonly attemptAgain: (order: Inputs['driver']['attemptAgain']) => Promise<CallFailure | undefined>;
  readonly undo: (actionId: string) => void;
  /** Shipments whose next action does not get through although the service answers. */
  readonly stuck: readonly string[];
  /** Gives up what waits to be sent for a shipment. */
  readonly drop: (shipmentId: string) => void;
  readonly setDuty: (onDuty: boolean) => Promise<void>;
  readonly dismiss: (refused: Refused) => void;
  /** The driver knows that a parcel is lost. */
  readonly understand: (shipmentId: string) => void;
  readonly signOut: () => Promise<void>;
}

/** An offer stands for a minute, so the page looks often. */
const LOOK_MS = 5_000;
/** A request on a bad connection is given up after this time, and sent again. */
const PATIENCE_MS = 10_000;
/** A look follows the actions that wait, because it then shows what they did. It does not wait longer: pictures take up to a minute. */
const ACTIONS_FIRST_MS = 3_000;
/** The age of pictures is looked at as often. */
const SWEEP_MS = 3600_000;
const patience = () => ({ signal: AbortSignal.timeout(PATIENCE_MS) });

/** What a signed-in driver sees and does. Actions go into the queue at once; the page shows them as done. */
export function useDriverWork(session: DriverSession, onSignedOut: () => void): DriverWork {
  const found = useMemo(() => readSeen(session.driverId), []);
  const [seen, setSeen] = useState<Seen>({ standing: found.standing, offers: [], parcels: found.parcels });
  const [isOffline, setIsOffline] = useState(false);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { driver } = useMemo(() => serviceForDriver(session), [session.driverToken]);
  const kept = useMemo(() => new KeptParcels(session.driverId, keptHere), []);
  const [lost, setLost] = useState(() => kept.lost());
  const sendAction = ({ tappedMs: _, heldUntil: __, hasMedia, ...action }: QueuedAction) =>
    send(async () => {
      const proven = hasMedia === true ? await (await import('./proof-media.ts')).withProof(action, session) : {};
      return driver.act.mutate({ ...action, ...proven }, patience());
    });
  const queue = useMemo(() => new ActionQueue(queueStorageOf(session.driverId, keptHere), sendAction), [driver]);
  const [actions, setActions] = useState(() => queue.actions());
  const { read: position, isHidden } = usePosition(seen.standing?.onDuty === true, (reported) => {
    driver.reportPosition.mutate(reported, patience()).catch(() => undefined);
  });

  const clock = useMemo(() => new ServiceClock(keptHere, companyNow), []);
  const settledCount = useRef(0);
  /** On a slow connection looks overlap. The answer of an earlier one must not replace that of a later one. */
  const looks = useRef({ begun: 0, shown: 0 });
  const settle = ({ action, sent }: Settled) => {
    settledCount.current += 1;
    setActions(queue.actions());
    if (sent.kind === 'refused') {
      const missing = action.action === 'DELIVER' ? missingOf(sent.failure) : [];
      if (missing.length > 0) keepAsked(action.shipmentId, missing);
      setRefused((before) => [...before, { action, failure: sent.failure }]);
    } else {
      const { shipmentId, reasonCode } = action;
      if (action.hasMedia === true) void forgetProofs((media) => media.shipmentId === shipmentId);
      if (reasonCode !== undefined && !CARRIER_FAULTS.includes(reasonCode))
        keepStep({ failed: { ...readStep().failed, [shipmentId]: clock.now() } });
      kept.settle(sent.parcel);
      setSeen((before) => after(before, sent.parcel));
    }
  };
  /** Deletes the pictures of parcels that are out of the driver's hands, whether they were sent or not, and those that are too old. */
  const swept = useRef('');
  const sweep = (parcels: readonly Parcel[]) => {
    const inHand = parcels.flatMap(({ shipmentId, state }) => (isInHand(state) ? [shipmentId] : []));
    const needed = new Set([...inHand, ...queue.actions().map(({ shipmentId }) => shipmentId)]);
    const now = [...needed, Math.floor(Date.now() / SWEEP_MS)].join(' ');
    if (now === swept.current) return;
    swept.current = now;
    void forgetProofs(({ driverId, shipmentId }) => driverId === session.driverId && !needed.has(shipmentId));
  };
  const end = () => {
    forgetSeen();
    onSignedOut();
  };
  const look = async () => {
    try {
      const rest = await Promise.race([
        queue.sendAll(settle),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ACTIONS_FIRST_MS)),
      ]);
      if (rest === 'signed-out') return end();
      const countBefore = settledCount.current;
      looks.current.begun += 1;
      const number = looks.current.begun;
      const [standing, offers, parcels] = await Promise.all([
        driver.getStanding.query({}, patience()),
        readAll(driver.listOffers, {}, patience()),
        readAll(driver.listShipments, {}, patience()),
      ]);
      clock.learn();
      // An action that was done meanwhile is newer than these answers.
      if (settledCount.current === countBefore && number > looks.current.shown) {
        looks.current.shown = number;
        kept.see(parcels, queue.actions());
        sweep(parcels);
        setLost(kept.lost());
        // New offers come below, so that none slides in under a finger.
        setSeen({ standing, offers: offers.toReversed(), parcels });
      }
      queue.blame();
      setActions(queue.actions());
      setIsOffline(rest === 'later');
    } catch (error) {
      if (failureOf(error).code === 'AUTHENTICATION_REQUIRED') end();
      else setIsOffline(true);
    }
  };
  useEffect(() => {
    const { standing, parcels } = seen;
    if (standing !== undefined && looks.current.shown > 0 && looks.current.shown < Number.POSITIVE_INFINITY)
      keepSeen(session.driverId, standing, parcels);
  }, [seen]);
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const again = () => {
      if (!document.hidden) void latest.current();
    };
    again();
    const timer = setInterval(again, LOOK_MS);
    addEventListener('online', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, []);

  const made = (order: Order): QueuedAction => {
    const at = position();
    const calledMs = order.action === 'FAIL' ? readStep().called?.[order.shipmentId] : undefined;
    // The phone's own clock may be wrong, but not the time since then.
    const called = (ms: number) => new Date(clock.now() - (Date.now() - ms)).toISOString();
    return {
      ...order,
      actionId: crypto.randomUUID(),
      tappedMs: Date.now(),
      takenAt: new Date(clock.now()).toISOString(),
      ...(at === undefined ? {} : { position: at }),
      ...(calledMs === undefined ? {} : { proof: { ...order.proof, calledAt: called(calledMs) } }),
      ...(order.action === 'FAIL' ? { heldUntil: Date.now() + HOLD_MS } : {}),
    };
  };
  return {
    ...seen,
    driverId: session.driverId,
    failed: failedOf(seen.parcels, clock.now()),
    lost,
    actions,
    refused,
    isOffline,
    isUnread: found.isUnread && seen.standing === undefined,
    waiting: actions.filter((action) => !isHeld(action, Date.now())),
    isHidden,
    now: () => clock.now(),
    act(order) {
      queue.add(made(order));
      setActions(queue.actions());
      void look();
    },
    async actNow(order) {
      const action = made(order);
      const sent = await queue.sendNow(action, settle);
      if (sent.kind === 'refused') return sent.failure;
      if (sent.kind === 'later') return failureOf(undefined);
      if (sent.kind === 'signed-out') end();
      else settle({ action, sent });
      return undefined;
    },
    async attemptAgain(order) {
      try {
        const parcel = await driver.attemptAgain.mutate(order, patience());
        settledCount.current += 1;
        const { [order.shipmentId]: _, ...failed } = readStep().failed ?? {};
        keepStep({ failed });
        setSeen((before) => after(before, parcel));
        return undefined;
      } catch (error) {
        return failureOf(error);
      }
    },
    undo(actionId) {
      queue.undo(actionId);
      setActions(queue.actions());
    },
    stuck: queue.stuck(),
    drop(shipmentId) {
      queue.drop(shipmentId);
      setActions(queue.actions());
    },
    async setDuty(onDuty) {
      const standing = await driver.setDuty.mutate({ onDuty }, patience());
      setSeen((before) => ({ ...before, standing }));
    },
    dismiss: (one) => setRefused((before) => before.filter((other) => other !== one)),
    understand(shipmentId) {
      kept.understand(shipmentId);
      setLost(kept.lost());
      setRefused((before) => before.filter(({ action }) => action.shipmentId !== shipmentId));
    },
    async signOut() {
      await driver.signOut.mutate({}, patience());
      // An answer that is still on its way must not bring the parcels back.
      looks.current.shown = Number.POSITIVE_INFINITY;
      kept.forget();
      void forgetProofs((media) => media.driverId === session.driverId);
      end();
    },
  };
}

async function send(call: () => Promise<Parcel>): Promise<Sent> {
  try {
    return { kind: 'done', parcel: await call() };
  } catch (error) {
    return sentOf(failureOf(error));
  }
}

/** What the driver sees after an action, before the page looks again. */
function after({ standing, offers, parcels }: Seen, parcel: Parcel): Seen {
  const isOther = ({ shipmentId }: { readonly shipmentId: string }) => shipmentId !== parcel.shipmentId;
  // Not every answer names the merchant.
  const before = parcels.find((other) => !isOther(other));
  return { standing, offers: offers.filter(isOther), parcels: [{ ...before, ...parcel }, ...parcels.filter(isOther)] };
}

async function forgetProofs(isOver: (media: KeptMedia) => boolean): Promise<void> {
  const { forgetMedia } = await import('./proof-media.ts');
  await forgetMedia(isOver);
}

function failedOf(parcels: readonly Parcel[], nowMs: number): readonly Failed[] {
  const { failed = {} } = readStep();
  return parcels.flatMap(({ shipmentId, shipmentNumber, state }) => {
    const failedMs = failed[shipmentId];
    const isOpen = state === 'DELIVERY_FAILED' && failedMs !== undefined && failedMs + AGAIN_MS > nowMs;
    return isOpen ? [{ shipmentId, shipmentNumber, failedMs }] : [];
  });
}
