import { addSeconds, type Instant } from '../../core/instant.ts';
import type { Addresses } from '../../ports/addresses.ts';

/* When the registry is asked for the short code of a shipment, in real time. */

/** The request starts the first check after its response. If it has not ended by then, the sweep checks. */
const OWN_CHECK_SECONDS = 60;
/** When it is asked again after it did not answer; later once an hour. */
const RETRY_SECONDS = [60, 300, 1800] as const;
const LATER_SECONDS = 3600;
/** About a week. */
const ATTEMPTS_MAX = 168;

/** When the sweep asks for a new short code; null if the deployment has no registry. */
export function firstCheckAt({ registry }: Pick<Addresses, 'registry'>, now: Instant): Instant | null {
  return registry === 'none' ? null : addSeconds(now, OWN_CHECK_SECONDS);
}

/** When to ask again after so many attempts without an answer; null if no more. `waitSeconds`: the least time, by the registry. */
export function nextCheckAt(attempts: number, waitSeconds: number, now: Instant): Instant | null {
  if (attempts >= ATTEMPTS_MAX) return null;
  return addSeconds(now, Math.max(RETRY_SECONDS[attempts] ?? LATER_SECONDS, waitSeconds));
}
