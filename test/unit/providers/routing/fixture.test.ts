import { describe, expect, test } from 'vitest';
import { noMetrics } from '../../../../src/providers/absent.ts';
import { ProviderReports } from '../../../../src/providers/provider-reports.ts';
import { fixtureRouting } from '../../../../src/providers/routing/fixture.ts';
import { chooseRouting } from '../../../../src/providers/routing/osrm.ts';
import { decodePolyline } from '../../../support/routing/decode-polyline.ts';
import { JEDDAH, place, RIYADH } from '../../../support/routing/place.ts';

describe('the fixture engine', () => {
  test('returns 1.3 times the great-circle distance, at 36 km/h', async () => {
    // One degree of a meridian is 111,195 m.
    const answer = await fixtureRouting.findRoute(place('24', '46'), place('25', '46'));
    expect(answer).toMatchObject({ ok: true, route: { distanceMeters: 144_554, durationSeconds: 14_455 } });
  });

  test('returns a line between the two places', async () => {
    const answer = await fixtureRouting.findRoute(RIYADH, JEDDAH);
    if (!answer.ok) throw new Error(answer.reason);
    expect(answer.route.distanceMeters).toBe(1_098_628);
    const points = decodePolyline(answer.route.geometry);
    expect(points).toHaveLength(5);
    expect(points.at(0)).toEqual([24.713552, 46.675296]);
    expect(points.at(-1)).toEqual([21.485811, 39.192505]);
  });

  test('is deterministic', async () => {
    expect(await fixtureRouting.findRoute(RIYADH, JEDDAH)).toEqual(await fixtureRouting.findRoute(RIYADH, JEDDAH));
  });

  test('takes at least a minute', async () => {
    const answer = await fixtureRouting.findRoute(RIYADH, RIYADH);
    expect(answer).toMatchObject({ ok: true, route: { distanceMeters: 0, durationSeconds: 60 } });
  });

  test.each([
    ['Cairo', place('30.0444', '31.2357')],
    ['the North Pole', place('90', '180')],
    ['the edge of the Empty Quarter', place('18.999999', '51')],
  ])('finds a route to and from %s', async (_name, elsewhere) => {
    expect(await fixtureRouting.findRoute(RIYADH, elsewhere)).toMatchObject({ ok: true });
    expect(await fixtureRouting.findRoute(elsewhere, RIYADH)).toMatchObject({ ok: true });
  });

  test.each([
    ['the Empty Quarter', place('20', '51')],
    ['its corner', place('19', '49')],
  ])('finds no route to or from %s', async (_name, elsewhere) => {
    const noRoute = { ok: false, reason: 'no_route' };
    expect(await fixtureRouting.findRoute(RIYADH, elsewhere)).toEqual(noRoute);
    expect(await fixtureRouting.findRoute(elsewhere, RIYADH)).toEqual(noRoute);
  });
});

describe('chooseRouting', () => {
  const platform = {
    fetch: () => Promise.reject(new Error('Nothing is asked')),
    monotonicMs: () => 0,
    metrics: noMetrics,
    providerReports: new ProviderReports(() => 0),
  };
  const ADDRESS = 'https://routing.example';

  test.each([
    ['local', undefined, 'fixture'],
    ['sandbox', undefined, 'fixture'],
    ['production', undefined, 'none'],
    ['local', ADDRESS, 'osrm'],
    ['sandbox', ADDRESS, 'osrm'],
    ['production', ADDRESS, 'osrm'],
  ] as const)('%s with the address %s uses the engine %s', (deployment, routingUrl, engine) => {
    expect(chooseRouting({ deployment, routingUrl }, platform).engine).toBe(engine);
  });

  test('production without an address has no engine and never guesses', async () => {
    const routing = chooseRouting({ deployment: 'production', routingUrl: undefined }, platform);
    expect(await routing.findRoute(RIYADH, JEDDAH)).toEqual({ ok: false, reason: 'unavailable' });
  });
});
