import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { Kept } from '../../core/kept.ts';
import type { Uuid } from '../../core/uuid.ts';
import { companyName } from './store.ts';

/** How long a process caches a name. Companies rarely change their names. */
const KEPT_MS = 600_000;
/** Some 200 bytes each. */
const NAMES_MAX = 5_000;

/** The names of companies, as this process last read them in the directory. */
export class CompanyNames {
  readonly #names: Kept<Uuid, string>;

  constructor(monotonicMs: () => number) {
    this.#names = new Kept({ keptMs: KEPT_MS, entriesMax: NAMES_MAX, nowMs: monotonicMs });
  }

  /** Undefined if a read was needed and the directory did not answer. A stale name is better than none. */
  async nameOf(directory: Database, scope: CompanyScope): Promise<string | undefined> {
    const stale = this.#names.peek(scope.companyId)?.value;
    return this.#names.getOrRead(scope.companyId, async () => {
      const answer = await directory.read(companyName(scope));
      return answer.ok ? answer.rows[0]?.name : stale;
    });
  }
}
