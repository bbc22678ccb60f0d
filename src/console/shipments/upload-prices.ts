import { addDecimals, type Decimal, literalDecimal, parseDecimal } from '../../core/decimal.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';
import type { Origins } from './shipment-form.tsx';
import type { UploadRow } from './upload-rows.ts';

/* What the rows of an upload will cost, as estimates. Rows with the same route have the same price, which is asked for once. */

type RouteRequest = Inputs['priceEstimates']['create'];
type Estimate = Outputs['priceEstimates']['create'];
type Shipment = Inputs['shipmentBatches']['create']['items'][number]['shipment'];

/** The page sends so many calls in one request. */
const AT_ONCE = 10;

/** A row, its route, and the name of the route; no route if its pickup location is unknown. */
export interface RoutedRow {
  readonly row: UploadRow;
  readonly routeKey: string | undefined;
}

/** The price of a route, or why it has none. */
export type RoutePrice = { readonly estimate: Estimate } | { readonly reason: string };
export type RoutePrices = ReadonlyMap<string, RoutePrice>;

/** The route of a shipment as the text of its request: equal routes have equal texts. */
export function routeKeyOf(
  { pickupLocationCode, destination: { cityCode, latitude, longitude } }: Shipment,
  { pickupLocations }: Pick<Origins, 'pickupLocations'>,
): string | undefined {
  const place = pickupLocations.find((one) => one.pickupLocationCode === pickupLocationCode);
  if (place === undefined) return undefined;
  const pickup = { latitude: place.location.latitude, longitude: place.location.longitude };
  const request: RouteRequest = { pickup, delivery: { latitude, longitude }, destinationCityCode: cityCode };
  return JSON.stringify(request);
}

/** The prices alone. The next check asks again for those that could not be found. */
export function withoutReasons(prices: RoutePrices): RoutePrices {
  return new Map([...prices].filter(([, price]) => 'estimate' in price));
}

/** The routes of rows, each once. */
export function routesOf(rows: readonly RoutedRow[]): string[] {
  return [...new Set(rows.flatMap(({ routeKey }) => routeKey ?? []))];
}

interface PriceSearch {
  readonly find: (request: RouteRequest) => Promise<RoutePrice>;
  readonly onPriced: (priced: readonly (readonly [routeKey: string, price: RoutePrice])[]) => void;
  readonly signal: AbortSignal;
}

/** Prices routes that `known` does not have, each once, a few at a time. */
export async function priceInTurn(
  rows: readonly RoutedRow[],
  known: RoutePrices,
  { find, onPriced, signal }: PriceSearch,
): Promise<void> {
  const routes = routesOf(rows).filter((routeKey) => !known.has(routeKey));
  for (let from = 0; from < routes.length && !signal.aborted; from += AT_ONCE) {
    const some = routes.slice(from, from + AT_ONCE);
    const prices = await Promise.all(
      some.map(async (routeKey) => [routeKey, await find(JSON.parse(routeKey) as RouteRequest)] as const),
    );
    if (!signal.aborted) onPriced(prices);
  }
}

/** What the priced rows cost together. Undefined while no row has a price. */
export interface PriceSum {
  readonly count: number;
  readonly currency: string;
  readonly netAmount: Decimal;
  readonly vatAmount: Decimal;
  readonly totalAmount: Decimal;
}

export function sumOfPrices(rows: readonly RoutedRow[], prices: RoutePrices): PriceSum | undefined {
  const zero = literalDecimal('0');
  const add = (sum: Decimal, amount: string) => addDecimals(sum, parseDecimal(amount) ?? zero);
  let sum: PriceSum | undefined;
  for (const { routeKey } of rows) {
    const price = routeKey === undefined ? undefined : prices.get(routeKey);
    if (price === undefined || !('estimate' in price)) continue;
    const { currency, netAmount, vatAmount, totalAmount } = price.estimate;
    const { count, ...before } = sum ?? { count: 0, netAmount: zero, vatAmount: zero, totalAmount: zero };
    sum = {
      count: count + 1,
      currency,
      netAmount: add(before.netAmount, netAmount),
      vatAmount: add(before.vatAmount, vatAmount),
      totalAmount: add(before.totalAmount, totalAmount),
    };
  }
  return sum;
}
