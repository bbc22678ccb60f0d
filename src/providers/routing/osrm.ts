import { decodeUtf8, readBytesWithin } from '../../core/bounded-bytes.ts';
import { part } from '../../core/part.ts';
import type { Coordinates, RouteAnswer, Routing } from '../../ports/routing.ts';
import type { Config } from '../../service/config.ts';
import { noRouting } from '../absent.ts';
import { BadAnswer } from '../bad-answer.ts';
import { type CallLimits, fetchOrRepeat, guardCalls, type ProviderPlatform } from '../guarded-call.ts';
import { type OsrmReading, readOsrmRoute } from './osrm-route.ts';

/** `timeoutMs` includes the retry. */
export interface OsrmLimits extends CallLimits {
  readonly answerBytesMax: number;
}

const OSRM_LIMITS: OsrmLimits = {
  timeoutMs: 2000,
  /** A route across all of Saudi Arabia, 2,000 km, has about 300 KB. */
  answerBytesMax: 1024 * 1024,
  /** A restarting engine resets a few connections at once. Five failures in a row mean that it is down. */
  failuresMax: 5,
  /** About how long an engine takes to restart. One probe in that time is no load. */
  openMs: 5000,
};

/**
 * A routing engine with the `route` service of the OSRM HTTP API, version 5 (OSRM itself, or Valhalla behind a gateway).
 * `baseUrl` is the address without `/route/v1`.
 */
export function osrmRouting(baseUrl: string, platform: ProviderPlatform, limits = OSRM_LIMITS): Routing {
  const call = guardCalls('routing', limits, platform);
  const base = baseUrl.replace(/\/+$/, '');
  return {
    engine: 'osrm',
    async findRoute(from, to) {
      const url = `${base}${routePath(from, to)}`;
      const bytesMax = limits.answerBytesMax;
      return answerOf(await call((signal, refuse) => ask(url, platform.fetch, { signal, refuse, bytesMax })));
    },
  };
}

const UNAVAILABLE: RouteAnswer = { ok: false, reason: 'unavailable' };

function answerOf(reading: OsrmReading | undefined): RouteAnswer {
  if (reading?.kind === 'route') return { ok: true, route: reading.route };
  return reading?.kind === 'no_route' ? { ok: false, reason: 'no_route' } : UNAVAILABLE;
}

/** OSRM expects the longitude first. Decimals are sent as they are, because a float would round them. */
function routePath(from: Coordinates, to: Coordinates): string {
  const places = [from, to].map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';');
  return `/route/v1/driving/${places}?overview=full&geometries=polyline6&steps=false&alternatives=false`;
}

/**
 * The engine's answer. Throws a `BadAnswer` if it is not usable. A refusal of this request counts as success for the circuit
 * breaker: places that the engine refuses must not stop the requests of other callers.
 */
async function ask(
  url: string,
  fetch: ProviderPlatform['fetch'],
  {
    signal,
    refuse,
    bytesMax,
  }: { readonly signal: AbortSignal; readonly refuse: (bad: BadAnswer) => void; readonly bytesMax: number },
): Promise<OsrmReading> {
  // A redirect is not followed, because it would let the engine choose the addresses that this service calls.
  const init = { headers: { accept: 'application/json' }, redirect: 'manual', signal } as const;
  const response = await fetchOrRepeat(fetch, url, init);
  const bytes = await readBytesWithin(response.body, bytesMax);
  // An answer that is too long also counts as a refusal of this request, not as a failure of the engine.
  if (bytes === 'too_long') return { kind: 'refused' };
  const text = typeof bytes === 'string' ? undefined : decodeUtf8(bytes);
  const bad = new BadAnswer(response.status, text);
  if (text === undefined) throw bad;
  const reading = readOsrmRoute(response.status, text);
  if (reading.kind === 'failed') throw bad;
  if (reading.kind === 'refused') refuse(bad);
  return reading;
}

const fixture = part(() => import('./fixture.ts'));
/** Production starts without it. */
const fixtureRouting: Routing = {
  engine: 'fixture',
  findRoute: async (from, to) => (await fixture()).fixtureRouting.findRoute(from, to),
};

/** The routing of a deployment: the engine at its address. Without an address a fixture, but none in production. */
export function chooseRouting(
  { routingUrl, deployment }: { readonly routingUrl: string | undefined; readonly deployment: Config['deployment'] },
  platform: ProviderPlatform,
): Routing {
  if (routingUrl !== undefined) return osrmRouting(routingUrl, platform);
  return deployment === 'production' ? noRouting : fixtureRouting;
}
