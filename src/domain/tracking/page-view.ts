import type { ProofMediaPurpose } from '../../contract/proof-state.ts';
import type { FollowUpKind } from '../../contract/resolution-state.ts';
import { isCarried, isTerminal, STATE_FACTS } from '../../contract/shipment-state.ts';
import type { Tracking } from '../../contract/tracking.ts';
import type { Decimal } from '../../core/decimal.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import type { WindowSpan } from '../shipments/delivery-windows.ts';
import {
  isPositionShown,
  liveArrivalOf,
  projectTracking,
  type Rated,
  type Reader,
  type Tracked,
  type TrackedStep,
  windowIn,
} from './projection.ts';
import { type Sketch, sketchRoute } from './sketch.ts';

/** Data that only pages need, in addition to the public data. It is never in a response as it is. */
export interface PageFacts extends Rated {
  readonly pickupWindowStart: Instant;
  /** Polyline with six digits, from pickup to destination. */
  readonly geometry: string;
  readonly pieces: number;
  /** JSON array of what the link lets the recipient change. */
  readonly permissions: string;
  /** What the driver collected, in the shipment's currency; null if nothing. */
  readonly paid: Decimal | null;
  /** What carries the parcel on; null without a shipment that does. */
  readonly followUp: FollowUpKind | null;
  /** Null without a photo at the door. */
  readonly photo: ProofMediaPurpose | null;
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
  /** The delivery window that was asked for, and that no driver has agreed to yet. */
  readonly asked: WindowSpan | null;
  /** When the driver last reported a position for this delivery, even if it is too old to be shown. */
  readonly positionAt: Instant | null;
  readonly pieces: number;
  /** What the recipient has paid to the driver; null if nothing. */
  readonly paid: Tracking['codDue'];
  /** After a failure: what the merchant has decided; null as long as that is open. */
  readonly followUp: FollowUpKind | null;
  /** The stars of a delivered shipment; null as long as nobody has rated it. Undefined if it is not delivered. */
  readonly stars: number | null | undefined;
  /** Whether the recipient can change something with this link. */
  readonly canChange: boolean;
  /** Whether the delivery has ended and the recipient can complain with this link. */
  readonly canComplain: boolean;
  /** Whether the recipient can ask for a return with this link, too. */
  readonly canReturn: boolean;
  /** Whether the recipient can see the photo of the delivery with this link, too. */
  readonly canSeePhoto: boolean;
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
    asked: windowIn('ASKED', tracked, reader.now) ?? null,
    positionAt: isPositionShown(tracked) ? tracked.positionAt : null,
    pieces: facts.pieces,
    paid: facts.paid === null ? null : { amount: facts.paid, currency: tracked.currency },
    followUp: STATE_FACTS[state].outcome === 'failed' ? facts.followUp : null,
    stars: starsOf(tracked, facts),
    canChange: !isTerminal(state) && facts.permissions !== '[]',
    canComplain: isTerminal(state) && facts.permissions !== '[]',
    canReturn: state === 'DELIVERED' && facts.permissions.includes('RETURN'),
    canSeePhoto: state === 'DELIVERED' && facts.photo !== null && facts.permissions.includes('PROOF'),
    sketch: isTerminal(state) ? null : (sketchRoute(facts.geometry, driver) ?? null),
  };
}

function starsOf({ state }: Tracked, { stars, ratedAt }: Rated): TrackingView['stars'] {
  if (STATE_FACTS[state].outcome !== 'delivered') return undefined;
  return ratedAt === null ? null : stars;
}

/**
 * The arrival from the projection is the later end, and an agreed window is the plan. Before the pickup, the earlier end is the start of the pickup
 * window plus the drive.
 */
function expectedOf(tracked: Tracked, { pickupWindowStart }: PageFacts, now: Instant): Expected {
  const { state, pickupWindowEnd, changedAt, durationSeconds } = tracked;
  const live = liveArrivalOf(tracked, now);
  if (live !== undefined) return { ...live, isLive: true };
  const agreed = windowIn('AGREED', tracked, now);
  if (agreed !== undefined) return { from: agreed.start, to: agreed.end, isLive: false };
  if (isCarried(state)) return { from: null, to: addSeconds(changedAt, durationSeconds), isLive: false };
  const after = (instant: Instant) => addSeconds(instant, durationSeconds);
  return { from: after(pickupWindowStart), to: after(pickupWindowEnd), isLive: false };
}
