import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import {
  type ChangeSockets,
  openOf,
  POLICY_VIOLATION,
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
  /** A number on Deno; scripts are checked with the types of Node. */
  unrefTimer(timer: unknown): void;
};

/** The service is stopping (RFC 6455 section 7.4.1). */
const GOING_AWAY = 1001;

/**
 * Messages that a socket may send beyond one a second. A page sends a ping every 15 s. Deno hands over all that have arrived
 * without a pause, so a socket that never stops sending would keep the process from everything else.
 */
const MESSAGES_SPARE = 100;

/** How long a socket may take to open. It opens as soon as the answer to its handshake is written. */
const OPENING_MS = 5000;

/**
 * The sockets of this process, by the name of their lane. They learn of commands of this process only; pages find those of
 * others when they poll. Deno pings each socket and closes one that does not answer within 30 s.
 */
export class DenoChangeSockets implements ChangeSockets {
  readonly #sockets = new Map<string, Map<WebSocket, Uuid>>();
  readonly #monotonicMs: () => number;
  #count = 0;
  #isClosed = false;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

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
    socket.onmessage = this.#readerOf(socket);
    // An open socket whose client has left ends with an error or a close.
    socket.onclose = socket.onerror = () => this.#forget(name, socket);
    this.#forgetUnlessOpened(name, socket);
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

  /** Closes the socket after any message but a ping, and after too many pings. Deno then reads nothing more of it. */
  #readerOf(socket: WebSocket): (event: MessageEvent) => void {
    const openedAtMs = this.#monotonicMs();
    let messages = 0;
    return ({ data }) => {
      messages += 1;
      const seconds = (this.#monotonicMs() - openedAtMs) / 1000;
      if (messages > MESSAGES_SPARE + seconds) socket.close(POLICY_VIOLATION);
      else refuseMessage(socket, data);
    };
  }

  /** A client that leaves before its handshake is answered causes no event at all. Its socket would keep its place for ever. */
  #forgetUnlessOpened(name: string, socket: WebSocket): void {
    const timer = setTimeout(() => {
      // Should it open after all, it is closed then.
      socket.close();
      this.#forget(name, socket);
    }, OPENING_MS);
    Deno.unrefTimer(timer);
    socket.onopen = () => clearTimeout(timer);
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
