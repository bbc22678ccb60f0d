import * as z from 'zod';
import { type Assignment, addAccepted, addWaiting, type Origin } from './lives.ts';
import type { Stream } from './load.ts';
import {
  cancelRequests,
  createRequest,
  driverRequests,
  estimateRequests,
  getRequests,
  listRequest,
  tokenRequest,
  trackingRequests,
} from './requests.ts';
import type { Account } from './service.ts';

/** The shipments, links and drivers that a load needs. */
export interface Stock {
  readonly account: Account;
  readonly ids: readonly string[];
  readonly linkTokens: readonly string[];
  /** Each is cancelled once. */
  readonly waiting: readonly string[];
  /** Each is picked up once. */
  readonly accepted: readonly Assignment[];
  /** Drivers report their positions with these. */
  readonly carried: readonly Assignment[];
}

const LINKS = 50;
const CARRIED = 500;

/** The number of commands that a stock must suffice for. */
export interface StockSize {
  readonly cancellations: number;
  readonly pickUps: number;
}

/** Each stock of a database needs a `series` of its own. */
export async function stockUp(
  { account, baseUrl, ids }: { readonly account: Account; readonly baseUrl: string; readonly ids: readonly string[] },
  origin: Origin,
  { series, cancellations, pickUps }: StockSize & { readonly series: number },
): Promise<Stock> {
  const waiting = await addWaiting(origin, series * 3, cancellations);
  const accepted = await addAccepted(origin, series * 3 + 1, pickUps);
  const carried = await addAccepted(origin, series * 3 + 2, CARRIED);
  const followed = carried.slice(0, LINKS).map(({ shipmentId }) => shipmentId);
  return { account, ids, linkTokens: await addLinks(baseUrl, account, followed), waiting, accepted, carried };
}

/** All hot operations in realistic proportions. */
export function mixOf({ account, ids, linkTokens, waiting, accepted, carried }: Stock): Stream[] {
  const { token } = account;
  return [
    { name: 'GET by id', share: 30, requests: getRequests(token, ids) },
    { name: 'list of 25', share: 15, requests: [listRequest(token)] },
    { name: 'public tracking', share: 15, requests: trackingRequests(linkTokens) },
    { name: 'estimate', share: 15, requests: estimateRequests(token) },
    { name: 'create', share: 12, requests: [createRequest(token, account)] },
    { name: 'driver position', share: 5, requests: driverRequests(carried, 'REPORT_POSITION') },
    { name: 'cancel', share: 4, requests: cancelRequests(token, waiting), isOnce: true },
    { name: 'driver pick-up', share: 2, requests: driverRequests(accepted, 'PICK_UP'), isOnce: true },
    { name: 'token', share: 2, requests: [tokenRequest(account)] },
  ];
}

const CALL_TIMEOUT_MS = 5000;

/** Creates a tracking link for each shipment through the service, and returns the links' tokens. */
async function addLinks(baseUrl: string, account: Account, ids: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const id of ids) {
    const link = await post(baseUrl, account, { path: `/v2/external/shipments/${id}/tracking-links`, body: {} });
    tokens.push(z.object({ url: z.string() }).parse(link).url.split('/t/')[1] ?? '');
  }
  return tokens;
}

/** Adds a webhook endpoint for the company's new shipments, and returns its id. */
export async function addEndpoint(baseUrl: string, account: Account, url: string): Promise<string> {
  const body = { url, eventTypes: ['shipment.created'] };
  const endpoint = await post(baseUrl, account, { path: '/v2/external/webhook-endpoints', body });
  return z.object({ endpointId: z.string() }).parse(endpoint).endpointId;
}

export async function deleteEndpoint(baseUrl: string, account: Account, endpointId: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v2/external/webhook-endpoints/${endpointId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${account.token}`, 'if-match': '*' },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The endpoint was not deleted: ${response.status} ${await response.text()}`);
}

async function post(
  baseUrl: string,
  { token }: Account,
  { path, body }: { readonly path: string; readonly body: unknown },
): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (response.status !== 201) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}
