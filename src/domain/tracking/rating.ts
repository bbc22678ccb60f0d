import type { Rating } from '../../contract/tracking.ts';
import type { Deployment } from '../../core/deployment.ts';
import { formatInstant } from '../../core/instant.ts';
import type { Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import { commitChange } from '../audit/change.ts';
import { factEvent } from '../shipments/fact.ts';
import { findLinkedShipment, type LinkDependencies } from './linked-shipment.ts';
import { ratingInsert, ratingOf } from './rating-store.ts';

interface RatingDependencies extends LinkDependencies {
  readonly random: Random;
  readonly config: { readonly deployment: Deployment };
}

interface RatingOrder {
  /** 1 to `STARS_MAX`. */
  readonly stars: number;
  readonly correlationId: Uuid;
}

/**
 * Stores the rating of a delivered shipment with its event, once, for the holder of an active link. It changes neither the
 * state nor the version of the shipment. Resolves to false if the shipment is not delivered or has a rating already.
 */
export async function rateShipment(
  dependencies: RatingDependencies,
  token: string,
  { stars, correlationId }: RatingOrder,
): Promise<Result<boolean>> {
  const { random, config } = dependencies;
  const found = await findLinkedShipment(dependencies, token);
  if (!found.ok) return found;
  const { scope, store, link, shipment, now } = found.value;
  const { database, writer, clock } = store;
  const rating = { shipmentId: shipment.id, stars, ratedAt: now, eventId: random.uuid() };
  // A delivered shipment does not change any more, so this is its current version.
  const recorded = factEvent({ random, config, clock }, shipment, {
    id: rating.eventId,
    type: 'shipment.rated',
    occurredAt: now,
    correlationId,
    data: { rating: { stars, ratedAt: formatInstant(now) } satisfies Rating },
  });
  const statements = [ratingInsert(scope, { ...rating, linkId: link.id }), ...recorded];
  return commitChange(
    { database, writer },
    { unit: { statements }, audit: 'unaudited', committed: ratingOf(scope, rating) },
  );
}
