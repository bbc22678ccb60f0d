import { part } from '../../../core/part.ts';
import type { Route } from '../../route-table.ts';
import { answerError } from '../tracking/show.ts';

const pages = part(() => import('./routes.ts'));

/**
 * The page on which a recipient changes the delivery. Its routes are loaded at the start, like those of the tracking page: otherwise that
 * page would take `delivery` for something that stuck to a link.
 */
export const recipientRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/t/{token}/delivery',
    handle: async (_request, exchange) => (await pages()).showRecipient(exchange),
    answerError,
  },
  {
    method: 'POST',
    path: '/t/{token}/delivery',
    handle: async (request, exchange) => (await pages()).takeRecipientForm(request, exchange),
    answerError,
  },
];
