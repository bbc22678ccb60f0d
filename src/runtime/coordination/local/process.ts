import type { Instant } from '../../../core/instant.ts';
import { assembleServices, type Platform } from '../../assemble.ts';
import type { Config, DatabaseAddress } from '../../config.ts';
import type { Services } from '../../services.ts';
import { sweepDirectory, sweepShard } from '../sweep.ts';
import { LocalDatabaseWriter } from './database-writer.ts';
import { LocalShipmentLanes } from './shipment-lane.ts';

const SWEEP_INTERVAL_MS = 60_000;

/** The service in one process that stays: its writers, lanes and timers instead of Durable Objects, alarms and cron. */
export function startProcess(
  config: Config,
  platform: Omit<Platform, 'writerOf' | 'lane'>,
): { readonly services: Services; readonly stop: () => void } {
  const writers = new Map<string, LocalDatabaseWriter>();
  const writerOf = (address: DatabaseAddress): LocalDatabaseWriter => {
    const writer = new LocalDatabaseWriter({
      address,
      requireDurable: config.durability === 'strong',
      clock: platform.clock,
      monotonicMs: platform.monotonicMs,
      runDue: () => sweep(services, address.id),
    });
    writers.set(address.id, writer);
    return writer;
  };
  const lane = new LocalShipmentLanes((shard) => {
    const store = services.shards.get(shard);
    return store === undefined ? undefined : { ...services, ...store };
  });
  const services: Services = assembleServices(config, { ...platform, writerOf, lane });
  const sweepAll = () => {
    for (const writer of writers.values()) void writer.sweep();
  };
  sweepAll();
  const interval = setInterval(sweepAll, SWEEP_INTERVAL_MS);
  const stop = () => {
    clearInterval(interval);
    for (const writer of writers.values()) writer.stop();
  };
  return { services, stop };
}

async function sweep(services: Services, databaseId: string): Promise<Instant | null | undefined> {
  const store = services.shards.get(databaseId);
  if (store !== undefined) return sweepShard({ ...services, ...store });
  await sweepDirectory({ ...services, writer: services.directory.writer });
  return null;
}
