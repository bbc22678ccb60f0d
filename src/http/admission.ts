import { bearerOf } from '../access/authenticate.ts';
import { shardOfDriverToken } from '../access/driver-token.ts';
import { shardOfTrackingToken } from '../access/tracking-token.ts';
import { pause } from '../core/timer.ts';
import type { Services } from '../service/services.ts';
import { AdmissionLimiter, type Permit } from './admission-limiter.ts';
import type { Exchange } from './route-table.ts';

const limiters = new WeakMap<Services, AdmissionLimiter>();
const permits = new WeakMap<Request, Permit>();

/** A permit for a request, if its process or isolate has one. */
export function admit(request: Request, exchange: Asking): Permit | undefined {
  const permit = limiterOf(exchange.services).acquire(knownShard(exchange));
  if (permit !== undefined) permits.set(request, permit);
  return permit;
}

/** That of a request which was admitted. */
export function permitOf(request: Request): Permit | undefined {
  return permits.get(request);
}

/**
 * Waits as long as a refusal has to. Without any wait workerd would take up what comes next on the same connection before
 * it looks at the others, and at the databases: a few who ask without a pause would be all it sees.
 */
export async function holdRefusal(services: Services): Promise<void> {
  const limiter = limiterOf(services);
  const ms = limiter.beginRefusal();
  const startedAtMs = services.monotonicMs();
  await pause(ms);
  limiter.noteLateness(services.monotonicMs() - startedAtMs - ms);
}

type Asking = Pick<Exchange, 'services' | 'facts' | 'parameters'>;

function limiterOf(services: Services): AdmissionLimiter {
  const known = limiters.get(services);
  if (known !== undefined) return known;
  const { monotonicMs, shards } = services;
  const limiter = new AdmissionLimiter({ monotonicMs, shards: shards.size });
  limiters.set(services, limiter);
  return limiter;
}

/** Where a request goes, as far as that is known without asking anybody: refusing it here costs the least. */
function knownShard({ services, facts, parameters }: Asking): string | undefined {
  const { token: trackingToken } = parameters;
  if (trackingToken !== undefined) return shardOfTrackingToken(trackingToken);
  const token = bearerOf(facts.authorization);
  if (token === undefined) return undefined;
  const client = services.tokenCache.get(token);
  return client?.kind === 'company' ? client.shard : shardOfDriverToken(token);
}
