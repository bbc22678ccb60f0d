import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort, LOOPBACK } from '../../ports.ts';

/**
 * A TCP connection's way from one program to another, which can be cut or made to swallow. It knows nothing of what it
 * carries.
 */
export interface Arrow {
  /** Where it listens, as `http://127.0.0.1:port`. */
  readonly address: string;
  /** Where new connections lead from now on; those that are open stay where they are. */
  aim(port: number): void;
  /** Resets every connection at once. Answers how many there were. */
  cut(): number;
  /** Lets this many bytes of answers pass, and resets the connection in the midst of which they end. */
  cutAnswerAfter(bytes: number): void;
  /** Takes connections and bytes, and passes none on until `release`. */
  hold(): void;
  /** Passes on what was held, and forgets a cut that has not come about. */
  release(): void;
  close(): void;
}

interface Pair {
  readonly caller: Socket;
  readonly callee: Socket;
}

export async function openArrow(port: number): Promise<Arrow> {
  const pairs = new Set<Pair>();
  let aim = port;
  let isHeld = false;
  let answerBytesLeft: number | undefined;

  const reset = (pair: Pair) => {
    pairs.delete(pair);
    pair.caller.resetAndDestroy();
    pair.callee.resetAndDestroy();
  };
  const passAnswer = (pair: Pair, chunk: Buffer) => {
    if (answerBytesLeft === undefined || chunk.length <= answerBytesLeft) {
      if (answerBytesLeft !== undefined) answerBytesLeft -= chunk.length;
      pair.caller.write(chunk);
      return;
    }
    const head = chunk.subarray(0, answerBytesLeft);
    answerBytesLeft = undefined;
    // Written out before the reset, which would throw away what still waits.
    if (head.length === 0) reset(pair);
    else pair.caller.write(head, () => reset(pair));
  };
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const pair = { caller, callee: connect({ host: LOOPBACK, port: aim, allowHalfOpen: true }) };
    pairs.add(pair);
    join(pair, (chunk) => passAnswer(pair, chunk), reset);
    if (isHeld) pause(pair);
  });
  const ownPort = await listen(server);
  return {
    address: `http://${LOOPBACK}:${ownPort}`,
    aim(next) {
      aim = next;
    },
    cut() {
      const { size } = pairs;
      for (const pair of pairs) reset(pair);
      return size;
    },
    cutAnswerAfter(bytes) {
      answerBytesLeft = bytes;
    },
    hold() {
      isHeld = true;
      for (const pair of pairs) pause(pair);
    },
    release() {
      isHeld = false;
      answerBytesLeft = undefined;
      for (const { caller, callee } of pairs) {
        caller.resume();
        callee.resume();
      }
    },
    close() {
      for (const pair of pairs) reset(pair);
      server.close();
    },
  };
}

/** Bytes both ways, an end for an end, a reset for every fault. */
function join(pair: Pair, onAnswer: (chunk: Buffer) => void, reset: (pair: Pair) => void): void {
  const { caller, callee } = pair;
  caller.setNoDelay(true);
  callee.setNoDelay(true);
  caller.on('data', (chunk) => callee.write(chunk));
  callee.on('data', onAnswer);
  caller.on('end', () => callee.end());
  callee.on('end', () => caller.end());
  for (const socket of [caller, callee]) {
    socket.on('error', () => reset(pair));
    socket.on('close', () => reset(pair));
  }
}

/** What comes is left in the system's buffers: whoever sends sees a connection that answers nothing. */
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
