import { connect, createServer, type Socket } from 'node:net';
import { LOOPBACK, listenLocally } from './ports.ts';

/** A TCP proxy whose connections can be cut or held. It does not read what it carries. */
export interface TcpProxy {
  /** Where it listens, as `http://127.0.0.1:port`. */
  readonly url: string;
  /** The target of new connections. Open ones keep theirs. */
  aim(port: number): void;
  /** Resets every connection. Returns how many there were. */
  cut(): number;
  /** Lets this many bytes of answers pass, then resets the connection that carries the next byte. */
  cutAnswerAfter(bytes: number): void;
  /** Accepts connections and bytes, and forwards none until `release`. */
  hold(): void;
  /** Forwards what was held, and drops a cut that has not happened yet. */
  release(): void;
  close(): void;
}

interface Connection {
  readonly caller: Socket;
  readonly callee: Socket;
}

export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const proxy = new ForwardingProxy(port);
  await proxy.listen();
  return proxy;
}

class ForwardingProxy implements TcpProxy {
  readonly #connections = new Set<Connection>();
  readonly #server = createServer({ allowHalfOpen: true }, (caller) => this.#connect(caller));
  #url = '';
  #aim: number;
  #isHeld = false;
  #answerBytesLeft: number | undefined;

  constructor(port: number) {
    this.#aim = port;
  }

  get url(): string {
    return this.#url;
  }

  async listen(): Promise<void> {
    this.#url = await listenLocally(this.#server);
  }

  aim(port: number): void {
    this.#aim = port;
  }

  cut(): number {
    const { size } = this.#connections;
    for (const connection of this.#connections) this.#reset(connection);
    return size;
  }

  cutAnswerAfter(bytes: number): void {
    this.#answerBytesLeft = bytes;
  }

  hold(): void {
    this.#isHeld = true;
    for (const connection of this.#connections) pause(connection);
  }

  release(): void {
    this.#isHeld = false;
    this.#answerBytesLeft = undefined;
    for (const { caller, callee } of this.#connections) {
      caller.resume();
      callee.resume();
    }
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #connect(caller: Socket): void {
    const connection = { caller, callee: connect({ host: LOOPBACK, port: this.#aim, allowHalfOpen: true }) };
    this.#connections.add(connection);
    join(
      connection,
      (chunk) => this.#passAnswer(connection, chunk),
      () => this.#reset(connection),
    );
    if (this.#isHeld) pause(connection);
  }

  #reset(connection: Connection): void {
    this.#connections.delete(connection);
    connection.caller.resetAndDestroy();
    connection.callee.resetAndDestroy();
  }

  #passAnswer(connection: Connection, chunk: Buffer): void {
    const left = this.#answerBytesLeft;
    if (left === undefined || chunk.length <= left) {
      if (left !== undefined) this.#answerBytesLeft = left - chunk.length;
      connection.caller.write(chunk);
      return;
    }
    this.#answerBytesLeft = undefined;
    // Written out before the reset, which would throw away what still waits.
    if (left === 0) this.#reset(connection);
    else connection.caller.write(chunk.subarray(0, left), () => this.#reset(connection));
  }
}

/** Bytes both ways, an end for an end, a reset for every fault. */
function join(connection: Connection, onAnswer: (chunk: Buffer) => void, reset: () => void): void {
  const { caller, callee } = connection;
  caller.setNoDelay(true);
  callee.setNoDelay(true);
  caller.on('data', (chunk) => callee.write(chunk));
  callee.on('data', onAnswer);
  caller.on('end', () => callee.end());
  callee.on('end', () => caller.end());
  for (const socket of [caller, callee]) {
    socket.on('error', reset);
    socket.on('close', reset);
  }
}

/** Received bytes stay in the system's buffers, so the sender sees a connection without an answer. */
function pause({ caller, callee }: Connection): void {
  caller.pause();
  callee.pause();
}
