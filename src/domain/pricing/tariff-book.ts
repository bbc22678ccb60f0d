import type { Database } from '../../../db/database.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { allTariffs, type TariffRow } from './store.ts';
import { type Tariff, tariffAt } from './tariff.ts';

/** How long a process keeps the tariffs it has read. */
const TARIFFS_KEPT_SECONDS = 60;

/**
 * How long before it begins a tariff is published at the latest, so that every process knows of it before it is in force
 * and all of them price alike at any instant: what is kept, and as much again for the commit and for clocks that differ.
 */
export const TARIFF_LEAD_SECONDS = 2 * TARIFFS_KEPT_SECONDS;

/** The tariffs as this process last read them. An estimate costs the directory nothing but once a minute. */
export class TariffBook {
  #read: { readonly tariffs: readonly Tariff[]; readonly atMs: number } | undefined;
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** The tariff in force; 503 when the directory did not answer, or nothing has been published yet. */
  async current(directory: Database, now: Instant): Promise<Result<Tariff>> {
    const atMs = this.#monotonicMs();
    const isFresh = this.#read !== undefined && atMs - this.#read.atMs < TARIFFS_KEPT_SECONDS * 1000;
    if (!isFresh) {
      const answer = await directory.read(allTariffs());
      if (!answer.ok) return unavailable();
      this.#read = { tariffs: answer.rows.map(tariffOf), atMs };
    }
    const tariff = tariffAt(this.#read?.tariffs ?? [], now);
    return tariff === undefined
      ? refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: TARIFFS_KEPT_SECONDS })
      : ok(tariff);
  }

  forget(): void {
    this.#read = undefined;
  }
}

export function tariffOf(row: TariffRow): Tariff {
  const surcharges = JSON.parse(row.citySurcharges) as Record<string, Decimal>;
  return { ...row, citySurcharges: new Map(Object.entries(surcharges)) };
}
