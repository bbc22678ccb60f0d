import type { Database } from '../../../db/database.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { Kept } from '../../core/kept.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { allTariffs, type TariffRow } from './store.ts';
import { type Tariff, tariffAt } from './tariff.ts';

/** How long a process caches the tariffs. */
const TARIFFS_KEPT_SECONDS = 60;
/** One estimate in this time reads them again, so that the others do not all read at the same moment. */
const RENEWED_AFTER_MS = 45_000;

/**
 * A tariff is published at least this long before it starts. So every process has read it before it is in force, and all
 * processes compute the same price at any instant. Half of the time covers commits and clock differences.
 */
export const TARIFF_LEAD_SECONDS = 2 * TARIFFS_KEPT_SECONDS;

/** Caches the tariffs, so that a process reads them every 45 seconds and not at each estimate. */
export class TariffBook {
  readonly #tariffs: Kept<'all', readonly Tariff[]>;

  constructor(monotonicMs: () => number) {
    const keptMs = TARIFFS_KEPT_SECONDS * 1000;
    this.#tariffs = new Kept({ keptMs, renewedAfterMs: RENEWED_AFTER_MS, nowMs: monotonicMs });
  }

  /** The tariff in force; 503 if the directory did not answer or no tariff is published yet. */
  current(directory: Database, now: Instant): Promise<Result<Tariff>> {
    return this.#choose(directory, (tariffs) => tariffAt(tariffs, now));
  }

  /** A version that was in force when a shipment froze it; 503 if the directory did not answer. */
  version(directory: Database, version: number): Promise<Result<Tariff>> {
    return this.#choose(directory, (tariffs) => tariffs.find((tariff) => tariff.version === version));
  }

  async #choose(
    directory: Database,
    choose: (tariffs: readonly Tariff[]) => Tariff | undefined,
  ): Promise<Result<Tariff>> {
    const tariffs = await this.#tariffs.getOrRead('all', async () => {
      const answer = await directory.read(allTariffs());
      return answer.ok ? answer.rows.map(tariffOf) : undefined;
    });
    if (tariffs === undefined) return unavailable();
    const tariff = choose(tariffs);
    return tariff === undefined
      ? refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: TARIFFS_KEPT_SECONDS })
      : ok(tariff);
  }

  forget(): void {
    this.#tariffs.forget('all');
  }
}

export function tariffOf(row: TariffRow): Tariff {
  const surcharges = parseStored<Record<string, Decimal>>(row.citySurcharges);
  return { ...row, citySurcharges: new Map(Object.entries(surcharges)) };
}
