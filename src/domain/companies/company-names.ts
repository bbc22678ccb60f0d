import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { companyName } from './store.ts';

/** How long a process goes by the name that it has read: a company is seldom called something else. */
const KEPT_MS = 600_000;
/** Some 200 bytes each. */
const NAMES_MAX = 5_000;

/** What companies are called, as this process last read it in the directory. */
export class CompanyNames {
  readonly #names = new Map<string, { readonly name: string; readonly atMs: number }>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Undefined when the directory was needed and did not answer. */
  async nameOf(directory: Database, scope: CompanyScope): Promise<string | undefined> {
    const kept = this.#names.get(scope.companyId);
    if (kept !== undefined && this.#monotonicMs() - kept.atMs < KEPT_MS) return kept.name;
    const answer = await directory.read(companyName(scope));
    const name = answer.ok ? answer.rows[0]?.name : kept?.name;
    if (name === undefined) return undefined;
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    this.#names.set(scope.companyId, { name, atMs: this.#monotonicMs() });
    return name;
  }
}
