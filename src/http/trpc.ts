import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '../../routers/index.ts';
import { readText } from './body.ts';
import { problemHeaders, problemResponse } from './problem-response.ts';
import type { Exchange, Route } from './route-table.ts';

const ENDPOINT = '/trpc';
/** Calls in one request. Each of them is authenticated and counted by itself. */
const BATCH_MAX = 10;
/** A full batch of the largest bodies that REST takes would be ten times this; a program that needs it sends two. */
const BODY_BYTES_MAX = 512 * 1024;

/** The same procedures for TypeScript programs: `/trpc/shipments.get`, batched or not. */
export const trpcRoutes: readonly Route[] = (['GET', 'POST'] as const).map((method) => ({
  method,
  path: `${ENDPOINT}/{procedures}`,
  handle: serve,
}));

async function serve(request: Request, exchange: Exchange): Promise<Response> {
  try {
    return await fetchRequestHandler({
      endpoint: ENDPOINT,
      req: await bounded(request),
      router: appRouter,
      createContext: () => exchange,
      maxBatchSize: BATCH_MAX,
      responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
    });
  } catch (error) {
    return problemResponse(error, exchange);
  }
}

async function bounded(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request;
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: await readText(request, BODY_BYTES_MAX),
  });
}

/** Headers of the first refusal that has any: a batch has only one set. */
function headersOf(errors: readonly unknown[]): Record<string, string> {
  return errors.map(problemHeaders).find((headers) => Object.keys(headers).length > 0) ?? {};
}
