import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { companyNow } from '../ui/browser/base/company-clock.ts';
import { type Inputs, type Outputs, serviceForDriver } from '../ui/browser/service/calls.ts';
import { type CallFailure, failureOf } from '../ui/browser/service/failure.ts';
import { readAll } from '../ui/browser/service/read-all.ts';
import { keptHere } from '../ui/kept-here.ts';
import { KeptParcels, type LostParcel } from './kept-parcels.ts';
import { ActionQueue, type Parcel, type QueuedAction, type Sent, type Settled } from './queue.ts';
import { type DriverSession, queueStorageOf } from './session.ts';
import { usePosition } from './use-position.ts';

export type Standing = Outputs['driver']['getStanding'];
export type Offer = Outputs['driver']['listOffers']['data'][number];
type Order = Pick<Inputs['driver']['act'], 'shipmentId' | 'action' | 'reasonCode' | 'version'>;

/** An action that the service refused. */
export interface Refused {
  readonly action: QueuedAction;
  readonly failure: CallFailure;
}

interface Seen {
  readonly standing: Standing | undefined;
  readonly offers: readonly Offer[];
  readonly parcels: readonly Parcel[];
}

export interface DriverWork extends Seen {
  readonly lost: readonly LostParcel[];
  readonly actions: readonly QueuedAction[];
  readonly refused: readonly Refused[];
  readonly isOffline: boolean;
  /** The service's time in milliseconds. Clocks of phones can be wrong. */
  readonly now: () => number;
  readonly act: (order: Order) => void;
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
const patience = () => ({ signal: AbortSignal.timeout(PATIENCE_MS) });

/** What a signed-in driver sees and does. Actions go into the queue at once; the page shows them as done. */
export function useDriverWork(session: DriverSession, onSignedOut: () => void): DriverWork {
  const [seen, setSeen] = useState<Seen>({ standing: undefined, offers: [], parcels: [] });
  const [isOffline, setIsOffline] = useState(false);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { driver } = useMemo(() => serviceForDriver(session), [session.driverToken]);
  const kept = useMemo(() => new KeptParcels(session.driverId, keptHere), []);
  const [lost, setLost] = useState(() => kept.lost());
  const queue = useMemo(
    () =>
      new ActionQueue(queueStorageOf(session.driverId, keptHere), (action) =>
        send(() => driver.act.mutate(action, patience())),
      ),
    [driver],
  );
  const [actions, setActions] = useState(() => queue.actions());
  const position = usePosition(seen.standing?.onDuty === true, (reported) => {
    driver.reportPosition.mutate(reported, patience()).catch(() => undefined);
  });

  const settledCount = useRef(0);
  /** On a slow connection looks overlap. The answer of an earlier one must not replace that of a later one. */
  const looks = useRef({ begun: 0, shown: 0 });
  const settle = ({ action, sent }: Settled) => {
    settledCount.current += 1;
    setActions(queue.actions());
    if (sent.kind === 'refused') setRefused((before) => [...before, { action, failure: sent.failure }]);
    else {
      kept.settle(sent.parcel);
      setSeen((before) => after(before, sent.parcel));
    }
  };
  const look = async () => {
    try {
      const rest = await queue.sendAll(settle);
      if (rest === 'signed-out') return onSignedOut();
      const countBefore = settledCount.current;
      looks.current.begun += 1;
      const number = looks.current.begun;
      const [standing, offers, parcels] = await Promise.all([
        driver.getStanding.query({}, patience()),
        readAll(driver.listOffers, {}, patience()),
        readAll(driver.listShipments, {}, patience()),
      ]);
      // An action that was done meanwhile is newer than these answers.
      if (settledCount.current === countBefore && number > looks.current.shown) {
        looks.current.shown = number;
        kept.see(parcels, queue.actions());
        setLost(kept.lost());
        // New offers come below, so that none slides in under a finger.
        setSeen({ standing, offers: offers.toReversed(), parcels });
      }
      setIsOffline(rest === 'later');
    } catch (error) {
      if (failureOf(error).code === 'AUTHENTICATION_REQUIRED') onSignedOut();
      else setIsOffline(true);
    }
  };
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

  return {
    ...seen,
    lost,
    actions,
    refused,
    isOffline,
    now: companyNow,
    act(order) {
      const at = position();
      queue.add({ ...order, actionId: crypto.randomUUID(), ...(at === undefined ? {} : { position: at }) });
      setActions(queue.actions());
      void look();
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
      onSignedOut();
    },
  };
}

/** A 4xx is final, except that a session can be renewed, and that a slow connection and a rate limit pass. */
async function send(call: () => Promise<Parcel>): Promise<Sent> {
  try {
    return { kind: 'done', parcel: await call() };
  } catch (error) {
    const failure = failureOf(error);
    const status = failure.problem?.status ?? 0;
    if (status === 401 || failure.code === 'SESSION_CHANGED') return { kind: 'signed-out' };
    return status >= 400 && status < 500 && status !== 408 && status !== 429
      ? { kind: 'refused', failure }
      : { kind: 'later' };
  }
}

/** What the driver sees after an action, before the page looks again. */
function after({ standing, offers, parcels }: Seen, parcel: Parcel): Seen {
  const isOther = ({ shipmentId }: { readonly shipmentId: string }) => shipmentId !== parcel.shipmentId;
  return { standing, offers: offers.filter(isOther), parcels: [parcel, ...parcels.filter(isOther)] };
}
