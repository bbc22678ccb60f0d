import { connect } from 'node:net';

/** Everything received on one connection. */
export interface RawAnswer {
  readonly text: string;
  /** The statuses of all responses on it, in order. */
  readonly statuses: readonly number[];
}

/** A request line, headers, and the bytes that follow them. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return `${[line, ...headers, '', ''].join('\r\n')}${body}`;
}

/** Sends these bytes (Latin-1) on a new connection, and reads until it closes or stays quiet. */
export function sendRaw(address: string, bytes: string, quietMs = 1000): Promise<RawAnswer> {
  return exchange(address, bytes, { quietMs });
}

/** Sends a request, and more bytes once its response has begun; the last response must close the connection. */
export function sendAround(address: string, request: string, later: string): Promise<RawAnswer> {
  return exchange(address, request, { quietMs: LAST_QUIET_MS, onAnswer: later });
}

/** Sends the beginning of a request, and the rest when it resolves. */
export function sendInParts(address: string, begin: string, rest: Promise<string>): Promise<RawAnswer> {
  return exchange(address, begin, { quietMs: LAST_QUIET_MS, rest });
}

/** Sends the beginning of a request, and the rest a character a second. */
export function sendDripping(address: string, begin: string, rest: string): Promise<RawAnswer> {
  return exchange(address, begin, { quietMs: LAST_QUIET_MS, drip: rest });
}

/** Sends these bytes on a new connection, and resets it after this time. */
export async function sendAndReset(address: string, bytes: string, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('connect', () => {
      socket.write(bytes);
      setTimeout(() => socket.resetAndDestroy(), afterMs);
    });
  });
}

/** The full time passes only if the connection stays open. */
const LAST_QUIET_MS = 15_000;

interface Exchange {
  readonly quietMs: number;
  readonly onAnswer?: string;
  readonly rest?: Promise<string>;
  readonly drip?: string;
}

function exchange(
  address: string,
  bytes: string,
  { quietMs, onAnswer, rest, drip = '' }: Exchange,
): Promise<RawAnswer> {
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
  // A reset also counts as an answer.
  socket.on('error', () => socket.destroy());
  const dripping = [...drip].map((character, at) => setTimeout(() => send(character), (at + 1) * 1000));
  socket.on('close', () => {
    dripping.forEach(clearTimeout);
    // Not anchored to a line start: the second response follows the first body directly.
    const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
    resolve({ text, statuses });
  });
  send(bytes);
  rest?.then(send, () => socket.destroy());
  return promise;
}
