import type { Services } from '../runtime/services.ts';
import type { Route } from './route-table.ts';

export const METRICS_PATH = '/metrics';

/** What this process has measured, for Prometheus. Text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
export const metricsRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: METRICS_PATH,
    isForOperators: true,
    handle: (_request, { services }) =>
      new Response(services.exposition?.() ?? '', {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  },
];

/**
 * Whether the request brings the deployment's METRICS_TOKEN. Nobody may where none is set, or where measurements do not
 * stay in the process. How long it takes tells nothing of the token: hashes are compared, all of them.
 */
export async function mayReadMetrics(request: Request, { exposition, config }: Services): Promise<boolean> {
  const { metricsToken } = config;
  if (exposition === undefined || metricsToken === undefined) return false;
  const given = request.headers.get('authorization') ?? '';
  const [left, right] = await Promise.all([digestOf(given), digestOf(`Bearer ${metricsToken}`)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
