import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import { scopeForService } from '../../access/require.ts';
import type { Rating } from '../../contract/tracking.ts';
import type { Deployment } from '../../core/deployment.ts';
import { formatInstant } from '../../core/instant.ts';
import { type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import { commitChange } from '../audit/change.ts';
import { companyStore } from '../clocks/company-clock.ts';
import { recordEvent } from '../events/record.ts';
import { shipmentById } from '../shipments/store.ts';
import { presentShipment } from '../shipments/view.ts';
import { linkByToken, ratingInsert, ratingOf } from './rating-store.ts';
import { type ReadingDependencies, readAtToken } from './reading.ts';

interface RatingDependencies extends Omit<ReadingDependencies, 'shards' | 'config'> {
  readonly shards: ReadonlyMap<string, { readonly database: Database; readonly writer: Writer }>;
  readonly random: Random;
  readonly config: { readonly baseUrl: string; readonly deployment: Deployment };
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
  const { clock: wall, clockBook, shards, random, config } = dependencies;
  const tokenHash = await tokenHashOf(token);
  const found = await readAtToken(dependencies, token, [linkByToken(tokenHash, wall.now())] as const);
  if (!found.ok) return found;
  const { shard, results } = found.value;
  const [[link]] = results;
  const store = shards.get(shard);
  if (link === undefined || store === undefined) return refuse('TRACKING_LINK_UNAVAILABLE');
  const time = await clockBook.clockOf(store.database, link.companyId);
  if (!time.ok) return time;
  const { database, writer, clock } = companyStore(store, time.value);
  const scope = scopeForService(shard, link.companyId);
  const shipments = await database.read(shipmentById(scope, link.shipmentId));
  if (!shipments.ok) return unavailable();
  const [shipment] = shipments.rows;
  // Not earlier than the delivery, which this read has seen.
  const now = clock.now();
  if (shipment === undefined || link.expiresAt <= now) return refuse('TRACKING_LINK_UNAVAILABLE');
  const rating = { shipmentId: shipment.id, stars, ratedAt: now, eventId: random.uuid() };
  const recorded = recordEvent(config.deployment, {
    id: rating.eventId,
    type: 'shipment.rated',
    companyId: link.companyId,
    shipmentId: shipment.id,
    occurredAt: now,
    previousState: null,
    correlationId,
    offsetSeconds: clock.offsetSeconds(),
    // A delivered shipment does not change any more, so this is its current version.
    data: { shipment: presentShipment(shipment), rating: { stars, ratedAt: formatInstant(now) } satisfies Rating },
  });
  const statements = [ratingInsert(scope, { ...rating, linkId: link.id }), ...recorded.statements];
  return commitChange(
    { database, writer },
    { unit: { statements, notices: recorded.notices }, audit: 'unaudited', committed: ratingOf(scope, rating) },
  );
}
