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
  return exchange(address, [bytes], quietMs);
}

/** The same for a request, and for what is sent once its answer has begun. */
export function sendAround(address: string, request: string, later: string): Promise<RawAnswer> {
  return exchange(address, [request, later], 1000);
}

function exchange(address: string, [bytes, later]: readonly [string, string?], quietMs: number): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  let text = '';
  socket.setEncoding('latin1');
  socket.setTimeout(quietMs, () => socket.destroy());
  socket.once('data', () => {
    if (later !== undefined) socket.write(Buffer.from(later, 'latin1'));
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
  socket.write(Buffer.from(bytes, 'latin1'));
  return promise;
}
