import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer on its way back. */
export interface Passing {
  status: number;
  /** Flat: names and values. */
  headers: string[];
  body: string;
}

export interface AlteringProxy {
  readonly address: string;
  /** How many answers were altered. */
  altered(): number;
  stop(): Promise<void>;
}

/** Stands before a service, and alters the first answer that `alter` says it has altered; every other passes as it is. */
export async function startAlteringProxy(
  address: string,
  alter: (answer: Passing, method: string) => boolean,
): Promise<AlteringProxy> {
  let altered = 0;
  const service = new URL(address);
  // A connection may have been cut on purpose: nobody waits for its answer.
  const server = createServer((incoming, response) => void pass(incoming, response).catch(() => response.destroy()));
  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await forward(service, incoming);
    if (altered === 0 && alter(answer, incoming.method ?? '')) altered += 1;
    const headers = answer.headers.flatMap((name, index, all) =>
      index % 2 === 0 && !/^(?:content-length|transfer-encoding|connection)$/i.test(name)
        ? [name, all[index + 1] ?? '']
        : [],
    );
    response.writeHead(answer.status, headers).end(answer.body);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    altered: () => altered,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward({ hostname, port }: URL, incoming: IncomingMessage): Promise<Passing> {
  const body = await bytesOf(incoming);
  return new Promise((resolve, reject) => {
    const { method, url, rawHeaders } = incoming;
    const outgoing = request({ hostname, port, method, path: url, headers: rawHeaders }, (answer) => {
      bytesOf(answer).then(
        (bytes) =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: bytes.toString('utf8') }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
