import type { CompanyScope } from '../access/require.ts';
import { isTerminal } from '../contract/shipment-state.ts';
import type { Uuid } from '../core/uuid.ts';
import type { ShipmentRow } from '../domain/shipments/store.ts';

/*
 * WebSockets that tell open tracking pages of a change. They carry no data: a page that is told refreshes as it does every
 * 15 seconds, and then learns what its link may show.
 */

/** Sockets of one shipment. Few people follow a parcel; further pages poll. Each can make Deno keep a message of 64 MiB. */
export const SHIPMENT_SOCKETS_MAX = 8;
/** Sockets of one process, or of one Durable Object, which may have 32,768. Further pages poll. */
export const SOCKETS_MAX = 2000;
/** What a page may send, so that proxies do not close its connection for being idle. */
export const PING = 'ping';
const CHANGED = 'changed';
/** Close codes (RFC 6455 section 7.4.1). */
export const NORMAL = 1000;
const POLICY_VIOLATION = 1008;

export interface ChangeSockets {
  /** Makes a socket of a WebSocket handshake. Undefined if too many are open. */
  open(request: Request, scope: CompanyScope, shipmentId: Uuid): Promise<Response | undefined>;
}

/** A socket of either runtime. */
interface Socket {
  send(text: string): void;
  close(code: number): void;
}

/** Tells the pages of a shipment that a command has changed it. After its last change nothing else follows. */
export function tellChange(sockets: Iterable<Socket>, { state }: Pick<ShipmentRow, 'state'>): void {
  for (const socket of sockets) {
    try {
      socket.send(CHANGED);
      if (isTerminal(state)) socket.close(NORMAL);
    } catch {
      // It is closing. Its page polls.
    }
  }
}

/** Closes the socket of a client that sends anything but pings. */
export function refuseMessage(socket: Socket, message: unknown): void {
  if (message !== PING) socket.close(POLICY_VIOLATION);
}
