import type { Arena, Peer } from './arena.ts';
import { creationOf, ESTIMATES_PATH, estimateBodies } from './requests.ts';

/*
 * Before anything is measured: every peer does what it is measured at. A peer that answers errors, or less than the
 * others, would win.
 */

const CALL_TIMEOUT_MS = 5000;
const SHIPMENTS_COMPARED = 20;

/** Throws when a peer's status or bytes are not the service's. Of cursors only the length counts: its own are sealed. */
export async function verifyPeers(arena: Arena, ids: readonly string[]): Promise<void> {
  const { mirsal, limit, usual, company } = arena;
  const paths = ['', ...ids.slice(0, SHIPMENTS_COMPARED).map((id) => `/${id}`)];
  for (const path of paths) {
    const expected = await read(mirsal, path, company.token);
    expectEqual(limit, `GET ${path}`, await read(limit, path, company.token), expected);
    // Its cursor is its own, and so is its length.
    expectEqual(usual, `GET ${path}`, withoutCursor(await read(usual, path, company.token)), withoutCursor(expected));
  }
  await verifyEstimates(arena);
  if (paths.length < 2) throw new Error('There is no shipment to compare');
  for (const peer of [mirsal, usual]) await verifyCreation(arena, peer);
  for (const peer of [mirsal, usual]) await expectRefusal(peer);
}

async function read(peer: Peer, path: string, token: string): Promise<string> {
  const { status, body } = await call(peer, path, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200) throw new Error(`${peer.name} answered ${status} to GET ${path}: ${body}`);
  return path === '' ? body.replace(/(?<="nextCursor":")[^"]+/, (cursor) => 'c'.repeat(cursor.length)) : body;
}

/** The same prices, but for the instant at which they were asked. */
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
  throw new Error(`${peer.name} does not answer the service's bytes to ${request}:\n${actual}\n${expected}`);
}

/** 201, then 200 for the same request, then 409 for the same reference under another key. */
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

export async function callPath(
  { worker }: Peer,
  path: string,
  init: RequestInit,
): Promise<{ status: number; body: string }> {
  const url = `http://127.0.0.1:${worker.port}${path}`;
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  return { status: response.status, body: await response.text() };
}
