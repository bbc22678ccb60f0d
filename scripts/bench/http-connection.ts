import { connect, type Socket } from 'node:net';

/** One keep-alive connection with at most one request in progress. */
export interface HttpConnection {
  /** Resolves with the status, or with the reason why there is none. Never rejects. */
  send(request: Buffer): Promise<Ending>;
  close(): void;
}
export type Ending = number | 'refused' | 'cut' | 'timeout' | 'unreadable';

/** Longer than any deadline of the peers, so a request without an answer by then gets none. */
const TIMEOUT_MS = 10_000;
const HEADERS_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * A minimal client, so that the measured programs get the processor time: it sends bytes, finds the status and the end
 * of the answer, and skips the body.
 */
export class RawConnection implements HttpConnection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;
  #settle: ((ending: Ending) => void) | undefined;
  #received: Buffer = Buffer.alloc(0);
  #deadline = 0;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  send(request: Buffer): Promise<Ending> {
    this.#socket ??= this.#open();
    this.#deadline = performance.now() + TIMEOUT_MS;
    return new Promise((settle) => {
      this.#settle = settle;
      this.#socket?.write(request);
    });
  }

  /** Ends a request that is past its deadline. A timer for each request would cost more than the request. */
  checkDeadline(): void {
    if (this.#settle !== undefined && performance.now() > this.#deadline) this.#end('timeout');
  }

  close(): void {
    this.#end('cut');
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (this.#socket === socket) this.#end(error.code === 'ECONNREFUSED' ? 'refused' : 'cut');
    });
    socket.once('close', () => {
      if (this.#socket === socket) this.#end('cut');
    });
    return socket;
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const status = statusOfWhole(this.#received);
    if (status === undefined) return;
    if (status === 'unreadable') return this.#end(status);
    this.#received = Buffer.alloc(0);
    this.#answer(status);
  }

  #end(ending: Ending): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
    socket?.destroy();
    this.#answer(ending);
  }

  #answer(ending: Ending): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(ending);
  }
}

/** The status of a complete answer; undefined while more bytes are missing. */
function statusOfWhole(received: Buffer): number | 'unreadable' | undefined {
  const headersLength = received.indexOf(HEADERS_END);
  if (headersLength < 0) return undefined;
  const head = received.toString('latin1', 0, headersLength);
  const status = Number(head.slice(9, 12));
  const bodyStart = headersLength + HEADERS_END.length;
  const contentLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (contentLength !== undefined) {
    return received.length >= bodyStart + Number(contentLength) ? status : undefined;
  }
  if (status === 204 || status === 304) return status;
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return 'unreadable';
  // A JSON body never contains CRLF, so these bytes only occur at the last chunk.
  return received.length >= bodyStart + LAST_CHUNK.length && received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    ? status
    : undefined;
}
