import { isCarried, isTerminal, STATE_FACTS } from '../../contract/shipment-state.ts';
import type { Tracking } from '../../contract/tracking.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import {
  isPositionShown,
  liveArrivalOf,
  projectTracking,
  type Rated,
  type Reader,
  type Tracked,
  type TrackedStep,
} from './projection.ts';
import { type Sketch, sketchRoute } from './sketch.ts';

/** Data that only pages need, in addition to the public data. It is never in a response as it is. */
export interface PageFacts extends Rated {
  readonly pickupWindowStart: Instant;
  /** Polyline with six digits, from pickup to destination. */
  readonly geometry: string;
  readonly pieces: number;
}

interface Expected {
  readonly from: Instant | null;
  readonly to: Instant;
  /** Whether it follows from where the driver is, not from the plan. */
  readonly isLive: boolean;
}

/** The content of a page about a shipment. */
export interface TrackingView {
  readonly tracking: Tracking;
  /** When the shipment is expected. `from` is null if only the later end is known; null if neither is known. */
  readonly expected: Expected | null;
  /** When the driver last reported a position for this delivery, even if it is too old to be shown. */
  readonly positionAt: Instant | null;
  readonly pieces: number;
  /** The stars of a delivered shipment; null as long as nobody has rated it. Undefined if it is not delivered. */
  readonly stars: number | null | undefined;
  /** The drawing of its route, while it is on the way to the recipient. */
  readonly sketch: Sketch | null;
}

/**
 * What a page shows of a shipment now. A pure function that returns the same value until something changes, like the
 * projection that it uses.
 */
export function viewTracking(
  tracked: Tracked,
  newestFirst: readonly TrackedStep[],
  { facts, reader }: { readonly facts: PageFacts; readonly reader: Reader },
): TrackingView {
  const tracking = projectTracking(tracked, newestFirst, reader);
  const { state, livePosition } = tracking;
  const driver = livePosition && { latitude: Number(livePosition.latitude), longitude: Number(livePosition.longitude) };
  return {
    tracking,
    expected: tracking.eta === null ? null : expectedOf(tracked, facts, reader.now),
    positionAt: isPositionShown(tracked) ? tracked.positionAt : null,
    pieces: facts.pieces,
    stars: starsOf(tracked, facts),
    sketch: isTerminal(state) ? null : (sketchRoute(facts.geometry, driver) ?? null),
  };
}

function starsOf({ state }: Tracked, { stars, ratedAt }: Rated): TrackingView['stars'] {
  if (STATE_FACTS[state].outcome !== 'delivered') return undefined;
  return ratedAt === null ? null : stars;
}

/**
 * The arrival from the projection is the later end. Before the pickup, the earlier end is the start of the pickup
 * window plus the drive.
 */
function expectedOf(tracked: Tracked, { pickupWindowStart }: PageFacts, now: Instant): Expected {
  const { state, pickupWindowEnd, changedAt, durationSeconds } = tracked;
  const live = liveArrivalOf(tracked, now);
  if (live !== undefined) return { ...live, isLive: true };
  if (isCarried(state)) return { from: null, to: addSeconds(changedAt, durationSeconds), isLive: false };
  const after = (instant: Instant) => addSeconds(instant, durationSeconds);
  return { from: after(pickupWindowStart), to: after(pickupWindowEnd), isLive: false };
}
