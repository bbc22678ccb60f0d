import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

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
  return sendParts(address, [bytes], quietMs);
}

/** Between parts: long enough that a server has read the one before the next arrives. */
const PART_PAUSE_MS = 50;

/** The same for bytes that arrive one part after the other. */
export function sendParts(address: string, parts: readonly string[], quietMs = 1000): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  let text = '';
  socket.setEncoding('latin1');
  socket.setTimeout(quietMs, () => socket.destroy());
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
  void writeParts(socket, parts);
  return promise;
}

async function writeParts(socket: Socket, parts: readonly string[]): Promise<void> {
  for (const [index, part] of parts.entries()) {
    if (index > 0) await delay(PART_PAUSE_MS);
    if (!socket.destroyed) socket.write(Buffer.from(part, 'latin1'));
  }
}
