import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readdress } from './database-addresses.ts';
import { LOOPBACK } from './ports.ts';

/** Stands between a service and its database. */
export interface DatabaseProxy {
  readonly url: string;
  close(): void;
}

export interface Listener {
  /** Is given each request's body; the request goes on when it resolves. */
  readonly before?: (body: string) => Promise<void> | void;
  /** Is given the body of each answer of 200, and the path that was asked for, before the service gets it. */
  readonly after?: (answer: string, path: string) => void;
}

export async function startDatabaseProxy(databaseUrl: string, listener: Listener): Promise<DatabaseProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, { databaseUrl, agent, ...listener }).catch((error: unknown) =>
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

/** Stands before all databases that a service's variables name: the same variables with other addresses in them. */
export async function proxyDatabases(
  variables: Readonly<Record<string, string>>,
  listenerOf: (id: string) => Listener,
): Promise<{ readonly variables: Readonly<Record<string, string>>; close(): void }> {
  const proxies: DatabaseProxy[] = [];
  const readdressed = await readdress(variables, async (id, url) => {
    const proxy = await startDatabaseProxy(url, listenerOf(id));
    proxies.push(proxy);
    return proxy.url;
  });
  return {
    variables: readdressed,
    close() {
      for (const proxy of proxies) proxy.close();
    },
  };
}

interface Passage extends Listener {
  readonly databaseUrl: string;
  readonly agent: Agent;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { databaseUrl, agent, before, after }: Passage,
): Promise<void> {
  const { url: path = '/', method } = incoming;
  const body = await buffer(incoming);
  await before?.(body.toString());
  // Answers are read here: nothing is compressed.
  const headers = { ...incoming.headers, 'accept-encoding': 'identity', 'content-length': String(body.length) };
  const onward = request(new URL(path, databaseUrl), { method, headers, agent });
  // `once` below hears none that comes after the answer's head.
  onward.on('error', (error) => outgoing.destroy(error));
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const answered = await buffer(answer);
  if (answer.statusCode === 200) after?.(answered.toString(), path);
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
}
