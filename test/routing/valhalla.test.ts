import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Street, streetGrid, writeStreetMap } from '../../scripts/shared/routing/street-map.ts';
import { findValhalla, startValhalla, type ValhallaEngine } from '../../scripts/shared/routing/valhalla-engine.ts';
import type { RouteAnswer } from '../../src/ports/routing.ts';
import { noMetrics } from '../../src/providers/absent.ts';
import { ProviderReports } from '../../src/providers/provider-reports.ts';
import { osrmRouting } from '../../src/providers/routing/osrm.ts';
import { decodePolyline } from '../support/routing/decode-polyline.ts';
import { place } from '../support/routing/place.ts';

/* Our adapter over HTTP against a real routing engine, on a map of four streets. `npm run test:routing` installs it. */

const STREETS: readonly Street[] = [
  // 60 km/h: 2,021 m to the east in two parts, then 1,108 m to the north.
  {
    name: 'East',
    points: [
      [24.7, 46.6],
      [24.7, 46.61],
      [24.7, 46.62],
    ],
    tags: { highway: 'primary', maxspeed: '60' },
  },
  {
    name: 'North',
    points: [
      [24.7, 46.62],
      [24.71, 46.62],
    ],
    tags: { highway: 'primary', maxspeed: '60' },
  },
  {
    name: 'Only north',
    points: [
      [24.71, 46.62],
      [24.72, 46.62],
    ],
    tags: { highway: 'primary', oneway: 'yes' },
  },
  {
    name: 'Island',
    points: [
      [24.7, 47.6],
      [24.7, 47.61],
    ],
    tags: { highway: 'primary', maxspeed: '60' },
  },
];
const WEST_END = place('24.7', '46.6');
const NORTH_END = place('24.71', '46.62');
const BEYOND_ONE_WAY = place('24.72', '46.62');
const ON_ISLAND = place('24.7', '47.605');
const IN_THE_DESERT = place('22.5', '48.5');
const FAR_AWAY = place('31.5', '37.5');

const valhalla = findValhalla();

describe.skipIf(valhalla === undefined)(
  'Valhalla (skipped where its package is not installed: npm run test:routing)',
  () => {
    let engine: ValhallaEngine | undefined;
    let findRoute: (from: typeof WEST_END, to: typeof WEST_END) => Promise<RouteAnswer>;

    beforeAll(async () => {
      engine = await startValhalla({ packagePath: valhalla ?? '', map: writeStreetMap(STREETS) });
      const platform = {
        fetch: (url: string, init: RequestInit) => fetch(url, init),
        monotonicMs: () => performance.now(),
        metrics: noMetrics,
        providerReports: new ProviderReports(() => 0),
      };
      const routing = osrmRouting(engine.url, platform);
      findRoute = (from, to) => routing.findRoute(from, to);
    }, 60_000);
    afterAll(async () => {
      await engine?.[Symbol.asyncDispose]();
    });

    test('drives along the streets, with their lengths and speeds', async () => {
      const answer = await findRoute(WEST_END, NORTH_END);
      if (!answer.ok) throw new Error(answer.reason);
      const { distanceMeters, durationSeconds, geometry } = answer.route;
      expect(Math.abs(distanceMeters - 3132)).toBeLessThan(30);
      expect(Math.abs(durationSeconds - 188)).toBeLessThan(20);
      expect(decodePolyline(geometry)).toEqual([
        [24.7, 46.6],
        [24.7, 46.61],
        [24.7, 46.62],
        [24.71, 46.62],
      ]);
    });

    test('starts at the road nearest to the place', async () => {
      // 28 m beside the road, with the maximum number of digits.
      const answer = await findRoute(place('24.700250125', '46.604999999'), NORTH_END);
      if (!answer.ok) throw new Error(answer.reason);
      expect(Math.abs(answer.route.distanceMeters - 2626)).toBeLessThan(30);
      const [start] = decodePolyline(answer.route.geometry);
      expect(start?.[0]).toBeCloseTo(24.7, 5);
      expect(start?.[1]).toBeCloseTo(46.605, 5);
    });

    test('returns a route of zero length to the same place', async () => {
      expect(await findRoute(WEST_END, WEST_END)).toMatchObject({
        ok: true,
        route: { distanceMeters: 0, durationSeconds: 0 },
      });
    });

    test('does not drive against a one-way street', async () => {
      expect(await findRoute(WEST_END, BEYOND_ONE_WAY)).toMatchObject({ ok: true });
      expect(await findRoute(BEYOND_ONE_WAY, WEST_END)).toEqual({ ok: false, reason: 'no_route' });
    });

    test.each([
      ['a street that no other meets', ON_ISLAND],
      ['a place without streets', IN_THE_DESERT],
      ['a place that the engine moves 20 km to a street', place('24.9', '46.6')],
    ])('finds no route to %s', async (_name, elsewhere) => {
      expect(await findRoute(WEST_END, elsewhere)).toEqual({ ok: false, reason: 'no_route' });
      expect(await findRoute(elsewhere, WEST_END)).toEqual({ ok: false, reason: 'no_route' });
    });

    test('a request beyond its limits does not open the breaker', async () => {
      for (let time = 0; time < 10; time += 1) {
        expect(await findRoute(WEST_END, FAR_AWAY)).toEqual({ ok: false, reason: 'no_route' });
      }
      expect(await findRoute(WEST_END, NORTH_END)).toMatchObject({ ok: true });
    });

    test('answers twenty concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => findRoute(WEST_END, NORTH_END)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
    });

    test('drives along a grid of streets, the map of `npm run routing` for a trial', async () => {
      await using grid = await startValhalla({
        packagePath: valhalla ?? '',
        map: writeStreetMap(streetGrid([24.7, 46.6], [24.8, 46.7])),
      });
      const platform = { fetch: (url: string, init: RequestInit) => fetch(url, init), monotonicMs: () => 0 };
      const routing = osrmRouting(grid.url, {
        ...platform,
        metrics: noMetrics,
        providerReports: new ProviderReports(() => 0),
      });
      const answer = await routing.findRoute(place('24.711667', '46.674167'), place('24.794722', '46.626111'));
      if (!answer.ok) throw new Error(answer.reason);
      // 9.2 km to the north and 4.9 km to the west; the nearest streets are some hundred metres away.
      expect(Math.abs(answer.route.distanceMeters - 14_100)).toBeLessThan(1000);
    });
  },
);
