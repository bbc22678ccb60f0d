import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOsrmRoute } from '../../../../src/providers/routing/osrm-route.ts';

const GEOMETRY = '_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI';
const ROUTE = {
  distance: 1886.3,
  duration: 260.5,
  geometry: GEOMETRY,
  weight: 260.5,
  weight_name: 'routability',
  legs: [],
};

function read(answer: unknown, status = 200) {
  return readOsrmRoute(status, JSON.stringify(answer));
}

describe('a route', () => {
  test('is returned in whole meters and seconds, whatever else the response has', () => {
    expect(read({ code: 'Ok', routes: [ROUTE], waypoints: [] })).toEqual({
      kind: 'route',
      route: { distanceMeters: 1886, durationSeconds: 261, geometry: GEOMETRY },
    });
  });

  test.each([
    [0, 0],
    [0.4999, 0],
    [0.5, 1],
    [1.5, 2],
    [2.5, 3],
    [1_000_000.4, 1_000_000],
  ])('%d is rounded half up to %d', (given, expected) => {
    expect(read({ code: 'Ok', routes: [{ ...ROUTE, distance: given, duration: given }] })).toMatchObject({
      route: { distanceMeters: expected, durationSeconds: expected },
    });
  });

  test('the first of several routes is used', () => {
    expect(read({ code: 'Ok', routes: [ROUTE, null, 'another'] })).toMatchObject({ route: { distanceMeters: 1886 } });
  });
});

describe('no route', () => {
  test.each([
    ['NoRoute', 400],
    ['NoSegment', 400],
    ['NoRoute', 200],
    ['NoSegment', 404],
    ['DistanceExceeded', 400],
    ['NoRoute', 500],
  ])('%s with status %d', (code, status) => {
    expect(read({ code, message: 'Impossible route between points' }, status)).toEqual({ kind: 'no_route' });
  });
});

describe('a place far from every road', () => {
  const readWith = (...distances: unknown[]) =>
    read({ code: 'Ok', routes: [ROUTE], waypoints: distances.map((distance) => ({ distance, name: '', hint: '' })) });

  test.each([[[0, 0]], [[4.2, 5000]], [[undefined, undefined]]])('%j meters are close enough', (distances) => {
    expect(readWith(...distances)).toMatchObject({ kind: 'route' });
  });

  test.each([[[5000.1, 0]], [[0, 846_000]]])(
    '%j meters are too far: the route would start or end somewhere else',
    (distances) => {
      expect(readWith(...distances)).toEqual({ kind: 'no_route' });
    },
  );

  test.each([[['4.2', 0]], [[-1, 0]], [[null, 0]]])('%j meters are an invalid response', (distances) => {
    expect(readWith(...distances)).toEqual({ kind: 'failed' });
  });
});

describe('a refused request', () => {
  test.each(['InvalidValue', 'InvalidQuery', 'TooBig'])('%s', (code) => {
    expect(read({ code, message: 'No' }, 400)).toEqual({ kind: 'refused' });
  });
});

describe('an unusable response', () => {
  test.each([
    ['distance missing', { ...ROUTE, distance: undefined }],
    ['distance null', { ...ROUTE, distance: null }],
    ['distance as text', { ...ROUTE, distance: '1886' }],
    ['distance negative', { ...ROUTE, distance: -1 }],
    ['distance twice around the Earth', { ...ROUTE, distance: 80_000_000 }],
    ['duration missing', { ...ROUTE, duration: undefined }],
    ['duration negative', { ...ROUTE, duration: -0.1 }],
    ['duration of a year', { ...ROUTE, duration: 31_536_000 }],
    ['geometry missing', { ...ROUTE, geometry: undefined }],
    ['geometry empty', { ...ROUTE, geometry: '' }],
    ['geometry as GeoJSON', { ...ROUTE, geometry: { type: 'LineString', coordinates: [[46.6, 24.7]] } }],
    ['geometry cut off', { ...ROUTE, geometry: GEOMETRY.slice(0, -1) }],
    ['geometry with markup', { ...ROUTE, geometry: '<b>??</b>' }],
    ['null', null],
    ['a list', [ROUTE]],
  ])('route: %s', (_what, route) => {
    expect(read({ code: 'Ok', routes: [route] })).toEqual({ kind: 'failed' });
  });

  test.each([
    ['no routes', { code: 'Ok' }],
    ['routes empty', { code: 'Ok', routes: [] }],
    ['routes no list', { code: 'Ok', routes: { 0: ROUTE } }],
    ['another spelling of Ok', { code: 'ok', routes: [ROUTE] }],
    ['no code', { routes: [ROUTE] }],
    ['a code that is a number', { code: 0, routes: [ROUTE] }],
    ['an answer of Valhalla’s own format', { trip: { status: 0, legs: [] } }],
    ['null', null],
    ['a list', [{ code: 'Ok', routes: [ROUTE] }]],
    ['a string', 'Ok'],
  ])('response: %s', (_what, answer) => {
    expect(read(answer)).toEqual({ kind: 'failed' });
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<html><body>502 Bad Gateway</body></html>'],
    ['half of an object', '{"code":"Ok","routes":[{"distance":1'],
    ['two objects', '{"code":"Ok"}{"code":"Ok"}'],
    ['a number past every double', `{"code":"Ok","routes":[{"distance":1e999,"duration":1,"geometry":"??"}]}`],
    ['NaN', '{"code":"Ok","routes":[{"distance":NaN,"duration":1,"geometry":"??"}]}'],
  ])('text: %s', (_what, text) => {
    expect(readOsrmRoute(200, text)).toEqual({ kind: 'failed' });
  });

  test.each([201, 204, 301, 400, 404, 429, 500, 503])('Ok with status %d', (status) => {
    expect(read({ code: 'Ok', routes: [ROUTE] }, status)).toEqual({ kind: 'failed' });
  });

  test.each([200, 401, 404, 429, 500, 503])('an error code with status %d', (status) => {
    expect(read({ code: 'InvalidValue', message: 'No' }, status)).toEqual({ kind: 'failed' });
  });

  test('random text does not throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 100, max: 599 }), (text, status) => {
        expect(readOsrmRoute(status, text).kind).not.toBe('route');
      }),
    );
  });
});
