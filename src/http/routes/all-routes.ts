import { localRoutes } from '../local.ts';
import { metricsRoutes } from '../metrics.ts';
import { nearestPath } from '../nearest-path.ts';
import { OPERATIONS } from '../rest/routes.ts';
import { restRoutesOf } from '../rest/serve.ts';
import { type Answer, type Exchange, type Route, RouteTable } from '../route-table.ts';
import { trpcRoutes } from '../trpc/serve.ts';
import { showNotFound, webRoutes } from '../web/site/routes.ts';
import { logoRoute } from '../web/tracking/logo.ts';
import { frequentRoutes } from './frequent-routes.ts';

const keyOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;
const frequent = new Set(frequentRoutes.map(keyOf));

/** All routes but those of the metrics. */
export const allRoutes: readonly Route[] = [
  ...frequentRoutes,
  ...restRoutesOf(OPERATIONS.filter((operation) => !frequent.has(keyOf(operation)))),
  ...localRoutes,
  ...trpcRoutes,
  ...webRoutes,
  logoRoute,
];

/** For a path that no route has. It names none that this deployment does not have. */
export function showUnknown(request: Request, exchange: Exchange): Promise<Answer> {
  const { deployment } = exchange.services.config;
  const here = allRoutes.filter(({ deployments }) => deployments?.includes(deployment) ?? true);
  return showNotFound(request, exchange, nearestPath(exchange.url.pathname, here));
}

/** All routes in one table, so that unknown paths, other methods, HEAD and OPTIONS get the same answers everywhere. */
export const allTable = new RouteTable(allRoutes);
/** For requests that may read the metrics. Other requests get 404 for that path. */
export const tableWithMetrics = new RouteTable([...allRoutes, ...metricsRoutes]);
