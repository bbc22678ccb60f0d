import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import {
  type ChangeSockets,
  openOf,
  refuseMessage,
  SHIPMENT_SOCKETS_MAX,
  SOCKETS_MAX,
  type SocketLink,
  tellChange,
} from '../../service/change-sockets.ts';
import type { LaneDependencies } from '../../service/lane-queue.ts';
import { laneNameOf } from '../../service/shipment-lanes.ts';

/** The part of Deno that this file uses. */
declare const Deno: {
  upgradeWebSocket(request: Request): { readonly socket: WebSocket; readonly response: Response };
};

/** The service is stopping (RFC 6455 section 7.4.1). */
const GOING_AWAY = 1001;

/**
 * The sockets of this process, by the name of their lane. They learn of commands of this process only; pages find those of
 * others when they poll. Deno pings each socket and closes one that does not answer within 30 s.
 */
export class DenoChangeSockets implements ChangeSockets {
  readonly #sockets = new Map<string, Map<WebSocket, Uuid>>();
  #count = 0;
  #isClosed = false;

  async open(request: Request, scope: CompanyScope, link: SocketLink): Promise<Response | undefined> {
    const name = laneNameOf(scope, link);
    const others = this.#sockets.get(name);
    const isFull = this.#count >= SOCKETS_MAX || openOf(others?.keys() ?? []) >= SHIPMENT_SOCKETS_MAX;
    if (isFull || this.#isClosed) return undefined;
    const upgraded = upgrade(request);
    // workerd gives this answer itself.
    if (upgraded === undefined) return new Response(null, { status: 400 });
    const { socket, response } = upgraded;
    this.#sockets.set(name, (others ?? new Map<WebSocket, Uuid>()).set(socket, link.linkId));
    this.#count += 1;
    socket.onmessage = ({ data }) => refuseMessage(socket, data);
    // A handshake whose client has left ends with an error only, all others with a close.
    socket.onclose = socket.onerror = () => this.#forget(name, socket);
    return response;
  }

  tell(dependencies: LaneDependencies, scope: CompanyScope, row: ShipmentRow): Promise<void> {
    return tellChange(dependencies, scope, row, this.#sockets.get(laneNameOf(scope, { shipmentId: row.id })) ?? []);
  }

  /** Closes all sockets, and opens none any more. Otherwise the server would wait for them when it stops. */
  close(): void {
    this.#isClosed = true;
    for (const sockets of this.#sockets.values()) for (const socket of sockets.keys()) socket.close(GOING_AWAY);
  }

  #forget(name: string, socket: WebSocket): void {
    const sockets = this.#sockets.get(name);
    if (sockets?.delete(socket) !== true) return;
    this.#count -= 1;
    if (sockets.size === 0) this.#sockets.delete(name);
  }
}

/** Undefined for a malformed handshake, for example one without a key. */
function upgrade(request: Request) {
  try {
    return Deno.upgradeWebSocket(request);
  } catch {
    return undefined;
  }
}
