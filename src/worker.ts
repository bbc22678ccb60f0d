import type { ExecutionContext } from '@cloudflare/workers-types';
import { handle } from './app.ts';
import { part } from './core/part.ts';
import { drainBody } from './http/body.ts';
import { servicesOf, type WorkerEnvironment } from './platform/cloudflare/environment.ts';
import { objectOf } from './platform/cloudflare/placement.ts';
import { callAgainOnce } from './platform/cloudflare/remote-call.ts';
import { traceOnCloudflare } from './platform/cloudflare/tracer.ts';
import { logError } from './ports/log.ts';
import type { Services } from './service/services.ts';

export { DatabaseWriter } from './platform/cloudflare/database-writer.ts';
export { EndpointQueue } from './platform/cloudflare/endpoint-queue.ts';
export { ShipmentLane } from './platform/cloudflare/shipment-lane.ts';

traceOnCloudflare();
const unconfigured = part(() => import('./platform/cloudflare/unconfigured.ts'));

/** The service on Cloudflare Workers, and on workerd anywhere. */
export default {
  fetch(request: Request, environment: WorkerEnvironment, context: ExecutionContext): Promise<Response> {
    const services = environment['DEPLOYMENT'] === undefined ? undefined : servicesIn(environment);
    if (services === undefined) return notConfigured(request, environment);
    const answer = handle(request, services, {
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
    const services = servicesIn(environment);
    if (services === undefined) return;
    const { config } = services;
    const databases = [config.directory, ...config.shards];
    const sweep = (id: string) => objectOf(environment.DATABASE_WRITER, config.place, id).sweep(id);
    await Promise.all(databases.map(({ id }) => callAgainOnce(() => sweep(id))));
  },
};

/** The response, once nothing is left of the request's body. */
async function afterBody(request: Request, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed) await drainBody(request);
  return response;
}

/** The services, or undefined with an entry in the log if variables are missing: a deployment may set them one after the other. */
function servicesIn(environment: WorkerEnvironment): Services | undefined {
  try {
    return servicesOf(environment);
  } catch (error) {
    logError({ error: String(error) });
    return undefined;
  }
}

async function notConfigured(request: Request, environment: WorkerEnvironment): Promise<Response> {
  const { notConfiguredAnswer } = await unconfigured();
  return notConfiguredAnswer(request, environment);
}
