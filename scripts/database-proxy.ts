import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from './ports.ts';

/** Stands between a service and its database. */
export interface DatabaseProxy {
  readonly url: string;
  close(): void;
}

/** `before` is given each request's body, and the request goes on when it resolves. */
export async function startDatabaseProxy(
  databaseUrl: string,
  before: (body: string) => Promise<void> | void,
): Promise<DatabaseProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, { databaseUrl, agent, before }).catch((error: unknown) =>
      outgoing.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

interface Passage {
  readonly databaseUrl: string;
  readonly agent: Agent;
  readonly before: (body: string) => Promise<void> | void;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { databaseUrl, agent, before }: Passage,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  await before(body.toString());
  const headers = { ...incoming.headers, 'content-length': String(body.length) };
  const onward = request(new URL(incoming.url ?? '/', databaseUrl), { method: incoming.method, headers, agent });
  onward.once('error', (error) => outgoing.destroy(error));
  onward.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.end(body);
}
