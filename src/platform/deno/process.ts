import { requestLogIn } from '../../domain/request-log/recorder.ts';
import { webhookFaults } from '../../domain/sandbox/fault/fault.ts';
import { assembleServices, type Platform } from '../../service/assemble.ts';
import type { Config, DatabaseAddress } from '../../service/config.ts';
import { databaseWork } from '../../service/database-work.ts';
import { DatabaseWriterCore } from '../../service/database-writer-core.ts';
import type { Services } from '../../service/services.ts';
import { ShipmentLanes } from '../../service/shipment-lanes.ts';
import { DenoChangeSockets } from './change-sockets.ts';
import { EndpointQueues } from './endpoint-queues.ts';
import { TimerAlarm } from './timer-alarm.ts';

const SWEEP_INTERVAL_MS = 60_000;

/** The service in one long-lived process: its writers, lanes and timers replace Durable Objects, alarms and cron. */
export function startProcess(
  config: Config,
  platform: Omit<
    Platform,
    'writerOf' | 'lane' | 'changeSockets' | 'endpointWaker' | 'views' | 'reportPosition' | 'writerReports'
  >,
): { readonly services: Services; readonly closeSockets: () => Promise<void>; readonly stop: () => Promise<void> } {
  const { clock, monotonicMs } = platform;
  const writers = new Map<string, DatabaseWriterCore>();
  const alarms: TimerAlarm[] = [];
  const writerOf = (address: DatabaseAddress): DatabaseWriterCore => {
    const alarm = new TimerAlarm(clock, () => writer.runDue());
    const writer: DatabaseWriterCore = new DatabaseWriterCore({
      ...platform,
      address,
      requireDurable: config.durability === 'strong',
      alarm,
      work: databaseWork(
        address.id,
        () => services,
        () => writer,
        { itemsAtOnce: 16 },
      ),
    });
    alarms.push(alarm);
    writers.set(address.id, writer);
    return writer;
  };
  const storeOf = (shard: string) => {
    const store = services.shards.get(shard);
    return store === undefined ? undefined : { ...services, ...store };
  };
  const queues = new EndpointQueues((shard) => {
    const store = storeOf(shard);
    return store === undefined ? undefined : { ...store, isDown: webhookFaults(services, store, shard) };
  }, clock);
  const changeSockets = new DenoChangeSockets(monotonicMs);
  const services: Services = assembleServices(config, {
    ...platform,
    writerOf,
    lane: new ShipmentLanes(storeOf, monotonicMs, (...done) => changeSockets.tell(...done)),
    changeSockets,
    endpointWaker: queues,
    writerReports: {
      lastSweptAt: async (databaseId) => writers.get(databaseId)?.sweptAt ?? null,
      isWritable: async (databaseId) => (await writers.get(databaseId)?.isWritable()) ?? false,
    },
    views: {
      add: async (shard, tokenHash, viewedAt) =>
        writers.get(shard)?.addViews([{ tokenHash, count: 1, lastViewedAt: viewedAt }]),
    },
    reportPosition: async (shard, driverId, position) => {
      const writer = writers.get(shard);
      await writer?.addPositions([[driverId, position]]);
      return writer !== undefined;
    },
  });
  const sweep = () => {
    for (const writer of writers.values()) void writer.sweep();
  };
  sweep();
  const interval = setInterval(sweep, SWEEP_INTERVAL_MS);
  const stop = async () => {
    clearInterval(interval);
    queues.stop();
    for (const alarm of alarms) alarm.stop();
    for (const writer of writers.values()) writer.stop();
    if (services.requestLog !== undefined) await requestLogIn(services.requestLog, services).flush();
  };
  return { services, closeSockets: async () => changeSockets.close(), stop };
}
