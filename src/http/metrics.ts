import { isEqualInConstantTime } from '../core/crypto.ts';
import type { Services } from '../service/services.ts';
import type { Route } from './route-table.ts';

export const METRICS_PATH = '/metrics';

/** The metrics of this process, in Prometheus' text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
export const metricsRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: METRICS_PATH,
    needsNoPermit: true,
    handle: (_request, { services }) =>
      new Response(services.exposition?.() ?? '', {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  },
];

/**
 * Whether the request has the deployment's METRICS_TOKEN. Always false if the token is not set or the process does not
 * keep metrics.
 */
export function mayReadMetrics(request: Request, { exposition, config }: Services): boolean {
  const { metricsToken } = config;
  if (exposition === undefined || metricsToken === undefined) return false;
  return isEqualInConstantTime(request.headers.get('authorization') ?? '', `Bearer ${metricsToken}`);
}
