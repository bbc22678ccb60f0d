import type { Writer } from '../../db/writer.ts';
import type { CompanyScope } from '../access/require.ts';
import { addSeconds, type Instant } from '../core/instant.ts';
import { part } from '../core/part.ts';
import type { Looks } from '../domain/dispatch/due.ts';
import { routingFor } from '../domain/sandbox/fault/fault.ts';
import { takenClaims } from '../domain/shipments/store.ts';
import type { DatabaseWork } from './database-writer-core.ts';
import { DeliveryBell, type WakeEndpoint } from './delivery-bell.ts';
import type { Services } from './services.ts';

const sweeping = part(() => import('./sweep.ts'));
const running = part(() => import('./run-shard.ts'));
const clocks = part(() => import('./run-clocks.ts'));
const checks = part(() => import('./address-checks.ts'));
const batches = part(() => import('../domain/batches/run.ts'));

/** What a platform lets the work of a database do. */
export interface WorkLimits {
  /** Items of a batch that run at once. */
  readonly itemsAtOnce: number;
}

/**
 * The work of one database. `services` is called when there is work, because the services are assembled after their
 * writers. `writer` is the database's own writer: `services` may hold a remote reference to it.
 */
export function databaseWork(
  databaseId: string,
  services: () => Services,
  writer: () => Writer,
  { itemsAtOnce }: WorkLimits,
): DatabaseWork {
  let looks: Looks | undefined;
  let thoroughAt: Instant | undefined;
  const wakeEndpoint: WakeEndpoint = (endpointId) => services().endpointWaker.wake(databaseId, endpointId);
  const bell = new DeliveryBell(wakeEndpoint);
  const shard = () => {
    const store = services().shards.get(databaseId);
    return store === undefined ? undefined : { ...services(), database: store.database, writer: writer() };
  };
  return {
    async runDue() {
      const dependencies = shard();
      if (dependencies === undefined) return null;
      const { Looks, runShard, earlierDue } = await running();
      looks ??= new Looks();
      const order = { ...dependencies, looks };
      if (dependencies.config.deployment === 'production') return runShard(order);
      const { runMovedClocks } = await clocks();
      const [next, moved] = await Promise.all([runShard(order), runMovedClocks({ ...order, wakeEndpoint })]);
      return earlierDue(next, moved);
    },
    async runBatches() {
      const dependencies = shard();
      if (dependencies === undefined) return null;
      const { runBatches } = await batches();
      const routingOf = (scope: CompanyScope) => routingFor(dependencies, dependencies, scope);
      return runBatches({ ...dependencies, routingOf, itemsAtOnce });
    },
    async housekeep() {
      const { housekeepShard, sweepDirectory, sweepMedia, sweepProofMedia, THOROUGH_SECONDS } = await sweeping();
      const dependencies = shard();
      if (dependencies === undefined) {
        const { database } = services().directory;
        return sweepDirectory({ ...services(), directory: { database, writer: writer() } });
      }
      const now = dependencies.clock.now();
      const isThorough = thoroughAt === undefined || now >= addSeconds(thoroughAt, THOROUGH_SECONDS);
      if (isThorough) thoroughAt = now;
      await housekeepShard({ ...dependencies, wakeEndpoint }, isThorough);
      // Last, because a registry and an object store are slow, and no request waits for this work.
      if (dependencies.addresses.registry !== 'none') {
        const { checkDue } = await checks();
        await checkDue(services(), dependencies);
      }
      await sweepMedia(dependencies);
      await sweepProofMedia(dependencies);
    },
    async findTaken(claims) {
      const answer = await shard()?.database.read(takenClaims(claims));
      return answer?.ok === true ? answer.rows.map(({ claim }) => claim) : [];
    },
    wake: (endpointIds) => bell.ring(endpointIds),
  };
}
