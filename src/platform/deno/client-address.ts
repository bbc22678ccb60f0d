import { type Arrival, addressBehind, entriesOf } from '../../core/network-address.ts';
import { logError } from '../../ports/log.ts';

/** Programs on the machine ask these without a proxy. */
const UNPROXIED = /^\/(?:health|ready|metrics)$/;

/**
 * Reads the client's address of each request. When a request arrives with fewer entries in `X-Forwarded-For` than there should be proxies,
 * the log says so once: then everybody behind a proxy shares one rate limit. No address is logged.
 */
export function clientAddresses(proxies: number): (request: Request, peer: string) => string {
  let hasWarned = false;
  return (request, peer) => {
    const arrival: Arrival = { peer, forwardedFor: request.headers.get('x-forwarded-for'), proxies };
    if (proxies > 0 && !hasWarned) {
      const entries = entriesOf(arrival).length;
      hasWarned = entries < proxies && !UNPROXIED.test(new URL(request.url).pathname);
      if (hasWarned) logError({ error: FEWER_ENTRIES, entries, proxies });
    }
    return addressBehind(arrival);
  };
}

const FEWER_ENTRIES =
  'X-Forwarded-For of a request has fewer entries than PROXIES, so rate limits count its proxy. Correct PROXIES, or let each proxy append';
