import { describe, expect, it } from 'vitest';
import { nearestPath } from '../../../src/http/nearest-path.ts';
import { allRoutes } from '../../../src/http/routes/all-routes.ts';

describe('the nearest path', () => {
  it.each([
    ['/v2/external/shipment', '/v2/external/shipments'],
    ['/v2/external/shipments/', '/v2/external/shipments'],
    ['/v2/Shipments', '/v2/external/shipments'],
    ['/api/v1/shipments/abc/cancellation', '/v2/external/shipments/{shipmentId}/cancellations'],
    ['/shipments', '/v2/external/shipments'],
    ['/v2/external/webhook_endpoints', '/v2/external/webhook-endpoints'],
    ['/oauth/tokens', '/oauth/token'],
  ])('to %s is %s', (sent, nearest) => {
    expect(nearestPath(sent, allRoutes)).toBe(nearest);
  });

  it.each(['/', '/wp-login.php', '/t/secret-token', '/v2/external/parcels', `/${'shipments'.repeat(30)}`])(
    'to %s does not exist',
    (sent) => {
      expect(nearestPath(sent, allRoutes)).toBeUndefined();
    },
  );
});
