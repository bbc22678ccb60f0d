import * as z from 'zod';
import type { Arena, Peer } from './arena.ts';
import { creationOf, ESTIMATES_PATH, estimateBodies, TOKEN_BODY } from './requests.ts';

/*
 * Before the measurements, every peer must show that it does the whole work. Otherwise a peer that answers errors, or
 * less than the others, would win.
 */

const CALL_TIMEOUT_MS = 5000;
const SHIPMENTS_COMPARED = 20;

/** Throws if a peer's status or bytes differ from the service's. Only the length of encrypted cursors is compared. */
export async function verifyPeers(arena: Arena, ids: readonly string[]): Promise<void> {
  const { mirsal, limit, usual, company } = arena;
  const paths = ['', ...ids.slice(0, SHIPMENTS_COMPARED).map((id) => `/${id}`)];
  for (const path of paths) {
    const expected = await read(mirsal, path, company.token);
    expectEqual(limit, `GET ${path}`, await read(limit, path, company.token), expected);
    // The usual stack has a different kind of cursors.
    expectEqual(usual, `GET ${path}`, withoutCursor(await read(usual, path, company.token)), withoutCursor(expected));
  }
  await verifyEstimates(arena);
  if (paths.length < 2) throw new Error('There is no shipment to compare');
  for (const peer of [mirsal, usual]) await verifyCreation(arena, peer);
  for (const peer of [mirsal, usual]) await expectRefusal(peer);
  await verifyCommands(arena);
}

async function read(peer: Peer, path: string, token: string): Promise<string> {
  const { status, body } = await call(peer, path, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200) throw new Error(`${peer.name} answered ${status} to GET ${path}: ${body}`);
  return path === '' ? body.replace(/(?<="nextCursor":")[^"]+/, (cursor) => 'c'.repeat(cursor.length)) : body;
}

/** The same prices, except for the instant of the estimate. */
async function verifyEstimates({ mirsal, limit, company }: Arena): Promise<void> {
  for (const body of estimateBodies()) {
    const headers = { authorization: `Bearer ${company.token}`, 'content-type': 'application/json' };
    const [expected, actual] = await Promise.all(
      [mirsal, limit].map((peer) => callPath(peer, ESTIMATES_PATH, { method: 'POST', headers, body })),
    );
    if (expected?.status !== 200) throw new Error(`mirsal answered ${expected?.status} to ${body}: ${expected?.body}`);
    expectEqual(limit, body, withoutInstant(actual?.body), withoutInstant(expected.body));
  }
}

function withoutInstant(body = ''): string {
  return body.replace(/(?<="estimatedAt":")[-0-9T:.]{26}Z/, '');
}

function withoutCursor(body: string): string {
  return body.replace(/(?<="nextCursor":")c+/, '');
}

function expectEqual(peer: Peer, request: string, actual: string, expected: string): void {
  if (actual === expected) return;
  throw new Error(`${peer.name} answers other bytes than the service to ${request}:\n${actual}\n${expected}`);
}

/** 201, then 200 for the same request, then 409 for the same reference with another key. */
async function verifyCreation({ company }: Arena, peer: Peer): Promise<void> {
  const create = (key: string) =>
    call(peer, '', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${company.token}`,
        'content-type': 'application/json',
        'idempotency-key': `verification-${key}`,
      },
      body: JSON.stringify(creationOf(company, 'verification')),
    });
  const [first, second, third] = [await create('one'), await create('one'), await create('two')];
  const statuses = [first.status, second.status, third.status].join(' ');
  if (statuses !== '201 200 409') throw new Error(`${peer.name} answered creations with ${statuses}: ${first.body}`);
  if (first.body !== second.body) throw new Error(`${peer.name} replayed another body`);
}

async function expectRefusal(peer: Peer): Promise<void> {
  const { status } = await call(peer, '', { headers: { authorization: 'Bearer nobody' } });
  if (status !== 401) throw new Error(`${peer.name} answered ${status} to a bad token`);
}

function call(peer: Peer, path: string, init: RequestInit): Promise<{ status: number; body: string }> {
  return callPath(peer, `/v2/external/shipments${path}`, init);
}

async function callPath({ worker }: Peer, path: string, init: RequestInit): Promise<{ status: number; body: string }> {
  const url = `http://127.0.0.1:${worker.port}${path}`;
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  return { status: response.status, body: await response.text() };
}

/** Throws unless every peer issues tokens, shows a tracked shipment and cancels as the service does. */
async function verifyCommands(arena: Arena): Promise<void> {
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
  // Measurements start with the first shipment of a stock, so the last one can be used here.
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
