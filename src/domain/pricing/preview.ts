import type { Database } from '../../../db/database.ts';
import type { TariffPreview } from '../../contract/tariff.ts';
import { addDecimals, compareDecimals, type Decimal, literalDecimal, subtractDecimals } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant, toMillis } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import { AFTER_UUIDS, uuidsFrom } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { readMergedRows } from '../page.ts';
import type { TariffOrder } from './publish.ts';
import { type PriceLine, type PriceTerms, priceLines, sumNet, TARIFF_CURRENCY } from './tariff.ts';
import { type PricedRow, pricedPage } from './tariff-store.ts';

export interface PreviewDependencies {
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly clock: Clock;
}

export interface PreviewOrder extends Pick<TariffOrder, 'baseAmount' | 'kilometreAmount' | 'cities'> {
  /** The newest shipments count. */
  readonly shipmentsMax: number;
}

const WEEK_SECONDS = 7 * 24 * 3600;
/** Shipments read at once. Pricing this many takes some milliseconds, and then other requests get their turn. */
const PAGE_SHIPMENTS = 500;

/**
 * What the shipments of the last seven days cost, and what they would have cost with a draft. Each counts with the price
 * of its creation, also if it was cancelled later.
 */
export async function previewTariff(
  { shards, clock }: PreviewDependencies,
  { shipmentsMax, baseAmount, kilometreAmount, cities }: PreviewOrder,
): Promise<Result<TariffPreview>> {
  const databases = [...shards.values()].map(({ database }) => database);
  const to = clock.now();
  const from = addSeconds(to, -WEEK_SECONDS);
  const citySurcharges = new Map(cities.map(({ cityCode, surcharge }) => [cityCode, surcharge]));
  const tally = new PreviewTally({ baseAmount, kilometreAmount, citySurcharges });
  let before = AFTER_UUIDS;
  for (;;) {
    const size = Math.min(PAGE_SHIPMENTS, shipmentsMax - tally.shipments);
    const page = await readPriced(databases, from, before, size + 1);
    if (page === undefined) return unavailable();
    const rows = page.slice(0, size);
    tally.add(rows);
    const hasMore = page.length > size;
    if (!hasMore || tally.shipments === shipmentsMax) {
      const sums = tally.sums();
      return ok({ from: formatInstant(from), to: formatInstant(to), ...sums, isCutOff: hasMore });
    }
    before = rows.at(-1)?.shipmentId ?? before;
  }
}

async function readPriced(
  databases: readonly Database[],
  from: Instant,
  before: string,
  limit: number,
): Promise<PricedRow[] | undefined> {
  const statement = pricedPage({ from, oldest: uuidsFrom(toMillis(from)) }, before, limit);
  const found = await readMergedRows(databases, statement, {
    keyOf: ({ shipmentId }) => shipmentId,
    compare: newestFirst,
  });
  return found?.slice(0, limit).map(({ row }) => row);
}

function newestFirst(left: PricedRow, right: PricedRow): number {
  return left.shipmentId < right.shipmentId ? 1 : -1;
}

interface CitySums {
  readonly shipments: number;
  readonly netAmount: Decimal;
  /** Null if the draft does not serve the city. */
  readonly draftNetAmount: Decimal | null;
}
interface Rise extends Omit<PricedRow, 'lines'> {
  readonly netAmount: Decimal;
  readonly draftNetAmount: Decimal;
  readonly rise: Decimal;
}
const RISES_MAX = 10;
const ZERO = literalDecimal('0');

/** Counts and sums of shipments, by city and in all. */
class PreviewTally {
  readonly #draft: PriceTerms;
  readonly #cities = new Map<string, CitySums>();
  #rises: readonly Rise[] = [];
  shipments = 0;

  constructor(draft: PriceTerms) {
    this.#draft = draft;
  }

  add(rows: readonly PricedRow[]): void {
    this.shipments += rows.length;
    const rises = rows.flatMap((row) => this.#count(row) ?? []);
    this.#rises = [...this.#rises, ...rises].toSorted(largestFirst).slice(0, RISES_MAX);
  }

  /** Counts a shipment. Returns how much more it would have cost, if that is known and more than nothing. */
  #count({ lines, ...row }: PricedRow): Rise | undefined {
    const { cityCode, distanceMeters } = row;
    const netAmount = sumNet(parseStored<PriceLine[]>(lines));
    const isServed = this.#draft.citySurcharges.has(cityCode);
    const draftNetAmount = isServed ? sumNet(priceLines(this.#draft, distanceMeters, cityCode)) : null;
    const city = this.#cities.get(cityCode) ?? {
      shipments: 0,
      netAmount: ZERO,
      draftNetAmount: isServed ? ZERO : null,
    };
    this.#cities.set(cityCode, {
      shipments: city.shipments + 1,
      netAmount: addDecimals(city.netAmount, netAmount),
      draftNetAmount:
        draftNetAmount === null || city.draftNetAmount === null
          ? null
          : addDecimals(city.draftNetAmount, draftNetAmount),
    });
    if (draftNetAmount === null || compareDecimals(draftNetAmount, netAmount) <= 0) return undefined;
    return { ...row, netAmount, draftNetAmount, rise: subtractDecimals(draftNetAmount, netAmount) };
  }

  sums(): Omit<TariffPreview, 'from' | 'to' | 'isCutOff'> {
    const cities = [...this.#cities]
      .map(([cityCode, city]) => ({ cityCode, ...city }))
      .toSorted((left, right) => (left.cityCode < right.cityCode ? -1 : 1));
    const served = cities.flatMap(({ draftNetAmount, ...city }) =>
      draftNetAmount === null ? [] : [{ ...city, draftNetAmount }],
    );
    return {
      currency: TARIFF_CURRENCY,
      shipments: this.shipments,
      notServed: this.shipments - served.reduce((sum, { shipments }) => sum + shipments, 0),
      netAmount: served.reduce((sum, { netAmount }) => addDecimals(sum, netAmount), ZERO),
      draftNetAmount: served.reduce((sum, { draftNetAmount }) => addDecimals(sum, draftNetAmount), ZERO),
      cities,
      largestRises: [...this.#rises],
    };
  }
}

function largestFirst(left: Rise, right: Rise): number {
  const order = compareDecimals(right.rise, left.rise);
  return order === 0 && left.shipmentId !== right.shipmentId ? (left.shipmentId < right.shipmentId ? -1 : 1) : order;
}
