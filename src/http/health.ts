import { readinessOf } from '../../db/readiness.ts';
import type { Exchange, Route } from './route-table.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** For operators' machines: `/health` says that the process answers, `/ready` that it can do its work. */
export const healthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    isForOperators: true,
    handle: () => new Response('{"status":"ok"}', { headers: HEADERS }),
  },
  { method: 'GET', path: '/ready', isForOperators: true, handle: reportReadiness },
];

async function reportReadiness(_request: Request, { services }: Exchange): Promise<Response> {
  const requireDurable = services.config.durability === 'strong';
  const databases = await Promise.all([
    readinessOf(services.directory.database, 'directory', requireDurable),
    ...[...services.shards.values()].map((store) => readinessOf(store.database, 'shard', requireDurable)),
  ]);
  const isReady = databases.every((one) => one.answers && one.migrationsCurrent && one.durabilityStrong);
  const { config, routing, messages, documents } = services;
  const body = {
    status: isReady ? 'ready' : 'not_ready',
    deployment: config.deployment,
    databases,
    // Without them reads go on, so that they are told and do not take the service away.
    routing: { engine: routing.engine },
    messages: { provider: messages.provider },
    documents: { provider: documents.provider },
  };
  const headers = isReady ? HEADERS : { ...HEADERS, 'retry-after': '1' };
  return new Response(JSON.stringify(body), { status: isReady ? 200 : 503, headers });
}
