import { describe, expect, test } from 'vitest';
import { type Method, type Route, RouteTable } from '../../../src/http/route-table.ts';

const routes = new RouteTable([
  route('GET', '/everywhere'),
  route('POST', '/sandbox/things', ['local', 'sandbox']),
  route('GET', '/mixed/{id}'),
  route('DELETE', '/mixed/{id}', ['local']),
]);

describe('a route of some deployments', () => {
  test.each(['local', 'sandbox'] as const)('exists on %s', (deployment) => {
    expect(routes.match('POST', '/sandbox/things', deployment).kind).toBe('found');
    expect(routes.match('GET', '/sandbox/things', deployment)).toEqual({
      kind: 'other_method',
      allow: 'POST, OPTIONS',
    });
  });

  test.each(['GET', 'POST', 'OPTIONS', 'HEAD'])('is unknown to %s on production', (method) => {
    expect(routes.match(method, '/sandbox/things', 'production')).toEqual({ kind: 'unknown' });
  });

  test('is not listed in Allow where it does not exist', () => {
    expect(routes.match('PUT', '/mixed/1', 'local')).toEqual({
      kind: 'other_method',
      allow: 'GET, DELETE, HEAD, OPTIONS',
    });
    expect(routes.match('DELETE', '/mixed/1', 'production')).toEqual({
      kind: 'other_method',
      allow: 'GET, HEAD, OPTIONS',
    });
  });
});

test('a route without listed deployments exists everywhere', () => {
  expect(routes.match('HEAD', '/everywhere', 'production').kind).toBe('found');
});

function route(method: Method, path: string, deployments?: Route['deployments']): Route {
  return { method, path, deployments, handle: () => new Response() };
}
