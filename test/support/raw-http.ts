import { connect } from 'node:net';

/** What came back on one connection. */
export interface RawAnswer {
  readonly text: string;
  /** Of every answer on it, in their order. */
  readonly statuses: readonly number[];
}

/** A request's first line, its header lines, and what is sent behind them, byte by byte. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return `${[line, ...headers, '', ''].join('\r\n')}${body}`;
}

/** Sends these bytes (Latin-1) on a connection of their own, and reads until it is closed or nothing more comes. */
export function sendRaw(address: string, bytes: string, quietMs = 1000): Promise<RawAnswer> {
  return exchange(address, bytes, { quietMs });
}

/** The same for a request, and for what is sent once its answer has begun; the last answer is to end the connection. */
export function sendAround(address: string, request: string, later: string): Promise<RawAnswer> {
  return exchange(address, request, { quietMs: LAST_QUIET_MS, onAnswer: later });
}

/** The same for what begins a request, and for the rest of it, which comes when it comes. */
export function sendInParts(address: string, begin: string, rest: Promise<string>): Promise<RawAnswer> {
  return exchange(address, begin, { quietMs: LAST_QUIET_MS, rest });
}

/** Nobody waits for it where the connection ends by itself. */
const LAST_QUIET_MS = 15_000;

interface Exchange {
  readonly quietMs: number;
  readonly onAnswer?: string;
  readonly rest?: Promise<string>;
}

function exchange(address: string, bytes: string, { quietMs, onAnswer, rest }: Exchange): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  let text = '';
  const send = (part: string) => void socket.write(Buffer.from(part, 'latin1'));
  socket.setEncoding('latin1');
  socket.setTimeout(quietMs, () => socket.destroy());
  socket.once('data', () => {
    if (onAnswer !== undefined) send(onAnswer);
  });
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  // A reset is an answer too.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    // Not at the beginning of a line: the second answer stands right behind the body of the first.
    const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
    resolve({ text, statuses });
  });
  send(bytes);
  rest?.then(send, () => socket.destroy());
  return promise;
}
