import { Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import type { Inbox } from '../ports/message.ts';
import type { Exchange, Route } from './route-table.ts';

/** Routes below it are for programs on the machine of the service. */
export const LOCAL_PREFIX = '/local/';

/** Routes that exist only on a local deployment. */
export const localRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/local/one-time-codes',
    deployments: ['local'],
    handle: (_request, exchange) => list(exchange, (inbox, recipient) => inbox.read(recipient)),
  },
  {
    method: 'GET',
    path: '/local/notices',
    deployments: ['local'],
    handle: (_request, exchange) => list(exchange, (inbox, recipient) => inbox.readNotices(recipient)),
  },
];

/**
 * Whether a request is addressed to this machine by a loopback name or address. A page of another site can point a name
 * of its own at 127.0.0.1 (DNS rebinding) and would then read one-time codes as its own content; its browser still sends
 * that name as Host.
 */
export function isLoopbackHost({ headers, url }: Request): boolean {
  const hostname = URL.parse(`http://${headers.get('host') ?? new URL(url).host}`)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Messages to `recipient` (E.164 or an e-mail address), newest first. The plus sign of a phone need not be escaped. */
async function list(
  { services, url }: Exchange,
  read: (inbox: Inbox, recipient: string) => Promise<readonly unknown[] | undefined>,
): Promise<Response> {
  const recipient = url.searchParams.get('recipient')?.replace(/^ (?=\d)/, '+') ?? '';
  if (recipient === '' || [...url.searchParams.keys()].length > 1) throw new Problem(refuse('INVALID_QUERY_PARAMETER'));
  const { inbox } = services;
  if (inbox === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const data = await read(inbox, recipient);
  if (data === undefined) throw new Problem(unavailable());
  return new Response(JSON.stringify({ data }), { headers: { 'content-type': 'application/json' } });
}
