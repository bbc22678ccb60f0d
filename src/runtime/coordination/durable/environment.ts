import type { CompanyScope } from '../../../access/require.ts';
import type { Result } from '../../../core/result.ts';
import type { CommandOrder } from '../../../domain/shipments/command.ts';
import type { ShipmentRow } from '../../../domain/shipments/store.ts';
import { monotonicMs, SystemClock, systemRandom } from '../../adapters/system.ts';
import { memoryLimiter } from '../../adapters/limiter-memory.ts';
import { chooseMessages } from '../../adapters/message/choose-messages.ts';
import { chooseRouting } from '../../adapters/routing/choose-routing.ts';
import { assembleServices } from '../../assemble.ts';
import { parseConfig } from '../../config.ts';
import type { Services } from '../../services.ts';
import type { CommitOutcome, CommitRequest } from '../ports.ts';

/** What an object of a namespace can be asked from outside. */
interface RemoteObjects<Methods> {
  getByName(name: string): Methods;
}

export interface WriterMethods {
  commit(databaseId: string, request: CommitRequest): Promise<CommitOutcome>;
  sweep(databaseId: string): Promise<void>;
}
export interface LaneMethods {
  execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>>;
}

/** Bindings of wrangler.toml, beside the variables that `parseConfig` reads. */
export interface WorkerEnvironment extends Readonly<Record<string, unknown>> {
  readonly DATABASE_WRITER: RemoteObjects<WriterMethods>;
  readonly SHIPMENT_LANE: RemoteObjects<LaneMethods>;
}

let built: { readonly environment: string; readonly services: Services } | undefined;

/**
 * The services of this isolate, built at its first request: parsing keys and configuration each time would cost more
 * than a read. Worker and Durable Objects that share an isolate share them. Holds no connection and no request.
 */
export function servicesOf(environment: WorkerEnvironment): Services {
  const key = JSON.stringify(Object.entries(environment).filter(([, value]) => typeof value === 'string'));
  if (built?.environment === key) return built.services;
  const services = assemble(environment);
  built = { environment: key, services };
  return services;
}

function assemble(environment: WorkerEnvironment): Services {
  const config = parseConfig(environment);
  const clock = new SystemClock();
  return assembleServices(config, {
    clock,
    random: systemRandom,
    limiter: memoryLimiter(clock, config.rateLimits),
    monotonicMs,
    routing: chooseRouting(config, { fetch: (address, init) => fetch(address, init), monotonicMs }),
    messagesOf: (directory) => chooseMessages(config, directory, { clock, random: systemRandom }),
    fetch: (address, init) => fetch(address, init),
    writerOf: ({ id }) => ({
      commit: (request) => remembering(() => environment.DATABASE_WRITER.getByName(id).commit(id, request)),
    }),
    lane: {
      execute: (scope, order) => environment.SHIPMENT_LANE.getByName(order.shipmentId).execute(scope, order),
    },
  });
}

/** A call that broke off between two objects tells nothing of its end. */
async function remembering(call: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  try {
    return await call();
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', error: `A commit broke off: ${String(error)}` }));
    return { status: 'unknown' };
  }
}
