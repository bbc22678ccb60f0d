import { useEffect, useState } from 'preact/hooks';

/* The time of the company. A sandbox may have set it ahead of the real time; on production it is the real time. */

/** Every answer for a company with a sandbox has this header. */
const SANDBOX_NOW = 'mirsal-sandbox-now';
const SECOND_MS = 1000;

let aheadMs = 0;

/** Takes the company's time from an answer of the service. */
export function hearCompanyClock({ headers }: Response): void {
  const nowMs = Date.parse(headers.get(SANDBOX_NOW) ?? '');
  if (!Number.isNaN(nowMs)) aheadMs = nowMs - Date.now();
}

/**
 * The time of shipments, offers, tracking links and webhooks, in milliseconds since 1970. Sessions, one-time codes and
 * credentials have the real time.
 */
export function companyNow(): number {
  return Date.now() + aheadMs;
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
