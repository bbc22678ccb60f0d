import { addSeconds, type Instant } from '../../core/instant.ts';

/** An action that waited longer for a connection may as well come from a wrong clock. */
const AGE_SECONDS_MAX = 2 * 3600;
/** `Date` has whole seconds and an answer takes a while, so a clock that was set by it may be this far ahead. */
const AHEAD_SECONDS_MAX = 10;

/** When the driver tapped. Null: the client said so, and it cannot be believed. Absent: the client did not say. */
export interface Taken {
  readonly takenAt?: Instant | null;
}

/**
 * When the driver took an action that `reported` dates, judged when it arrives. It is no reason to refuse the action: what happened
 * at the door has happened, and the service’s own time stands beside it.
 */
export function takenOf(reported: Instant | undefined, now: Instant): Taken {
  if (reported === undefined) return {};
  if (reported < addSeconds(now, -AGE_SECONDS_MAX) || reported > addSeconds(now, AHEAD_SECONDS_MAX))
    return { takenAt: null };
  return { takenAt: reported > now ? now : reported };
}
