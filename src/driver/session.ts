import { useState } from 'preact/hooks';

/** The session of the driver on this phone. */
export interface DriverSession {
  readonly driverToken: string;
  readonly expiresAt: string;
}

const KEY = 'driver-session';

/**
 * The driver's session, kept by the browser so that a closed tab does not sign the driver out in the middle of a delivery.
 * Signing out, or a 401, forgets it; queued actions stay for the next sign-in.
 */
export function useDriverSession() {
  const [session, setSession] = useState(readSession);
  return {
    session,
    keep(next: DriverSession) {
      localStorage.setItem(KEY, JSON.stringify(next));
      setSession(next);
    },
    forget() {
      localStorage.removeItem(KEY);
      setSession(undefined);
    },
  };
}

function readSession(): DriverSession | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as DriverSession | null;
    return kept !== null && Date.parse(kept.expiresAt) > Date.now() ? kept : undefined;
  } catch {
    return undefined;
  }
}
