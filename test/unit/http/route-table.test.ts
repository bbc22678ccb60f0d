import { describe, expect, test } from 'vitest';
import { metricsRoutes } from '../../../src/http/metrics.ts';
import { type Method, type Route, RouteTable } from '../../../src/http/route-table.ts';
import { allRoutes } from '../../../src/http/routes/all-routes.ts';
import { frequentRoutes, SECRET_PREFIXES } from '../../../src/http/routes/frequent-routes.ts';

const routes = new RouteTable([
  route('GET', '/everywhere'),
  route('POST', '/sandbox/things', ['local', 'sandbox']),
  route('GET', '/mixed/{id}'),
  route('DELETE', '/mixed/{id}', ['local']),
]);

describe('a route of some deployments', () => {
  test.each(['local', 'sandbox'] as const)('exists on %s', (deployment) => {
    expect(routes.match('POST', '/sandbox/things', deployment).kind).toBe('found');
    expect(routes.match('GET', '/sandbox/things', deployment)).toMatchObject({
      kind: 'other_method',
      allow: 'POST, OPTIONS',
    });
  });

  test.each(['GET', 'POST', 'OPTIONS', 'HEAD'])('is unknown to %s on production', (method) => {
    expect(routes.match(method, '/sandbox/things', 'production')).toEqual({ kind: 'unknown' });
  });

  test('is not listed in Allow where it does not exist', () => {
    expect(routes.match('PUT', '/mixed/1', 'local')).toMatchObject({
      kind: 'other_method',
      allow: 'GET, DELETE, HEAD, OPTIONS',
    });
    expect(routes.match('DELETE', '/mixed/1', 'production')).toMatchObject({
      kind: 'other_method',
      allow: 'GET, HEAD, OPTIONS',
    });
  });
});

test('a route without listed deployments exists everywhere', () => {
  expect(routes.match('HEAD', '/everywhere', 'production').kind).toBe('found');
});

describe('the two tables of a Worker', () => {
  const rare = [...allRoutes, ...metricsRoutes].filter((one) => !frequentRoutes.includes(one));

  test('a frequent route with a parameter takes no request for a rare route', () => {
    expect(rare.length).toBeGreaterThan(50);
    expect(hiddenBy(frequentRoutes, rare)).toEqual([]);
  });

  test('every path that ends in a secret is known before the rare routes are loaded', () => {
    expect(unknownSecrets(rare)).toEqual([]);
    expect(SECRET_PREFIXES).toHaveLength(frequentRoutes.filter(({ endsInSecret }) => endsInSecret === true).length);
    expect(SECRET_PREFIXES.length).toBeGreaterThan(0);
  });

  test('a hidden route and an unknown secret are found', () => {
    const frequent = [route('GET', '/things/{id}'), route('POST', '/things/{id}/copies')];
    const added = [
      route('GET', '/things/search'),
      route('DELETE', '/things/search'),
      route('POST', '/things/search/copies'),
      route('GET', '/others/{id}'),
      { ...route('GET', '/links/{token}'), endsInSecret: true },
    ];
    expect(hiddenBy(frequent, added)).toEqual(['GET /things/search', 'POST /things/search/copies']);
    expect(unknownSecrets(added)).toEqual(['GET /links/{token}']);
  });
});

/** The routes that the table of frequent routes would answer for with another route. */
function hiddenBy(frequent: readonly Route[], others: readonly Route[]): string[] {
  const table = new RouteTable(frequent);
  return others
    .filter(({ method, path, deployments = ['local'] }) => {
      const pathname = path.replaceAll(/\{\w+\}/g, 'x');
      return deployments.some((deployment) => table.match(method, pathname, deployment).kind === 'found');
    })
    .map(({ method, path }) => `${method} ${path}`);
}

function unknownSecrets(others: readonly Route[]): string[] {
  return others.filter(({ endsInSecret }) => endsInSecret === true).map(({ method, path }) => `${method} ${path}`);
}

function route(method: Method, path: string, deployments?: Route['deployments']): Route {
  return { method, path, deployments, handle: () => new Response() };
}
