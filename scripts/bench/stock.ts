import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { listenLocally } from '../shared/ports.ts';
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
import { type Account, ask, jsonOf } from './service.ts';

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

/** Creates a tracking link for each shipment through the service, and returns the links' tokens. */
async function addLinks(baseUrl: string, { token }: Account, ids: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const id of ids) {
    const link = await ask(`${baseUrl}/v2/external/shipments/${id}/tracking-links`, jsonOf(token, {}), 201);
    tokens.push(z.object({ url: z.string() }).parse(JSON.parse(link)).url.split('/t/')[1] ?? '');
  }
  return tokens;
}

const ENDPOINTS = '/v2/external/webhook-endpoints';

/** Adds a webhook endpoint for the company's new shipments, and returns its id. */
export async function addEndpoint(baseUrl: string, { token }: Account, url: string): Promise<string> {
  const body = await ask(baseUrl + ENDPOINTS, jsonOf(token, { url, eventTypes: ['shipment.created'] }), 201);
  return z.object({ endpointId: z.string() }).parse(JSON.parse(body)).endpointId;
}

/** Receives webhooks, answers 200 at once and counts them. `look` gets each body. */
export async function startReceiver(look?: (body: string) => void) {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    response.end();
    if (look === undefined) request.resume();
    else void text(request).then(look);
  });
  return {
    url: `${await listenLocally(server)}/hook`,
    received: () => received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
