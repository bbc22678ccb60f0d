import { authenticatePerson } from '../access/session-token.ts';
import { Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import { parseUuid } from '../core/uuid.ts';
import { inviteeOf } from '../domain/people/identifier-store.ts';
import { identityOf } from '../domain/people/session/store.ts';
import type { Inbox } from '../ports/message.ts';
import { sessionDependencies } from '../service/services.ts';
import type { Exchange, Route } from './route-table.ts';
import { queryOf } from './sent-text.ts';

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

/** As recipient: the person of the request's session. The console knows their second factor only with a mask. */
const MYSELF = 'me';

/**
 * Messages to `recipient` (E.164, an e-mail address, `me`, or the id of an invitation, whose address its page does not know), newest
 * first. The plus sign of a phone need not be escaped.
 */
async function list(
  exchange: Exchange,
  read: (inbox: Inbox, recipient: string) => Promise<readonly { readonly createdAt: string }[] | undefined>,
): Promise<Response> {
  const { services, url } = exchange;
  const query = queryOf(url);
  const recipient = query.get('recipient')?.replace(/^ (?=\d)/, '+') ?? '';
  if (recipient === '' || [...query.keys()].length > 1) throw new Problem(refuse('INVALID_QUERY_PARAMETER'));
  const { inbox } = services;
  if (inbox === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const recipients = await recipientsOf(recipient, exchange);
  const lists = await Promise.all(recipients.map((one) => read(inbox, one)));
  const data = lists.flatMap((known) => {
    if (known === undefined) throw new Problem(unavailable());
    return known;
  });
  data.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  return new Response(JSON.stringify({ data }), { headers: { 'content-type': 'application/json' } });
}

async function recipientsOf(recipient: string, exchange: Exchange): Promise<readonly string[]> {
  if (recipient === MYSELF) return addressesOf(exchange);
  const invitationId = parseUuid(recipient);
  if (invitationId === undefined) return [recipient];
  const found = await exchange.services.directory.database.read(inviteeOf(invitationId));
  if (!found.ok) throw new Problem(unavailable());
  return found.rows.map(({ email }) => email);
}

/** Both addresses of the person who is signed in. Throws the `Problem` of a request without a session. */
async function addressesOf(exchange: Exchange): Promise<readonly string[]> {
  const { services, facts } = exchange;
  const person = await authenticatePerson(sessionDependencies(services, exchange), facts);
  const found = await services.directory.database.read(identityOf(person));
  if (!found.ok) throw new Problem(unavailable());
  return found.rows.flatMap(({ email, mobile }) => [email, mobile]);
}
