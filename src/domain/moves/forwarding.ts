import type { Database } from '../../../db/database.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Forwards, MoveBook } from './move-book.ts';

interface Store {
  readonly database: Database;
}

interface ForwardDependencies<Of extends Store> {
  readonly shards: ReadonlyMap<string, Of>;
  readonly moveBook: MoveBook;
}

/** A shard of the chain. `store` is absent if it is not configured, `forwards` if it did not answer. */
type Visit<Of extends Store> =
  | { readonly store: undefined; readonly forwards: undefined }
  | { readonly store: Of; readonly forwards: Forwards | undefined };

/** The longest chain of moves that is followed. */
const MOVES_MAX = 8;

/** Visits the shards in which companies should be, then the shards to which these forward. */
export async function* visitForwards<Of extends Store>(
  { shards, moveBook }: ForwardDependencies<Of>,
  first: Forwards,
): AsyncGenerator<Visit<Of>> {
  let current = first;
  for (let moves = 0; moves <= MOVES_MAX && current.size > 0; moves += 1) {
    const left = new Map<string, Forwards>();
    for (const shard of new Set(current.values())) {
      const store = shards.get(shard);
      const forwards = await (store && moveBook.forwardsOf(store.database));
      if (forwards !== undefined) left.set(shard, forwards);
      yield store === undefined ? { store, forwards: undefined } : { store, forwards };
    }
    current = onward(current, left);
  }
}

function onward(current: Forwards, left: ReadonlyMap<string, Forwards>): Forwards {
  const next = new Map<Uuid, string>();
  for (const [companyId, shard] of current) {
    const to = left.get(shard)?.get(companyId);
    if (to !== undefined) next.set(companyId, to);
  }
  return next;
}

/**
 * Looks for a row that is not in the shard of its token, in the shards to which companies of that shard have moved, and
 * so on. `unknown` if it is not found and one of these shards did not answer.
 */
export async function findForwarded<Of extends Store, Found>(
  dependencies: ForwardDependencies<Of>,
  named: Of,
  look: (store: Of) => Promise<Found | undefined | 'unknown'>,
): Promise<Found | undefined | 'unknown'> {
  const left = await dependencies.moveBook.forwardsOf(named.database);
  if (left === undefined) return 'unknown';
  let isUnknown = false;
  const seen = new Set([named]);
  for await (const { store, forwards } of visitForwards(dependencies, left)) {
    if (store === undefined) continue;
    isUnknown ||= forwards === undefined;
    if (seen.has(store)) continue;
    seen.add(store);
    const found = await look(store);
    if (found !== undefined && found !== 'unknown') return found;
    isUnknown ||= found === 'unknown';
  }
  return isUnknown ? 'unknown' : undefined;
}
