import type { Database } from '../../../db/database.ts';
import { parseStored } from '../../core/json.ts';
import { Kept } from '../../core/kept.ts';
import type { ServiceLevel } from './service-level.ts';
import { allServiceLevels, type ServiceLevelRow } from './store.ts';

/** How long a process caches service levels. A change reaches all creations within this time. */
const KEPT_MS = 10_000;
/** One creation in this time reads them again, so that the others do not all read at the same moment. */
const RENEWED_AFTER_MS = 7000;

/** Caches the service levels of each shard, so that a creation does not read them. */
export class ServiceLevelBook {
  readonly #levels: Kept<string, readonly ServiceLevel[]>;

  constructor(monotonicMs: () => number) {
    this.#levels = new Kept({ keptMs: KEPT_MS, renewedAfterMs: RENEWED_AFTER_MS, nowMs: monotonicMs });
  }

  /** Undefined if the database did not answer. */
  async levels(database: Database): Promise<readonly ServiceLevel[] | undefined> {
    return this.#levels.getOrRead(database.id, async () => {
      const answer = await database.read(allServiceLevels());
      return answer.ok ? answer.rows.map(serviceLevelOf) : undefined;
    });
  }

  forget(databaseId: string): void {
    this.#levels.forget(databaseId);
  }
}

export function serviceLevelOf(row: ServiceLevelRow): ServiceLevel {
  return {
    code: row.code,
    capabilities: new Set(parseStored<string[]>(row.capabilities)),
    cities: new Set(parseStored<string[]>(row.cities)),
    weightKilogramsMax: row.weightKilogramsMax,
    lengthCentimetresMax: row.lengthCentimetresMax,
    rank: row.rank,
    isActive: row.status === 'ACTIVE',
  };
}
