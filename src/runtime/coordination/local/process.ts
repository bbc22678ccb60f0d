import type { Instant } from '../../../core/instant.ts';
import { assembleServices, type Platform } from '../../assemble.ts';
import type { Config, DatabaseAddress } from '../../config.ts';
import type { Services } from '../../services.ts';
import type { Views } from '../ports.ts';
import { forgetExpired, runShard, sweepDirectory } from '../sweep.ts';
import { LocalDatabaseWriter } from './database-writer.ts';
import { LocalShipmentLanes } from './shipment-lane.ts';

const SWEEP_INTERVAL_MS = 60_000;

/** The service in one process that stays: its writers, lanes and timers instead of Durable Objects, alarms and cron. */
export function startProcess(
  config: Config,
  platform: Omit<Platform, 'writerOf' | 'lane' | 'views'>,
): { readonly services: Services; readonly stop: () => void } {
  const writers = new Map<string, LocalDatabaseWriter>();
  const writerOf = (address: DatabaseAddress): LocalDatabaseWriter => {
    const writer = new LocalDatabaseWriter({
      address,
      requireDurable: config.durability === 'strong',
      clock: platform.clock,
      monotonicMs: platform.monotonicMs,
      report: platform.report,
      runDue: () => runDueOn(services, address.id),
    });
    writers.set(address.id, writer);
    return writer;
  };
  const lane = new LocalShipmentLanes((shard) => {
    const store = services.shards.get(shard);
    return store === undefined ? undefined : { ...services, ...store };
  }, platform.monotonicMs);
  const views: Views = {
    add: (shard, linkId, viewedAt) => Promise.resolve(writers.get(shard)?.addView(linkId, viewedAt)),
  };
  const services: Services = assembleServices(config, { ...platform, writerOf, lane, views });
  const sweepAll = () => {
    for (const [databaseId, writer] of writers) {
      void housekeep(services, databaseId);
      void writer.sweep();
    }
  };
  sweepAll();
  const interval = setInterval(sweepAll, SWEEP_INTERVAL_MS);
  const stop = () => {
    clearInterval(interval);
    for (const writer of writers.values()) writer.stop();
  };
  return { services, stop };
}

function runDueOn(services: Services, databaseId: string): Promise<Instant | null | undefined> {
  const store = services.shards.get(databaseId);
  return store === undefined ? Promise.resolve(null) : runShard({ ...services, ...store });
}

function housekeep(services: Services, databaseId: string): Promise<void> {
  const store = services.shards.get(databaseId);
  return store === undefined
    ? sweepDirectory({ ...services, writer: services.directory.writer })
    : forgetExpired({ ...services, ...store });
}
