import { isEqualInConstantTime } from '../core/crypto.ts';
import type { Services } from '../service/services.ts';
import type { Route } from './route-table.ts';

export const METRICS_PATH = '/metrics';

/** What this process has measured, for Prometheus. Text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
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
 * Whether the request brings the deployment's METRICS_TOKEN. Nobody may where none is set, or where measurements do not
 * stay in the process.
 */
export function mayReadMetrics(request: Request, { exposition, config }: Services): boolean {
  const { metricsToken } = config;
  if (exposition === undefined || metricsToken === undefined) return false;
  return isEqualInConstantTime(request.headers.get('authorization') ?? '', `Bearer ${metricsToken}`);
}
