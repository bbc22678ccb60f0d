import { useEffect, useState } from 'preact/hooks';

/*
 * The clock of a phone or computer can be wrong by hours. So a page tells the time by the answers of the service: its own
 * time, and the time of the company, which a sandbox may have set ahead.
 */

/** Every answer for a company with a sandbox has this header. */
const SANDBOX_NOW = 'mirsal-sandbox-now';
const SECOND_MS = 1000;
/** `Date` has whole seconds and an answer takes a while. A clock that differs by less is right. */
const TOLERANCE_MS = 2 * SECOND_MS;

let serviceAheadMs = 0;
let companyAheadMs: number | undefined;

/** Updates both clocks from a response of the service. */
export function updateClocks({ headers }: Response): void {
  const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(aheadMs)) serviceAheadMs = Math.abs(aheadMs) < TOLERANCE_MS ? 0 : aheadMs;
  const companyMs = Date.parse(headers.get(SANDBOX_NOW) ?? '');
  if (!Number.isNaN(companyMs)) companyAheadMs = companyMs - Date.now();
}

/** The real time in milliseconds since 1970: of sessions, one-time codes, credentials, tariffs and operators. */
export function serviceNow(): number {
  return Date.now() + serviceAheadMs;
}

/** The time of shipments, offers, tracking links and webhooks, in milliseconds since 1970. */
export function companyNow(): number {
  return Date.now() + (companyAheadMs ?? serviceAheadMs);
}

/** The company's time, or that of another clock. The component renders again every second. */
export function useNow(clock: () => number = companyNow): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((before) => before + 1), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return clock();
}
