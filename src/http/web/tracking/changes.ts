import { takeAllowance } from '../../../../routers/procedure.ts';
import { tokenInPath } from '../../../access/tracking-token.ts';
import { isTerminal } from '../../../contract/shipment-state.ts';
import { networkOf } from '../../../core/network-address.ts';
import { orThrow, Problem } from '../../../core/problem.ts';
import { refuse, unavailable } from '../../../core/result.ts';
import { findLinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import type { Answer, Exchange } from '../../route-table.ts';

/**
 * `GET /t/{token}/changes`: a WebSocket that tells a tracking page when its shipment changes. It is not a view. Any other
 * answer makes the page poll: 426 without a handshake, 403 for pages of other sites, 404 for a link that does not work, 204 if
 * the shipment cannot change any more, 503 without room.
 */
export async function openChanges(request: Request, exchange: Exchange): Promise<Answer> {
  const { services, facts, parameters, enterShard } = exchange;
  if (!isHandshake(request)) return { status: 426, headers: { upgrade: 'websocket' }, body: null };
  // Browsers name the page's site in every handshake (RFC 6455 section 4.1), also without a referrer.
  if (facts.origin !== new URL(services.config.baseUrl).origin) throw new Problem(refuse('ACCESS_DENIED'));
  await takeAllowance(exchange, 'tracking', networkOf(facts.address ?? 'unknown'));
  const { scope, shipment, link } = orThrow(
    await findLinkedShipment({ ...services, enterShard }, tokenInPath(parameters['token'] ?? '')),
  );
  if (isTerminal(shipment.state)) return { status: 204, headers: {}, body: null };
  const upgraded = await services.changeSockets.open(request, scope, { shipmentId: shipment.id, linkId: link.id });
  if (upgraded === undefined) throw new Problem(unavailable(RETRY_SECONDS));
  return upgraded;
}

/** As long as a page waits at least. */
const RETRY_SECONDS = 15;

/** Whether the request is the opening handshake of a browser (RFC 6455 section 4.2.1). It has no body. */
function isHandshake({ method, headers }: Request): boolean {
  const isUpgrade = headers.get('upgrade')?.toLowerCase() === 'websocket';
  return method === 'GET' && isUpgrade && !headers.has('content-length');
}
