import type { Database } from '../../../db/database.ts';
import type { ServiceLevel } from './service.ts';
import { allServiceLevels, type ServiceLevelRow } from './store.ts';

/** How long a process keeps the service levels it has read: a change reaches creations within this time. */
const KEPT_SECONDS = 10;

/** The service levels of each shard as this process last read them, so that a creation need not. */
export class ServiceLevelBook {
  readonly #read = new Map<string, { readonly levels: readonly ServiceLevel[]; readonly atMs: number }>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Undefined when the database did not answer. */
  async levels(database: Database): Promise<readonly ServiceLevel[] | undefined> {
    const kept = this.#read.get(database.id);
    if (kept !== undefined && this.#monotonicMs() - kept.atMs < KEPT_SECONDS * 1000) return kept.levels;
    const answer = await database.read(allServiceLevels());
    if (!answer.ok) return undefined;
    const levels = answer.rows.map(serviceLevelOf);
    this.#read.set(database.id, { levels, atMs: this.#monotonicMs() });
    return levels;
  }

  forget(databaseId: string): void {
    this.#read.delete(databaseId);
  }
}

export function serviceLevelOf(row: ServiceLevelRow): ServiceLevel {
  return {
    code: row.code,
    capabilities: new Set(JSON.parse(row.capabilities) as string[]),
    cities: new Set(JSON.parse(row.cities) as string[]),
    weightKilogramsMax: row.weightKilogramsMax,
    lengthCentimetresMax: row.lengthCentimetresMax,
    rank: row.rank,
    isActive: row.status === 'ACTIVE',
  };
}
