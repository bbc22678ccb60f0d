import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that passes the proxy. */
export interface Passing {
  status: number;
  /** A flat list of names and values. */
  headers: string[];
  body: string;
}

export interface AlteringProxy {
  readonly address: string;
  /** How many answers were altered. */
  altered(): number;
  stop(): Promise<void>;
}

/** A proxy in front of the service. It changes the first answer for which `alter` returns true, and forwards the others unchanged. */
export async function startAlteringProxy(
  address: string,
  alter: (answer: Passing, method: string) => boolean,
): Promise<AlteringProxy> {
  let altered = 0;
  const service = new URL(address);
  // The fuzzer may have cut the connection on purpose.
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
