import { decodeUtf8, readBytesWithin } from '../../core/bounded-bytes.ts';
import type { Coordinates, RouteAnswer, Routing } from '../../ports/routing.ts';
import { type CallLimits, fetchOrRepeat, guardCalls, type ProviderPlatform } from '../guarded-call.ts';
import { type OsrmReading, readOsrmRoute } from './osrm-route.ts';

/** `timeoutMs` is for the whole question, its second try included. */
export interface OsrmLimits extends CallLimits {
  readonly answerBytesMax: number;
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

/**
 * An engine that speaks the `route` service of the OSRM HTTP API, version 5 (OSRM itself; Valhalla behind a gateway).
 * `baseUrl` is what stands before `/route/v1`.
 */
export function osrmRouting(baseUrl: string, platform: ProviderPlatform, limits = OSRM_LIMITS): Routing {
  const call = guardCalls('routing', limits, platform);
  const base = baseUrl.replace(/\/+$/, '');
  return {
    engine: 'osrm',
    async findRoute(from, to) {
      const url = `${base}${routePath(from, to)}`;
      return answerOf(await call((signal) => ask(url, platform.fetch, { signal, bytesMax: limits.answerBytesMax })));
    },
  };
}

const UNAVAILABLE: RouteAnswer = { ok: false, reason: 'unavailable' };

function answerOf(reading: OsrmReading | undefined): RouteAnswer {
  if (reading?.kind === 'route') return { ok: true, route: reading.route };
  return reading?.kind === 'no_route' ? { ok: false, reason: 'no_route' } : UNAVAILABLE;
}

/** Longitude comes first in OSRM. Decimals are printed as they are: no float rounds them on the way. */
function routePath(from: Coordinates, to: Coordinates): string {
  const places = [from, to].map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';');
  return `/route/v1/driving/${places}?overview=full&geometries=polyline6&steps=false&alternatives=false`;
}

/**
 * What the engine says, or undefined when that is nothing usable. An engine that refuses this very question is alive:
 * one caller's odd places must not close it to the others.
 */
async function ask(
  url: string,
  fetch: ProviderPlatform['fetch'],
  { signal, bytesMax }: { readonly signal: AbortSignal; readonly bytesMax: number },
): Promise<OsrmReading | undefined> {
  // A redirect is no answer of a routing engine; to follow it would let the engine choose whom this service calls.
  const init = { headers: { accept: 'application/json' }, redirect: 'manual', signal } as const;
  const response = await fetchOrRepeat(fetch, url, init);
  const bytes = await readBytesWithin(response.body, bytesMax);
  // An engine that says too much is alive: one caller's odd places must not close it to the others.
  if (bytes === 'too_long') return { kind: 'refused' };
  const text = typeof bytes === 'string' ? undefined : decodeUtf8(bytes);
  const reading = text === undefined ? undefined : readOsrmRoute(response.status, text);
  return reading?.kind === 'failed' ? undefined : reading;
}
