import type { EventNotice, Views } from '../../../db/writer.ts';
import type { Instant } from '../../core/instant.ts';
import { sweepMedia } from '../../domain/media/sweep/sweep.ts';
import { webhookFaults } from '../../domain/sandbox/fault/fault.ts';
import { logError } from '../../ports/log.ts';
import { assembleServices, type Platform } from '../../service/assemble.ts';
import type { Config, DatabaseAddress } from '../../service/config.ts';
import { DeliveryBell } from '../../service/delivery-bell.ts';
import type { Services } from '../../service/services.ts';
import { housekeepShard, measureSweep, runShard, sweepDirectory } from '../../service/sweep.ts';
import { LocalDatabaseWriter } from './database-writer.ts';
import { LocalEndpointQueues } from './endpoint-queues.ts';
import { LocalShipmentLanes } from './shipment-lane.ts';

const SWEEP_INTERVAL_MS = 60_000;

/** The service in one process that stays: its writers, lanes and timers instead of Durable Objects, alarms and cron. */
export function startProcess(
  config: Config,
  platform: Omit<Platform, 'writerOf' | 'lane' | 'endpointWaker' | 'views'>,
): { readonly services: Services; readonly stop: () => void } {
  const writers = new Map<string, LocalDatabaseWriter>();
  const writerOf = (address: DatabaseAddress): LocalDatabaseWriter => {
    const writer = new LocalDatabaseWriter({
      address,
      requireDurable: config.durability === 'strong',
      fetch: platform.fetch,
      clock: platform.clock,
      monotonicMs: platform.monotonicMs,
      report: platform.report,
      metrics: platform.metrics,
      runDue: () => runDueOn(services, address.id),
      onEvents: (notices) => ring(address.id, notices),
    });
    writers.set(address.id, writer);
    return writer;
  };
  const lane = new LocalShipmentLanes((shard) => {
    const store = services.shards.get(shard);
    return store === undefined ? undefined : { ...services, ...store };
  }, platform.monotonicMs);
  const queues = new LocalEndpointQueues((shard) => {
    const store = services.shards.get(shard);
    return store === undefined ? undefined : { ...services, ...store, isDown: webhookFaults(services, store, shard) };
  }, platform.clock);
  const bells = new Map<string, DeliveryBell>();
  const ring = (databaseId: string, notices: readonly EventNotice[]) => {
    const store = services.shards.get(databaseId);
    if (store === undefined) return;
    const bell = bells.get(databaseId) ?? new DeliveryBell(store.database, (id) => queues.wake(databaseId, id));
    bells.set(databaseId, bell);
    bell.ring(notices).catch(report);
  };
  const views: Views = {
    add: (shard, linkId, viewedAt) => Promise.resolve(writers.get(shard)?.addView(linkId, viewedAt)),
  };
  const services: Services = assembleServices(config, { ...platform, writerOf, lane, views, endpointWaker: queues });
  const sweepAll = () => {
    for (const [databaseId, writer] of writers) {
      housekeep(services, databaseId).catch(report);
      void writer.sweep();
    }
  };
  sweepAll();
  const interval = setInterval(sweepAll, SWEEP_INTERVAL_MS);
  const stop = () => {
    clearInterval(interval);
    queues.stop();
    for (const writer of writers.values()) writer.stop();
  };
  return { services, stop };
}

function report(error: unknown): void {
  logError({ error: String(error) });
}

function runDueOn(services: Services, databaseId: string): Promise<Instant | null | undefined> {
  const store = services.shards.get(databaseId);
  return store === undefined ? Promise.resolve(null) : runShard({ ...services, ...store });
}

async function housekeep(services: Services, databaseId: string): Promise<void> {
  return measureSweep(services, databaseId, () => housekeepNow(services, databaseId));
}

async function housekeepNow(services: Services, databaseId: string): Promise<void> {
  const store = services.shards.get(databaseId);
  if (store === undefined) return sweepDirectory(services);
  const dependencies = { ...services, ...store };
  await housekeepShard({ ...dependencies, wakeEndpoint: (id) => services.endpointWaker.wake(databaseId, id) });
  await sweepMedia(dependencies);
}
