import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import { type CompanyScope, scopeForService } from '../../../access/require.ts';
import type { FaultTarget } from '../../../contract/driver-state.ts';
import type { SandboxFault } from '../../../contract/sandbox.ts';
import type { Deployment } from '../../../core/deployment.ts';
import { Kept } from '../../../core/kept.ts';
import { ok, type Result } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Documents } from '../../../ports/documents.ts';
import type { Routing } from '../../../ports/routing.ts';
import { settle } from '../../settle.ts';
import { faultsDelete, faultsOf, faultTaken, faultUpsert } from './store.ts';

/** Caches companies without faults, so that their provider calls need no read of the database. */
export type FaultBook = Kept<Uuid, 'clean'>;

export interface FaultDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly faultBook: FaultBook;
}

export interface FaultyServices {
  readonly faultBook: FaultBook;
  readonly config: { readonly deployment: Deployment };
}
export type FaultStore = Pick<FaultDependencies, 'database' | 'writer'>;

/** Faults that were requested in this process start at once. Those from other processes start here after this time. */
const KEPT_MS = 5_000;
/** About 100 bytes each. */
const COMPANIES_MAX = 10_000;

export function newFaultBook(monotonicMs: () => number): FaultBook {
  return new Kept({ keptMs: KEPT_MS, entriesMax: COMPANIES_MAX, nowMs: monotonicMs });
}

/** Makes the company's next `count` uses of a provider fail. A later request replaces an earlier one. */
export async function setFault(
  { writer, faultBook }: FaultDependencies,
  scope: CompanyScope,
  { target, count }: { readonly target: FaultTarget; readonly count: number },
): Promise<Result<SandboxFault>> {
  const set = settle(await writer.commit({ statements: [faultUpsert(scope, target, count)] }));
  faultBook.forget(scope.companyId);
  return set.ok ? ok({ target, remaining: count }) : set;
}

/** Removes all faults of the company. */
export async function clearFaults(
  { writer, faultBook }: FaultDependencies,
  scope: CompanyScope,
): Promise<Result<void>> {
  const cleared = settle(await writer.commit({ statements: [faultsDelete(scope)] }));
  faultBook.forget(scope.companyId);
  return cleared.ok ? ok(undefined) : cleared;
}

/** The routing provider of a company. It is unavailable while requested faults are left. Production has no faults. */
export function routingFor(
  services: FaultyServices & { readonly routing: Routing },
  store: FaultStore,
  scope: CompanyScope,
): Routing {
  const { routing, faultBook, config } = services;
  if (config.deployment === 'production') return routing;
  return {
    engine: routing.engine,
    async findRoute(from, to) {
      const isDown = await takeFault({ ...store, faultBook }, scope, 'ROUTING');
      return isDown ? { ok: false, reason: 'unavailable' } : routing.findRoute(from, to);
    },
  };
}

/** The storage of a company's uploads, with the same faults. A registration has no company yet, and so no faults. */
export function uploadsFor(
  services: FaultyServices & { readonly documents: Documents },
  store: FaultStore,
  scope: CompanyScope,
): Pick<Documents, 'put'> {
  const { documents, faultBook, config } = services;
  if (config.deployment === 'production') return documents;
  return {
    async put(key, file) {
      const isDown = await takeFault({ ...store, faultBook }, scope, 'STORAGE');
      return isDown ? 'unavailable' : documents.put(key, file);
    },
  };
}

/** Whether a webhook attempt of a company must fail. Never true on production. */
export function webhookFaults(
  { faultBook, config }: FaultyServices,
  store: FaultStore,
  shard: string,
): (companyId: Uuid) => Promise<boolean> {
  if (config.deployment === 'production') return () => Promise.resolve(false);
  return (companyId) => takeFault({ ...store, faultBook }, scopeForService(shard, companyId), 'WEBHOOK_DELIVERY');
}

/** Whether this use must fail. The database counts, so that exactly `count` uses fail across all processes. */
export async function takeFault(
  { database, writer, faultBook }: FaultDependencies,
  scope: CompanyScope,
  target: FaultTarget,
): Promise<boolean> {
  if (faultBook.get(scope.companyId) === 'clean') return false;
  const answer = await database.read(faultsOf(scope));
  // If the database is unavailable, the request fails anyway.
  if (!answer.ok) return false;
  if (answer.rows.length === 0) faultBook.set(scope.companyId, 'clean');
  if (!answer.rows.some((fault) => fault.target === target)) return false;
  const taken = settle(await writer.commit({ statements: [faultTaken(scope, target)] }));
  return taken.ok && taken.value;
}
