import { DurableObject } from 'cloudflare:workers';
import type {
  WebSocketRequestResponsePair as AutoResponse,
  DurableObjectState,
  WebSocket as WorkerSocket,
} from '@cloudflare/workers-types';
import type { CompanyScope } from '../../access/require.ts';
import { toMillis } from '../../core/instant.ts';
import type { Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CommandOrder } from '../../domain/shipments/command.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import { monotonicMs, SystemClock } from '../../providers/system.ts';
import {
  NORMAL,
  openOf,
  PING,
  refuseMessage,
  SHIPMENT_SOCKETS_MAX,
  SOCKETS_MAX,
  tellChange,
} from '../../service/change-sockets.ts';
import { laneNameOf, ShipmentLanes } from '../../service/shipment-lanes.ts';
import { type LaneMethods, servicesOf, type WorkerEnvironment } from './environment.ts';

/** The parts of the runtime that this file uses. */
declare const WebSocketPair: new () => { readonly 0: WorkerSocket; readonly 1: WorkerSocket };
declare const WebSocketRequestResponsePair: new (request: string, response: string) => AutoResponse;

/** A page sends a ping every 15 s, or after 25 s if its network does not answer. */
const SILENT_MS = 60_000;

/**
 * The lanes of a sixteenth of a shard's shipments, and the sockets of their tracking pages: see `laneObjectOf`. It stores
 * nothing. The runtime keeps the sockets, by the name of their lane, while the object is not in memory.
 */
export class ShipmentLane extends DurableObject<WorkerEnvironment> implements LaneMethods {
  readonly #clock = new SystemClock();
  readonly #lanes = new ShipmentLanes(
    (shard) => {
      const services = servicesOf(this.env);
      const store = services.shards.get(shard);
      return store === undefined ? undefined : { ...services, ...store };
    },
    monotonicMs,
    (dependencies, scope, row) => tellChange(dependencies, scope, row, this.#socketsOf(scope, row.id)),
  );

  constructor(ctx: DurableObjectState, env: WorkerEnvironment) {
    super(ctx, env);
    // The runtime answers pings, and does not wake the object for them.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, 'pong'));
  }

  execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>> {
    return this.#lanes.execute(scope, order);
  }

  /** Opens a socket for the lane and the link that the address names. Only the Worker calls this, after it has checked the link. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const name = pathname.slice(1);
    if (this.#isFull(name)) this.#closeSilent();
    if (this.#isFull(name)) return new Response(null, { status: 503 });
    const { 0: webSocket, 1: own } = new WebSocketPair();
    this.ctx.acceptWebSocket(own, [name, searchParams.get('link') ?? '']);
    own.serializeAttachment(this.#nowMs());
    const upgrade = { status: 101, webSocket };
    return new Response(null, upgrade);
  }

  #nowMs(): number {
    return toMillis(this.#clock.now());
  }

  #isFull(name: string): boolean {
    return (
      openOf(this.ctx.getWebSockets(name)) >= SHIPMENT_SOCKETS_MAX || this.ctx.getWebSockets().length >= SOCKETS_MAX
    );
  }

  /**
   * Closes the sockets whose pages send no pings any more. The runtime does not always learn that a client has gone, for
   * example if its connection is reset during the handshake, and would keep its socket for ever.
   */
  #closeSilent(): void {
    for (const socket of this.ctx.getWebSockets()) {
      const pingAt = this.ctx.getWebSocketAutoResponseTimestamp(socket);
      const heardAtMs = pingAt?.getTime() ?? Number(socket.deserializeAttachment());
      if (this.#nowMs() - heardAtMs > SILENT_MS) socket.close(NORMAL);
    }
  }

  #socketsOf(scope: CompanyScope, shipmentId: Uuid): (readonly [WorkerSocket, string | undefined])[] {
    const name = laneNameOf(scope, { shipmentId });
    return this.ctx.getWebSockets(name).map((socket) => {
      const [, linkId] = this.ctx.getTags(socket);
      return [socket, linkId];
    });
  }

  webSocketMessage(socket: WorkerSocket, message: unknown): void {
    refuseMessage(socket, message);
  }

  /** The runtime does not answer a close itself while it keeps a socket, and browsers wait for that answer. */
  webSocketClose(socket: WorkerSocket): void {
    socket.close(NORMAL);
  }
}
