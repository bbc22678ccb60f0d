import { frequentRouter } from '../../../routers/frequent.ts';
import { healthRoutes } from '../health.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { operationsOf } from '../rest/operation.ts';
import { restRoutesOf } from '../rest/serve.ts';
import { type Route, RouteTable } from '../route-table.ts';
import { recipientRoutes } from '../web/recipient/route-list.ts';
import { trackingRoutes } from '../web/tracking/show.ts';

/** The routes that a Worker loads when it starts. Each route whose path ends in a secret is among them. */
export const frequentRoutes: readonly Route[] = [
  ...restRoutesOf(operationsOf(frequentRouter)),
  ...oauthRoutes,
  ...healthRoutes,
  ...trackingRoutes,
  ...recipientRoutes,
];

export const frequentTable = new RouteTable(frequentRoutes);

/** The paths whose next segment only the caller may know. */
export const SECRET_PREFIXES: readonly string[] = frequentRoutes.flatMap(({ path, endsInSecret }) =>
  endsInSecret === true ? [path.slice(0, path.lastIndexOf('/'))] : [],
);
