import type { ExecutionContext } from '@cloudflare/workers-types';
import { handle } from './app.ts';
import { formatInstant } from './core/instant.ts';
import { drainBody } from './http/body.ts';
import { placementOf, servicesOf, type WorkerEnvironment } from './platform/cloudflare/environment.ts';
import { callAgainOnce } from './platform/cloudflare/remote-call.ts';
import { traceOnCloudflare } from './platform/cloudflare/tracer.ts';
import { SystemClock, systemRandom } from './providers/system.ts';

export { DatabaseWriter } from './platform/cloudflare/database-writer.ts';
export { EndpointQueue } from './platform/cloudflare/endpoint-queue.ts';
export { ShipmentLane } from './platform/cloudflare/shipment-lane.ts';

traceOnCloudflare();

/** The service on Cloudflare Workers, and on workerd anywhere. */
export default {
  fetch(request: Request, environment: WorkerEnvironment, context: ExecutionContext): Promise<Response> {
    if (environment['DEPLOYMENT'] === undefined) return Promise.resolve(notConfigured(request));
    const answer = handle(request, servicesOf(environment), {
      address: request.headers.get('cf-connecting-ip') ?? undefined,
      later: (work) => context.waitUntil(work),
    });
    // `request.body` makes a stream, which most requests with a body never need: they read it as a whole.
    const mayHaveBody = request.method !== 'GET' || request.body !== null;
    const response = mayHaveBody ? afterBody(request, answer) : answer;
    // If the client disconnects, the work still has to finish and release its place among the reads.
    context.waitUntil(response);
    return response;
  },

  /** Runs every minute and does the work that alarms missed. */
  async scheduled(_controller: unknown, environment: WorkerEnvironment): Promise<void> {
    const { config } = servicesOf(environment);
    const databases = [config.directory, ...config.shards];
    const sweep = (id: string) => environment.DATABASE_WRITER.getByName(id, placementOf(config)).sweep(id);
    await Promise.all(databases.map(({ id }) => callAgainOnce(() => sweep(id))));
  },
};

/** The response, once nothing is left of the request's body. */
async function afterBody(request: Request, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed) await drainBody(request);
  return response;
}

/** A problem (RFC 9457) for a Worker without any variable, as plain `wrangler dev` starts it. */
function notConfigured(request: Request): Response {
  const requestId = systemRandom.uuid();
  const problem = {
    type: 'about:blank',
    title: 'This Worker is not configured',
    status: 503,
    detail:
      'To run the service on this machine, use `npm run dev`, or start `npm run dev -- --databases` first. For a deployment, see docs/deploy.md.',
    instance: new URL(request.url).pathname,
    code: 'SERVICE_UNAVAILABLE',
    timestamp: formatInstant(new SystemClock().now()),
    correlationId: requestId,
    requestId,
  };
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '60' };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
