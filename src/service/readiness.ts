import { type DatabaseReadiness, readinessOf } from '../../db/readiness.ts';
import { SHIPMENT_NEEDS, type ShipmentNeed } from '../contract/deployment-status.ts';
import { activeFleet } from '../domain/drivers/fleet-store.ts';
import { tariffInForce } from '../domain/pricing/store.ts';
import { logError } from '../ports/log.ts';
import { keyFaults } from './key-check.ts';
import type { Services, Store } from './services.ts';

/** What `/ready` reports of the databases and of what operators set up. */
export interface Readiness {
  readonly isReady: boolean;
  readonly databases: readonly DatabaseReadiness[];
  /** Lists of keys that do not work, or lack one that stored values need. The log has the reasons. */
  readonly keysRefused: readonly string[];
  /** Whether every company could create a shipment that a driver may get, and what operators have still to set up. */
  readonly shipments: { readonly possible: boolean; readonly missing: readonly ShipmentNeed[] };
}

/** Asks every database. */
export async function checkReadiness(services: Services): Promise<Readiness> {
  const { config, directory, shards, writerReports } = services;
  const requireDurable = config.durability === 'strong';
  const { isWritable } = writerReports;
  const ask = ({ database }: Store, kind: 'directory' | 'shard') =>
    readinessOf(database, { kind, requireDurable, isWritable });
  const [ofDirectory, ...ofShards] = await Promise.all([
    ask(directory, 'directory'),
    ...[...shards.values()].map((store) => ask(store, 'shard')),
  ]);
  const databases = [ofDirectory, ...ofShards];
  const isUp = databases.every((one) => one.answers && one.migrationsCurrent && one.durabilityStrong);
  // A shard that takes no writes leaves the others in service.
  const keysRefused = isUp ? await refusedKeys(services) : [];
  const isReady = isUp && keysRefused.length === 0 && ofDirectory.writable && ofShards.some(({ writable }) => writable);
  const canRead = databases.every((one) => one.answers && one.migrationsCurrent);
  const { possible, missing } = canRead ? await checkShipments(services) : { possible: false, missing: [] };
  return {
    isReady,
    databases,
    keysRefused,
    shipments: { possible: possible && ofShards.every(({ writable }) => writable), missing },
  };
}

/** Workers have no start, so the first check of an isolate tries the keys, and a failed one is repeated after a minute. */
async function refusedKeys(services: Services): Promise<readonly string[]> {
  const known = keyChecks.get(services);
  const nowMs = services.monotonicMs();
  if (known !== undefined && (known.lists.length === 0 || nowMs - known.atMs < KEYS_KEPT_MS)) return known.lists;
  const faults = await keyFaults(services);
  for (const { list, found, mend } of faults) logError({ error: `${list}: ${found}. ${mend}` });
  const lists = [...new Set(faults.map(({ list }) => list))];
  keyChecks.set(services, { lists, atMs: nowMs });
  return lists;
}
const keyChecks = new WeakMap<Services, { readonly lists: readonly string[]; readonly atMs: number }>();
const KEYS_KEPT_MS = 60_000;

/** A shard without a service level or a driver is reported, because its companies cannot ship. */
async function checkShipments({ directory, shards, clock }: Services): Promise<Readiness['shipments']> {
  const [tariff, ...fleets] = await Promise.all([
    directory.database.readAll([tariffInForce(clock.now())] as const),
    ...[...shards.values()].map(({ database }) => database.readAll(activeFleet())),
  ]);
  // A database that has just failed says nothing about what is set up.
  if (!tariff.ok || !fleets.every(({ ok }) => ok)) return { possible: false, missing: [] };
  const fleetHas = (index: 0 | 1) => fleets.every((answer) => answer.ok && answer.results[index].length > 0);
  const has = { TARIFF: tariff.results[0].length > 0, SERVICE_LEVEL: fleetHas(0), DRIVER: fleetHas(1) };
  const missing = SHIPMENT_NEEDS.filter((need) => !has[need]);
  return { possible: missing.length === 0, missing };
}
