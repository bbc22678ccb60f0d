import type { ServiceLevelChanges, ServiceLevelRequest } from '../../contract/fleet.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { commitChange } from '../audit/change.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { allServiceLevels, type ServiceLevelRow } from '../offers/store.ts';
import { auditOfFleet, changeRow, type FleetDependencies } from './fleet-change.ts';
import { serviceLevelByCode, serviceLevelInsert, serviceLevelUpdate } from './fleet-store.ts';

export interface ServiceLevelDependencies extends FleetDependencies {
  readonly serviceLevelBook: ServiceLevelBook;
}

/** Adds a service level to a shard. 422 if the code exists. */
export async function createServiceLevel(
  dependencies: ServiceLevelDependencies,
  request: ServiceLevelRequest,
): Promise<Result<ServiceLevelRow>> {
  const { database, clock, serviceLevelBook } = dependencies;
  const now = clock.now();
  const { capabilities, cities, ...terms } = request;
  const lists = { capabilities: JSON.stringify(capabilities), cities: JSON.stringify(cities) };
  const row: ServiceLevelRow = { ...terms, ...lists, status: 'ACTIVE', createdAt: now, updatedAt: now, version: 0 };
  const entry = { action: 'service_level.created', subject: row.code, at: now, detail: { version: 0 } };
  const made = await commitChange(dependencies, {
    unit: { statements: [serviceLevelInsert(row)] },
    audit: auditOfFleet(dependencies, entry),
  });
  if (!made.ok) return made;
  if (!made.value) {
    return refuse('VALIDATION_FAILED', { violations: [{ field: 'code', code: 'DUPLICATE_ITEM' }] });
  }
  serviceLevelBook.forget(database.id);
  return ok(row);
}

/**
 * Changes a service level for shipments that are created from now on. Other processes use the change within seconds.
 */
export async function updateServiceLevel(
  dependencies: ServiceLevelDependencies,
  { code, version }: { readonly code: string; readonly version: number },
  changes: ServiceLevelChanges,
): Promise<Result<ServiceLevelRow>> {
  const { database, clock, serviceLevelBook } = dependencies;
  const named = { action: 'service_level.updated', subject: code };
  const order = { find: serviceLevelByCode(code), seenVersion: version, ...named };
  const changed = await changeRow(dependencies, order, (before) => {
    const row: ServiceLevelRow = {
      ...before,
      capabilities: changes.capabilities === undefined ? before.capabilities : JSON.stringify(changes.capabilities),
      cities: changes.cities === undefined ? before.cities : JSON.stringify(changes.cities),
      weightKilogramsMax: changes.weightKilogramsMax ?? before.weightKilogramsMax,
      lengthCentimetresMax: changes.lengthCentimetresMax ?? before.lengthCentimetresMax,
      rank: changes.rank ?? before.rank,
      status: changes.status ?? before.status,
      updatedAt: clock.now(),
      version: before.version + 1,
    };
    return ok({ row, statements: [serviceLevelUpdate(row)] });
  });
  serviceLevelBook.forget(database.id);
  return changed;
}

/** Every service level of a shard, in the order of preference. */
export async function listServiceLevels({
  database,
}: Pick<FleetDependencies, 'database'>): Promise<Result<ServiceLevelRow[]>> {
  const answer = await database.read(allServiceLevels());
  return answer.ok ? ok(answer.rows) : unavailable();
}
