import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort, LOOPBACK } from '../../../shared/ports.ts';

/** A TCP proxy whose connections can be cut or held. It does not read what it carries. */
export interface Arrow {
  /** Where it listens, as `http://127.0.0.1:port`. */
  readonly address: string;
  /** The target of new connections. Open ones keep theirs. */
  aim(port: number): void;
  /** Resets every connection. Returns how many there were. */
  cut(): number;
  /** Lets so many bytes of answers pass, then resets the connection that carries the next byte. */
  cutAnswerAfter(bytes: number): void;
  /** Accepts connections and bytes, and forwards none until `release`. */
  hold(): void;
  /** Forwards what was held, and drops a cut that has not happened yet. */
  release(): void;
  close(): void;
}

interface Pair {
  readonly caller: Socket;
  readonly callee: Socket;
}

export async function openArrow(port: number): Promise<Arrow> {
  const arrow = new TcpArrow(port);
  await arrow.listen();
  return arrow;
}

class TcpArrow implements Arrow {
  readonly #pairs = new Set<Pair>();
  readonly #server = createServer({ allowHalfOpen: true }, (caller) => this.#connect(caller));
  #address = '';
  #aim: number;
  #isHeld = false;
  #answerBytesLeft: number | undefined;

  constructor(port: number) {
    this.#aim = port;
  }

  get address(): string {
    return this.#address;
  }

  async listen(): Promise<void> {
    this.#address = `http://${LOOPBACK}:${await listen(this.#server)}`;
  }

  aim(port: number): void {
    this.#aim = port;
  }

  cut(): number {
    const { size } = this.#pairs;
    for (const pair of this.#pairs) this.#reset(pair);
    return size;
  }

  cutAnswerAfter(bytes: number): void {
    this.#answerBytesLeft = bytes;
  }

  hold(): void {
    this.#isHeld = true;
    for (const pair of this.#pairs) pause(pair);
  }

  release(): void {
    this.#isHeld = false;
    this.#answerBytesLeft = undefined;
    for (const { caller, callee } of this.#pairs) {
      caller.resume();
      callee.resume();
    }
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #connect(caller: Socket): void {
    const pair = { caller, callee: connect({ host: LOOPBACK, port: this.#aim, allowHalfOpen: true }) };
    this.#pairs.add(pair);
    join(
      pair,
      (chunk) => this.#passAnswer(pair, chunk),
      () => this.#reset(pair),
    );
    if (this.#isHeld) pause(pair);
  }

  #reset(pair: Pair): void {
    this.#pairs.delete(pair);
    pair.caller.resetAndDestroy();
    pair.callee.resetAndDestroy();
  }

  #passAnswer(pair: Pair, chunk: Buffer): void {
    const left = this.#answerBytesLeft;
    if (left === undefined || chunk.length <= left) {
      if (left !== undefined) this.#answerBytesLeft = left - chunk.length;
      pair.caller.write(chunk);
      return;
    }
    this.#answerBytesLeft = undefined;
    // Written out before the reset, which would throw away what still waits.
    if (left === 0) this.#reset(pair);
    else pair.caller.write(chunk.subarray(0, left), () => this.#reset(pair));
  }
}

/** Bytes both ways, an end for an end, a reset for every fault. */
function join(pair: Pair, onAnswer: (chunk: Buffer) => void, reset: () => void): void {
  const { caller, callee } = pair;
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
function pause({ caller, callee }: Pair): void {
  caller.pause();
  callee.pause();
}

async function listen(server: Server): Promise<number> {
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port }, resolve);
  });
  return port;
}
