import * as z from 'zod';
import type { OwnEnvironment } from '../../../shared/connection.ts';
import { replaceDatabaseUrls } from '../../../shared/database-addresses.ts';
import { startEnvironment } from '../../../shared/environment.ts';
import { makeMortal } from '../../../shared/mortal-service.ts';
import type { SqldServer } from '../../../shared/mortal-sqld.ts';
import type { MortalService, Runtime } from '../../../shared/service.ts';
import { DATABASE_IDS, type DatabaseId } from '../../../shared/sql.ts';
import { startTcpProxy, type TcpProxy } from '../../../shared/tcp-proxy.ts';

/** What can fail. */
export const TARGETS = ['service', ...DATABASE_IDS] as const;
export type FaultTarget = (typeof TARGETS)[number];

/** The service and its databases, each behind a proxy of its own. */
export interface Cluster {
  readonly runtime: Runtime;
  /** Its `fetch` goes through the proxy to the service, its `sql` directly to the databases. */
  readonly environment: OwnEnvironment;
  proxy(target: FaultTarget): TcpProxy;
  database(id: DatabaseId): SqldServer;
  /** The service that takes new connections now. */
  service(): MortalService;
  /** Starts the service again in the place of the killed one. */
  startAgain(): Promise<void>;
  /** Starts another service beside it, which gets all new connections. */
  startElsewhere(): Promise<void>;
  stop(): Promise<void>;
}

/** Short enough that offers expire, and shipments are given up, within a round. */
const DISPATCH_WAITS = JSON.stringify({ offerSeconds: 2, candidateSeconds: 3, lookSeconds: 1 });
/** All ten attempts within some seconds instead of three days. */
export const WEBHOOK_TERMS = { delaysSeconds: [0, 0.2, 0.5, 1, 1, 1, 2, 2, 2, 2], timeoutMs: 1000 };

export async function startCluster(runtime: Runtime): Promise<Cluster> {
  const mortal = await makeMortal(runtime);
  const proxies = new Map<FaultTarget, TcpProxy>();
  let variables: Readonly<Record<string, string>> = {};
  let current: MortalService | undefined;
  const started = () => {
    if (current === undefined) throw new Error('The service has not started');
    return current;
  };
  const follow = async (service: MortalService) => {
    current = service;
    const port = portOf(service.address);
    const front = proxies.get('service') ?? (await startTcpProxy(port));
    front.aim(port);
    proxies.set('service', front);
  };
  const environment = await startEnvironment(
    runtime,
    { DISPATCH_WAITS, WEBHOOK_TERMS: JSON.stringify(WEBHOOK_TERMS) },
    async (all) => {
      variables = await replaceDatabaseUrls(all, async (id, url) => {
        const target = z.enum(DATABASE_IDS).parse(id);
        const proxy = proxies.get(target) ?? (await startTcpProxy(portOf(url)));
        proxies.set(target, proxy);
        return proxy.url;
      });
      await follow(await mortal.start(variables));
      return {
        address: proxyOf(proxies, 'service').url,
        logs: () => started().logs(),
        sweep: () => started().sweep(),
        stop: () => started().stop(),
      };
    },
  );
  const { directory, shards } = environment.databases;
  return {
    runtime,
    environment,
    proxy: (target) => proxyOf(proxies, target),
    database: (id) => (id === 'directory' ? directory : shards[id]),
    service: started,
    startAgain: async () => follow(await mortal.start(variables)),
    startElsewhere: async () => follow(await mortal.startElsewhere(variables)),
    async stop() {
      for (const proxy of proxies.values()) proxy.close();
      for (const server of [directory, ...Object.values(shards)]) server.resume();
      await environment.stop();
      mortal.forget();
    },
  };
}

function proxyOf(proxies: ReadonlyMap<FaultTarget, TcpProxy>, target: FaultTarget): TcpProxy {
  const proxy = proxies.get(target);
  if (proxy === undefined) throw new Error(`Nothing leads to ${target}`);
  return proxy;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
