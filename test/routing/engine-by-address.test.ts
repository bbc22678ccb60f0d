import { describe, expect, test } from 'vitest';
import type { DrivingRoute, Routing } from '../../src/ports/routing.ts';
import { noMetrics } from '../../src/providers/absent.ts';
import { ProviderReports } from '../../src/providers/provider-reports.ts';
import { fixtureRouting } from '../../src/providers/routing/fixture.ts';
import { osrmRouting } from '../../src/providers/routing/osrm.ts';
import { decodePolyline } from '../support/routing/decode-polyline.ts';
import { place } from '../support/routing/place.ts';

/*
 * Any engine that speaks the OSRM `route` service: ROUTING_URL_UNDER_TEST=https://… vitest run test/routing. The two
 * places are in Riyadh; ROUTING_PLACES_UNDER_TEST="latitude,longitude;latitude,longitude" names others on its map.
 */

const url = process.env['ROUTING_URL_UNDER_TEST'];
const [from, to] = (process.env['ROUTING_PLACES_UNDER_TEST'] ?? '24.7136,46.6753;24.7743,46.7386')
  .split(';')
  .map((text) => {
    const [latitude = '', longitude = ''] = text.split(',');
    return place(latitude, longitude);
  });

/** How far a road may be from a place in a city: 0.02 degrees are 2 km. */
const NEAR_DEGREES = 0.02;

describe.skipIf(url === undefined)('an engine by its address (skipped without ROUTING_URL_UNDER_TEST)', () => {
  test('answers with a plausible route between the two places', async () => {
    if (from === undefined || to === undefined) throw new Error('ROUTING_PLACES_UNDER_TEST needs two places');
    const platform = {
      fetch: (address: string, init: RequestInit) => fetch(address, init),
      monotonicMs: () => performance.now(),
      metrics: noMetrics,
      providerReports: new ProviderReports(() => 0),
    };
    const found = await routeOf(osrmRouting(url ?? '', platform), from, to);
    const bird = (await routeOf(fixtureRouting, from, to)).distanceMeters / 1.3;
    expect(found.distanceMeters).toBeGreaterThan(bird * 0.9);
    expect(found.distanceMeters).toBeLessThan(bird * 4);
    const metersPerSecond = found.distanceMeters / found.durationSeconds;
    expect(metersPerSecond).toBeGreaterThan(2);
    expect(metersPerSecond).toBeLessThan(40);

    const points = decodePolyline(found.geometry);
    for (const [point, wanted] of [
      [points.at(0), from],
      [points.at(-1), to],
    ] as const) {
      expect(Math.abs((point?.[0] ?? Number.NaN) - Number(wanted.latitude))).toBeLessThan(NEAR_DEGREES);
      expect(Math.abs((point?.[1] ?? Number.NaN) - Number(wanted.longitude))).toBeLessThan(NEAR_DEGREES);
    }
  });
});

async function routeOf(
  routing: Routing,
  start: ReturnType<typeof place>,
  end: ReturnType<typeof place>,
): Promise<DrivingRoute> {
  const answer = await routing.findRoute(start, end);
  if (!answer.ok) throw new Error(answer.reason);
  return answer.route;
}
