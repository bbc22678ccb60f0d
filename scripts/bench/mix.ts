import type { Stream } from './flood.ts';
import { addLinks } from './links.ts';
import { type Assignment, addAccepted, addWaiting, type Origin } from './lives.ts';
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

/** What all operations together are sent about. */
export interface Stock {
  readonly account: Account;
  readonly ids: readonly string[];
  readonly linkTokens: readonly string[];
  /** Each of them is cancelled once. */
  readonly waiting: readonly string[];
  /** Each of them is picked up once. */
  readonly accepted: readonly Assignment[];
  /** These stay with their drivers. */
  readonly carried: readonly Assignment[];
}

const LINKS = 50;
const CARRIED = 500;

/** How many commands a stock has to last for. */
export interface StockSize {
  readonly cancellations: number;
  readonly pickUps: number;
}

/** `series`: another one for each stock of a database. */
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

/** Every operation that is hot, as one merchant's day might mix them. */
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
