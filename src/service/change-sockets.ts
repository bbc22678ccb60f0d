import type { CompanyScope } from '../access/require.ts';
import { isTerminal } from '../contract/shipment-state.ts';
import type { Uuid } from '../core/uuid.ts';
import type { ShipmentRow } from '../domain/shipments/store.ts';
import { activeLinks } from '../domain/tracking/store.ts';
import type { LaneDependencies } from './lane-queue.ts';

/*
 * WebSockets that notify open tracking pages of a change. They carry no data: a notified page refreshes in the same way as it
 * does every 15 seconds, and gets what its link may show.
 */

/** Sockets of one shipment. Few people track the same one; further pages poll. Each can make Deno keep a message of 64 MiB. */
export const SHIPMENT_SOCKETS_MAX = 8;
/** Sockets of one process, or of one Durable Object, which may have 32,768. Further pages poll. */
export const SOCKETS_MAX = 2000;
/** What a page may send, so that proxies do not close its connection for being idle. */
export const PING = 'ping';
const CHANGED = 'changed';
/** Close codes (RFC 6455 section 7.4.1). */
export const NORMAL = 1000;
export const POLICY_VIOLATION = 1008;

/** The link that a socket was opened with. */
export interface SocketLink {
  readonly shipmentId: Uuid;
  readonly linkId: Uuid;
}

export interface ChangeSockets {
  /** Makes a socket of a WebSocket handshake. Undefined if too many are open. */
  open(request: Request, scope: CompanyScope, link: SocketLink): Promise<Response | undefined>;
}

/** A socket of either runtime. */
interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(code: number): void;
}

/**
 * How many of a shipment's sockets are open. One that was closed takes no place: its client may ignore the close and stay
 * connected for ever. It still counts among `SOCKETS_MAX`.
 */
export function openOf(sockets: Iterable<Pick<Socket, 'readyState'>>): number {
  return [...sockets].filter(({ readyState }) => readyState === OPEN || readyState === CONNECTING).length;
}
const CONNECTING = 0;
const OPEN = 1;

/**
 * Notifies the pages of a shipment that a command has changed it, and closes their sockets after its last change. A socket
 * whose link has been revoked or has expired since is closed instead. If the links cannot be read, no page is notified: they poll.
 */
export async function tellChange(
  { database, clockBook }: Pick<LaneDependencies, 'database' | 'clockBook'>,
  scope: CompanyScope,
  { id, state }: Pick<ShipmentRow, 'id' | 'state'>,
  sockets: Iterable<readonly [Socket, linkId: string | undefined]>,
): Promise<void> {
  const all = [...sockets];
  // Nearly all shipments have no open page.
  if (all.length === 0) return;
  const clock = await clockBook.clockOf(database, scope.companyId);
  if (!clock.ok) return;
  const links = await database.read(activeLinks(scope, id, clock.value.now()));
  if (!links.ok) return;
  const active = new Set<string | undefined>(links.rows.map(({ id: linkId }) => linkId));
  for (const [socket, linkId] of all) tellOne(socket, { isActive: active.has(linkId), isLast: isTerminal(state) });
}

function tellOne(socket: Socket, { isActive, isLast }: { isActive: boolean; isLast: boolean }): void {
  try {
    if (!isActive) socket.close(POLICY_VIOLATION);
    else {
      socket.send(CHANGED);
      if (isLast) socket.close(NORMAL);
    }
  } catch {
    // It is closing. Its page polls.
  }
}

/** Closes the socket of a client that sends anything but pings. */
export function refuseMessage(socket: Socket, message: unknown): void {
  if (message !== PING) socket.close(POLICY_VIOLATION);
}
