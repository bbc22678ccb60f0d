import { formatInstant } from '../../core/instant.ts';
import { SystemClock, systemRandom } from '../../providers/system.ts';
import type { WorkerEnvironment } from './environment.ts';

const UNCONFIGURED =
  'To run the service on this machine, use `npm run dev`, or start `npm run dev -- --databases` first. For a deployment, see docs/deploy.md.';
const HALF_CONFIGURED = 'Variables of this Worker are missing or not valid. Its log names them. See docs/deploy.md.';

/** A problem (RFC 9457) for a Worker without its variables, as plain `wrangler dev` starts it, or a deployment without its secrets. */
export function notConfiguredAnswer(request: Request, environment: WorkerEnvironment): Response {
  const detail = environment['DEPLOYMENT'] === undefined ? UNCONFIGURED : HALF_CONFIGURED;
  const requestId = systemRandom.uuid();
  const problem = {
    type: 'about:blank',
    title: 'This Worker is not configured',
    status: 503,
    detail,
    instance: new URL(request.url).pathname,
    code: 'SERVICE_UNAVAILABLE',
    timestamp: formatInstant(new SystemClock().now()),
    correlationId: requestId,
    requestId,
  };
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '60' };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
