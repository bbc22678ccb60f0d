import { useEffect, useState } from 'preact/hooks';
import { isRecord } from '../client/problem.ts';
import { readChallenge } from '../ui/browser/kit/kept-challenge.ts';
import { keptHere } from '../ui/kept-here.ts';
import type { ActionQueue, QueuedAction } from './queue.ts';

/** The session of the driver on this phone. */
export interface DriverSession {
  readonly driverToken: string;
  readonly driverId: string;
  readonly firstName: string;
}

const KEY = 'driver-session';
/** The name of the sign-in that waits for its code. */
export const SIGN_IN = 'driver-sign-in';

/** The session of a tab. `elsewhere`: another driver has signed in in another tab of this phone. */
interface TabSession {
  readonly session: DriverSession | undefined;
  readonly elsewhere: DriverSession | undefined;
}

/**
 * The driver's session, kept by the browser so that a closed tab does not sign the driver out in the middle of a delivery.
 * Signing out, or a 401, forgets it; queued actions stay for the next sign-in. A tab acts for one driver: it
 * follows a new session of that driver, and stops when another driver signs in.
 */
export function useDriverSession() {
  // A reload does not end a sign-in that waits for its code, though another driver's session may be kept.
  const [tab, setTab] = useState<TabSession>(() => ({
    session: readChallenge(SIGN_IN) === undefined ? readSession() : undefined,
    elsewhere: undefined,
  }));
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === KEY) setTab((before) => (isSigningIn(before) ? before : nextTab(before.session, readSession())));
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, []);
  return {
    ...tab,
    keep(next: DriverSession) {
      keptHere.setItem(KEY, JSON.stringify(next));
      setTab({ session: next, elsewhere: undefined });
    },
    /** Forgets this session and no other: the phone may have a newer one. */
    forget(driverToken: string) {
      if (readSession()?.driverToken === driverToken) keptHere.removeItem(KEY);
      setTab((before) =>
        before.session?.driverToken === driverToken ? nextTab(before.session, readSession(), true) : before,
      );
    },
    /** Shows the form in which a driver signs in. */
    signInAgain: () => setTab({ session: undefined, elsewhere: undefined }),
    /** Goes on as the driver of the phone's newest session. */
    follow: () => setTab({ session: readSession(), elsewhere: undefined }),
  };
}

/** Whether the tab shows the form of the sign-in. A session of another tab does not replace it. */
function isSigningIn({ session, elsewhere }: TabSession): boolean {
  return session === undefined && elsewhere === undefined;
}

/** What a tab with the session `own` shows, now that the phone keeps `kept`. `isOver`: its own session has ended. */
function nextTab(own: DriverSession | undefined, kept: DriverSession | undefined, isOver = false): TabSession {
  if (own === undefined || kept?.driverId === own.driverId) return { session: kept, elsewhere: undefined };
  return { session: isOver ? undefined : own, elsewhere: kept };
}

function readSession(): DriverSession | undefined {
  try {
    const kept = JSON.parse(keptHere.getItem(KEY) ?? 'null') as Partial<DriverSession> | null;
    const { driverToken, driverId, firstName } = kept ?? {};
    if (driverToken === undefined || driverId === undefined || firstName === undefined) return undefined;
    return { driverToken, driverId, firstName };
  } catch {
    return undefined;
  }
}

type QueueStorage = ConstructorParameters<typeof ActionQueue>[0];
type OwnedAction = QueuedAction & { readonly driverId: string };

/** The queued actions of one driver. A phone keeps those of several, and each is sent only as the driver who took it. */
export function queueStorageOf(driverId: string, storage: QueueStorage): QueueStorage {
  const readAll = (key: string): readonly OwnedAction[] => {
    try {
      const all: unknown = JSON.parse(storage.getItem(key) ?? '[]');
      return Array.isArray(all) ? all.filter(isOwnedAction) : [];
    } catch {
      return [];
    }
  };
  return {
    getItem: (key) =>
      JSON.stringify(readAll(key).flatMap(({ driverId: owner, ...action }) => (owner === driverId ? [action] : []))),
    setItem(key, text) {
      const own = (JSON.parse(text) as QueuedAction[]).map((action) => ({ ...action, driverId }));
      storage.setItem(key, JSON.stringify([...readAll(key).filter((one) => one.driverId !== driverId), ...own]));
    },
  };
}

/** Another build of the page may have written something else. */
function isOwnedAction(value: unknown): value is OwnedAction {
  if (!isRecord(value)) return false;
  return ['driverId', 'actionId', 'action', 'shipmentId'].every((name) => typeof value[name] === 'string');
}
