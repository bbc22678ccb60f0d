import * as z from 'zod';
import type { Arena, Peer } from './arena.ts';
import { TOKEN_BODY } from './requests.ts';
import { callPath } from './verify.ts';

/** Throws unless every peer issues tokens, shows what a link shows and cancels, as the service does. */
export async function verifyCommands(arena: Arena): Promise<void> {
  const { mirsal, limit, usual, stocks } = arena;
  const [issued, expected] = [await claimsOf(arena, limit), await claimsOf(arena, mirsal)];
  if (issued !== expected) throw new Error(`limit issues a token with ${issued}, the service with ${expected}`);
  const [stock] = stocks;
  const [link] = stock?.linkTokens ?? [];
  const { shipmentNumber } = z
    .object({ shipmentNumber: z.string() })
    .parse(JSON.parse(await bodyOf(mirsal, `/v2/public/tracking/${link}`, {})));
  if (!(await bodyOf(limit, `/v2/public/tracking/${link}`, {})).includes(shipmentNumber))
    throw new Error('limit does not show the shipment of a link');
  // The last of a stock: measurements begin with the first.
  const id = stock?.waiting.at(-1);
  for (const peer of [mirsal, usual]) {
    const headers = {
      authorization: `Bearer ${arena.company.token}`,
      'content-type': 'application/json',
      'if-match': '*',
    };
    const init = { method: 'POST', headers, body: JSON.stringify({ reasonCode: 'CUSTOMER_REQUEST' }) };
    const body = await bodyOf(peer, `/v2/external/shipments/${id}/cancellations`, init);
    const { state, version } = z.object({ state: z.string(), version: z.number() }).parse(JSON.parse(body));
    if (state !== 'CANCELLED' || version !== 1)
      throw new Error(`${peer.name} cancelled to ${state}, version ${version}`);
  }
}

/** The names of a token's claims, in order. */
async function claimsOf({ company }: Arena, peer: Peer): Promise<string> {
  const basic = Buffer.from(`${company.clientId}:${company.clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = await bodyOf(peer, '/oauth/token', { method: 'POST', headers, body: TOKEN_BODY });
  const { access_token: token } = z.object({ access_token: z.string() }).parse(JSON.parse(body));
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return Object.keys(z.record(z.string(), z.unknown()).parse(JSON.parse(payload)))
    .toSorted()
    .join(' ');
}

async function bodyOf(peer: Peer, path: string, init: RequestInit): Promise<string> {
  const { status, body } = await callPath(peer, path, init);
  if (status !== 200) throw new Error(`${peer.name} answered ${status} to ${path}: ${body}`);
  return body;
}
