import type { Coordinates, RouteAnswer, Routing } from '../../ports/routing.ts';
import { readTextWithin } from './bounded-text.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type OsrmReading, readOsrmRoute } from './osrm-route.ts';

/** What the adapter needs of its runtime. */
export interface OsrmPlatform {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly monotonicMs: () => number;
}

export interface OsrmLimits {
  /** For the whole question, its second try included. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Unavailable answers in a row after which nobody waits for the engine any more. */
  readonly failuresMax: number;
  readonly openMs: number;
}

const OSRM_LIMITS: OsrmLimits = {
  timeoutMs: 2000,
  /** The line right across Saudi Arabia, 2,000 km, is some 300 KB. */
  answerBytesMax: 1024 * 1024,
  /** A restarting engine resets a few connections at once; five in a row are no chance any more. */
  failuresMax: 5,
  /** About what an engine takes to come back, and one probe in that time burdens nobody. */
  openMs: 5000,
};

/** A probe that has not told its end by then never will: the answer had its deadline long ago. */
const PROBE_SLACK_MS = 1000;

/**
 * An engine that speaks the `route` service of the OSRM HTTP API, version 5 (OSRM itself; Valhalla behind a gateway).
 * `baseUrl` is what stands before `/route/v1`. Each instance has its own breaker, so each process or isolate finds out
 * by itself that the engine is away.
 */
export function osrmRouting(baseUrl: string, platform: OsrmPlatform, limits = OSRM_LIMITS): Routing {
  const { failuresMax, openMs, timeoutMs } = limits;
  const breaker = new CircuitBreaker(
    { failuresMax, openMs, probeMs: timeoutMs + PROBE_SLACK_MS },
    platform.monotonicMs,
  );
  const base = baseUrl.replace(/\/+$/, '');
  return {
    engine: 'osrm',
    async findRoute(from, to) {
      const settle = breaker.enter();
      if (settle === undefined) return UNAVAILABLE;
      const reading = await ask(`${base}${routePath(from, to)}`, platform.fetch, limits);
      // An engine that refuses this very question is alive: one caller's odd places must not close it to the others.
      settle(reading.kind !== 'failed');
      return answerOf(reading);
    },
  };
}

const UNAVAILABLE: RouteAnswer = { ok: false, reason: 'unavailable' };
const FAILED: OsrmReading = { kind: 'failed' };

function answerOf(reading: OsrmReading): RouteAnswer {
  if (reading.kind === 'route') return { ok: true, route: reading.route };
  return reading.kind === 'no_route' ? { ok: false, reason: 'no_route' } : UNAVAILABLE;
}

/** Longitude comes first in OSRM. Decimals are printed as they are: no float rounds them on the way. */
function routePath(from: Coordinates, to: Coordinates): string {
  const places = [from, to].map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';');
  return `/route/v1/driving/${places}?overview=full&geometries=polyline6&steps=false&alternatives=false`;
}

/** What the engine says, or that it failed: in time, whatever the connection does. Never rejects. */
async function ask(url: string, fetch: OsrmPlatform['fetch'], limits: OsrmLimits): Promise<OsrmReading> {
  const controller = new AbortController();
  const { promise: timedOut, resolve: giveUp } = Promise.withResolvers<OsrmReading>();
  const timer = setTimeout(() => {
    // Not left to the abort alone: how soon it ends a read that is under way is the runtime's affair.
    giveUp(FAILED);
    controller.abort();
  }, limits.timeoutMs);
  try {
    return await Promise.race([askWithin(url, fetch, controller.signal, limits.answerBytesMax), timedOut]);
  } catch {
    return FAILED;
  } finally {
    clearTimeout(timer);
  }
}

async function askWithin(
  url: string,
  fetch: OsrmPlatform['fetch'],
  signal: AbortSignal,
  bytesMax: number,
): Promise<OsrmReading> {
  const response = await connect(url, fetch, signal);
  const text = await readTextWithin(response, bytesMax);
  return text === undefined ? FAILED : readOsrmRoute(response.status, text);
}

/**
 * Tries once more when no response came at all: the usual cause is a kept connection that the engine closed just then.
 * A status is an answer, and an engine that was slow once is not asked to be slow twice.
 */
async function connect(url: string, fetch: OsrmPlatform['fetch'], signal: AbortSignal): Promise<Response> {
  // A redirect is no answer of a routing engine; to follow it would let the engine choose whom this service calls.
  const init: RequestInit = { headers: { accept: 'application/json' }, redirect: 'manual', signal };
  try {
    return await fetch(url, init);
  } catch (error) {
    if (signal.aborted) throw error;
    return await fetch(url, init);
  }
}
