import * as z from 'zod';
import type { Arena, Peer } from './arena.ts';
import { creationOf, ESTIMATES_PATH, estimateBodies } from './requests.ts';
import { ask, issueToken, jsonOf } from './service.ts';

/*
 * Before the measurements, every peer must show that it does the whole work. Otherwise a peer that answers errors, or
 * less than the others, would win.
 */

const SHIPMENTS = '/v2/external/shipments';
const SHIPMENTS_COMPARED = 20;

/** Throws if a peer's status or bytes differ from the service's. Only the length of encrypted cursors is compared. */
export async function verifyPeers(arena: Arena, ids: readonly string[]): Promise<void> {
  const { mirsal, limit, usual, company, stocks } = arena;
  const [stock] = stocks;
  if (ids.length === 0 || stock === undefined) throw new Error('There is no shipment to compare');
  for (const path of ['', ...ids.slice(0, SHIPMENTS_COMPARED).map((id) => `/${id}`)]) {
    const read = async (peer: Peer) => {
      const body = await ask(urlOf(peer, SHIPMENTS + path), { headers: { authorization: `Bearer ${company.token}` } });
      return body.replace(/(?<="nextCursor":")[^"]+/, (cursor) => 'c'.repeat(cursor.length));
    };
    await expectSame(path, mirsal, limit, read);
    // The usual stack has a different kind of cursors.
    await expectSame(path, mirsal, usual, async (peer) => (await read(peer)).replace(/(?<="nextCursor":")c+/, ''));
  }
  for (const body of estimateBodies())
    await expectSame(body, mirsal, limit, async (peer) => {
      const estimate = await ask(urlOf(peer, ESTIMATES_PATH), jsonOf(company.token, JSON.parse(body)));
      return estimate.replace(/(?<="estimatedAt":")[-0-9T:.]{26}Z/, '');
    });
  await expectSame('the claims of a token', mirsal, limit, async (peer) =>
    claimsOf(await issueToken(urlOf(peer), company)),
  );
  await expectSame('a tracking link', mirsal, limit, async (peer) => {
    const tracking = await ask(urlOf(peer, `/v2/public/tracking/${stock.linkTokens[0]}`));
    return /SHP-[0-9A-Z]{11}/.exec(tracking)?.[0] ?? tracking;
  });
  // Measurements start with the first shipment of a stock, so the last one can be used here.
  for (const peer of [mirsal, usual]) await verifyChanges(peer, company, stock.waiting.at(-1) ?? '');
}

/** 201, then 200 for the same request, then 409 for the same reference under another key; a cancellation; a bad token. */
async function verifyChanges(peer: Peer, company: Arena['company'], waitingId: string): Promise<void> {
  const create = (key: string, status: number) => {
    const headers = { 'idempotency-key': `verification-${key}` };
    const request = jsonOf(company.token, creationOf(company, 'verification'), headers);
    return ask(urlOf(peer, SHIPMENTS), request, status);
  };
  if ((await create('one', 201)) !== (await create('one', 200))) throw new Error(`${peer.name} replayed another body`);
  await create('two', 409);
  const cancellation = jsonOf(company.token, { reasonCode: 'CUSTOMER_REQUEST' }, { 'if-match': '*' });
  const body = await ask(urlOf(peer, `${SHIPMENTS}/${waitingId}/cancellations`), cancellation);
  const { state, version } = z.object({ state: z.string(), version: z.number() }).parse(JSON.parse(body));
  if (state !== 'CANCELLED' || version !== 1) throw new Error(`${peer.name} cancelled to ${state}, version ${version}`);
  await ask(urlOf(peer, SHIPMENTS), { headers: { authorization: 'Bearer nobody' } }, 401);
}

async function expectSame(what: string, one: Peer, other: Peer, read: (peer: Peer) => Promise<string>): Promise<void> {
  const [expected, actual] = [await read(one), await read(other)];
  if (actual === expected) return;
  throw new Error(`${other.name} answers otherwise than ${one.name} to ${what}:\n${actual}\n${expected}`);
}

function urlOf({ worker }: Peer, path = ''): string {
  return `http://127.0.0.1:${worker.port}${path}`;
}

/** The names of a token's claims, in order. */
function claimsOf(token: string): string {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return Object.keys(z.record(z.string(), z.unknown()).parse(JSON.parse(payload)))
    .toSorted()
    .join(' ');
}
