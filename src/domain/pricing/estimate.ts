import type { Database } from '../../../db/database.ts';
import type { PriceEstimate } from '../../contract/price-estimate.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Coordinates, DrivingRoute, Routing } from '../../ports/routing.ts';
import { traced } from '../../ports/tracer.ts';
import { pinViolations } from './pin.ts';
import { priceLines, sumLines, type Tariff } from './tariff.ts';
import type { TariffBook } from './tariff-book.ts';

export interface EstimateDependencies {
  readonly directory: { readonly database: Database };
  readonly clock: CompanyClock;
  readonly routing: Routing;
  readonly tariffBook: TariffBook;
}

export interface EstimateOrder {
  readonly pickup: Coordinates;
  readonly delivery: Coordinates;
  readonly destinationCityCode: string;
}

/** The price of a delivery now. Stores nothing. Without a route there is no price, because a price must not be a guess. */
export async function estimatePrice(
  dependencies: EstimateDependencies,
  order: EstimateOrder,
): Promise<Result<PriceEstimate>> {
  const { directory, clock, tariffBook, routing } = dependencies;
  const now = clock.now();
  const tariff = await tariffBook.current(directory.database, now);
  if (!tariff.ok) return tariff;
  if (!tariff.value.citySurcharges.has(order.destinationCityCode)) return notServiceable('destinationCityCode');
  const violations = pinViolations('delivery', order.destinationCityCode, order.delivery);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const route = await resolveRoute(routing, order.pickup, order.delivery, 'delivery');
  if (!route.ok) return route;
  return ok(priceOfRoute(tariff.value, { route: route.value, destinationCityCode: order.destinationCityCode }, now));
}

/** The price of a route to a city of the tariff. */
export function priceOfRoute(
  tariff: Tariff,
  { route, destinationCityCode }: { readonly route: DrivingRoute; readonly destinationCityCode: string },
  now: Instant,
): PriceEstimate {
  const { distanceMeters, durationSeconds } = route;
  const lines = priceLines(tariff, distanceMeters, destinationCityCode);
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, tariff.vatRate);
  return {
    currency: tariff.currency,
    netAmount,
    vatRate: tariff.vatRate,
    vatAmount,
    totalAmount,
    breakdown: lines.map(({ code, amount }) => ({ code, amount })),
    distanceMeters,
    durationSeconds,
    tariffVersion: tariff.version,
    estimatedAt: formatInstant(now),
  };
}

/** Retry-After while the routing provider is unavailable: the time for which its circuit breaker stays open. */
const ROUTING_RETRY_SECONDS = 5;

/**
 * The route between two points, or a refusal: 503 if the provider is unavailable, 422 if no road connects them. The two
 * points must differ, because a route of length zero has no meaningful price.
 */
export async function resolveRoute(
  routing: Routing,
  from: Coordinates,
  to: Coordinates,
  field: string,
): Promise<Result<DrivingRoute>> {
  if (from.latitude === to.latitude && from.longitude === to.longitude) return notServiceable(field);
  const answer = await traced('route', (span) => {
    span.set('engine', routing.engine);
    return routing.findRoute(from, to);
  });
  if (answer.ok) return ok(answer.route);
  if (answer.reason === 'no_route') return notServiceable(field);
  return refuse('ROUTING_PROVIDER_UNAVAILABLE', { retryAfterSeconds: ROUTING_RETRY_SECONDS });
}

function notServiceable(field: string): Result<never> {
  return refuse('VALIDATION_FAILED', { violations: [{ field, code: 'DESTINATION_NOT_SERVICEABLE' }] });
}
