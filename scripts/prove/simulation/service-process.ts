import { handle } from '../../../src/app.ts';
import { addMicros, addMillis, type Instant } from '../../../src/core/instant.ts';
import { loadParts } from '../../../src/core/part.ts';
import { startProcess } from '../../../src/platform/deno/process.ts';
import type { Addresses } from '../../../src/ports/addresses.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Messages } from '../../../src/ports/message.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { Routing } from '../../../src/ports/routing.ts';
import type { WebhookTransport } from '../../../src/ports/webhook.ts';
import { noAddresses, noDocuments, noMetrics, noStreets } from '../../../src/providers/absent.ts';
import { memoryLimiter } from '../../../src/providers/memory-limiter.ts';
import { ProviderReports } from '../../../src/providers/provider-reports.ts';
import { fixtureRouting } from '../../../src/providers/routing/fixture.ts';
import type { Config } from '../../../src/service/config.ts';
import type { Dice } from '../../shared/dice.ts';
import { EPOCH_MS, uuidAt, wallOf } from '../../shared/memory/moments.ts';
import type { Network } from './network.ts';
import { registered } from './registry.ts';
import type { Owner, Schedule } from './schedule.ts';

// Loading a file takes real time, which a simulated run must not depend on.
await loadParts();

/** One process of the service, assembled as in `src/deno.ts`, in simulated surroundings. */
export interface ServiceProcess extends Owner {
  readonly answer: (request: Request) => Promise<Response>;
}

export interface ProcessSurroundings {
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly network: Network;
  readonly config: Config;
  /** How far the wall clock was moved forward, beyond the time that has passed. */
  readonly leapMs: () => number;
  readonly transportOf: (owner: Owner) => WebhookTransport;
  readonly messagesOf: (owner: Owner) => Messages;
}

/** The largest error of a machine's clock. */
const SKEW_MS = 250;

export function startServiceProcess(owner: Owner, surroundings: ProcessSurroundings): ServiceProcess {
  const { schedule, dice, network, config, leapMs, transportOf, messagesOf } = surroundings;
  const skewMs = Math.round(dice.between(-SKEW_MS, SKEW_MS));
  const clock = new VirtualClock(() => addMillis(wallOf(schedule.nowMs + leapMs()), skewMs));
  const random = randomOf(dice, () => Math.floor(EPOCH_MS + schedule.nowMs + leapMs()));
  const firstLease = { ...config.firstLease, holder: owner.name.replaceAll(' ', '-') };
  const { services } = startProcess(
    { ...config, firstLease },
    {
      callNumbers: { numberFor: (phone) => phone },
      clock,
      random,
      limiter: memoryLimiter(() => schedule.nowMs, config.rateLimits),
      monotonicMs: () => schedule.nowMs,
      fetch: network.fetchOf(owner),
      report: () => undefined,
      metrics: noMetrics,
      providerReports: new ProviderReports(() => schedule.nowMs),
      routing: routingOf(owner, surroundings),
      addresses: addressesOf(owner, surroundings),
      documents: noDocuments,
      streets: noStreets,
      readAsset: () => Promise.resolve(undefined),
      readShaper: () => Promise.reject(new Error('The simulation prints no labels')),
      resolver: { resolve: () => Promise.resolve(['93.184.215.14']) },
      webhookTransport: transportOf(owner),
      messagesOf: () => ({ messages: messagesOf(owner), inbox: undefined }),
    },
  );
  const later = (work: Promise<unknown>) => void work.catch(() => undefined);
  const answer = (request: Request) => handle(request, services, { address: '93.184.215.99', later });
  return Object.assign(owner, { answer });
}

/** Strictly increasing, like the service's own clock. */
class VirtualClock implements Clock {
  readonly #wall: () => Instant;
  #last: Instant | undefined;

  constructor(wall: () => Instant) {
    this.#wall = wall;
  }

  now(): Instant {
    const wall = this.#wall();
    const next = this.#last === undefined || wall > this.#last ? wall : addMicros(this.#last, 1);
    this.#last = next;
    return next;
  }
}

function randomOf(dice: Dice, nowMs: () => number): Random {
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(dice.roll() * 256));
  return { bytes, uuid: () => uuidAt(nowMs(), dice) };
}

/** The routing engine is slow, and sometimes unavailable. */
function routingOf(owner: Owner, { schedule, dice, network }: ProcessSurroundings): Routing {
  return {
    engine: 'osrm',
    findRoute: (from, to) =>
      new Promise((resolve) => {
        const isAway = !network.isCalm && dice.roll() < 0.01;
        const done = () => resolve(isAway ? { ok: false, reason: 'unavailable' } : fixtureRouting.findRoute(from, to));
        schedule.add('route', isAway ? 2000 : dice.between(1, 20), owner, done);
      }),
  };
}

/** The registry is slower, and more often unavailable. It knows codes by their letters. */
function addressesOf(owner: Owner, { schedule, dice, network }: ProcessSurroundings): Addresses {
  return {
    ...noAddresses,
    registry: 'fixture',
    isRegistryDown: () => false,
    find: (shortAddress) =>
      new Promise((resolve) => {
        const isAway = !network.isCalm && dice.roll() < 0.2;
        const done = () => resolve(isAway ? { kind: 'unavailable', retryAfterSeconds: 1 } : registered(shortAddress));
        schedule.add('registry', isAway ? 2000 : dice.between(1, 400), owner, done);
      }),
  };
}
