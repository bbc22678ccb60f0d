import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { replaceDatabaseUrls } from './database-addresses.ts';
import { listenLocally } from './ports.ts';

/*
 * A proxy that reads, delays or changes whole requests and answers. The chaos run cuts and holds connections in the
 * middle of an answer with `tcp-proxy.ts` instead.
 */
export interface HttpProxy {
  readonly url: string;
  close(): void;
}

/** An answer on its way back. A hook may change it. */
export interface PassingAnswer {
  status: number;
  /** Names and values in turn, in the order received. */
  headers: string[];
  body: string;
}

export interface ProxyHooks {
  /** Gets each request's body. The request continues when it resolves. */
  readonly before?: (body: string) => Promise<void> | void;
  /** Gets each answer and the path of its request, before the client gets the answer. */
  readonly after?: (answer: PassingAnswer, path: string) => void;
}

/** `target` may say anew for each request where it goes. */
export async function startHttpProxy(target: string | (() => string), hooks: ProxyHooks): Promise<HttpProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const to = typeof target === 'string' ? target : target();
    pass(incoming, outgoing, { target: to, agent, ...hooks }).catch((error: unknown) =>
      outgoing.destroy(error as Error),
    );
  });
  return {
    url: await listenLocally(server),
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/**
 * Puts a proxy in front of each database of a service, and returns the service's variables with the proxies' addresses.
 */
export async function proxyDatabases(
  variables: Readonly<Record<string, string>>,
  hooksOf: (id: string) => ProxyHooks,
): Promise<{ readonly variables: Readonly<Record<string, string>>; close(): void }> {
  const proxies: HttpProxy[] = [];
  const replaced = await replaceDatabaseUrls(variables, async (id, url) => {
    const proxy = await startHttpProxy(url, hooksOf(id));
    proxies.push(proxy);
    return proxy.url;
  });
  return {
    variables: replaced,
    close() {
      for (const proxy of proxies) proxy.close();
    },
  };
}

interface Passage extends ProxyHooks {
  readonly target: string;
  readonly agent: Agent;
}

/** Node sets these by itself, or they would be wrong for a body that was changed. */
const OF_CONNECTION = /^(?:content-length|transfer-encoding|connection)$/i;
/** The proxy reads answers, so they must not be compressed. */
const IDENTITY = ['accept-encoding', 'identity'];

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, agent, before, after }: Passage,
): Promise<void> {
  const { url: path = '/', method = 'GET', rawHeaders } = incoming;
  const body = await buffer(incoming);
  await before?.(body.toString());
  const headers = [...without(rawHeaders, /^accept-encoding$/i), ...IDENTITY];
  // The raw path, because a URL would read two slashes at its start as a host.
  const { hostname, port } = new URL(target);
  const onward = request({ hostname, port, path, method, headers, agent });
  // `once` below only handles errors before the answer's head.
  onward.on('error', (error) => outgoing.destroy(error));
  onward.end(body);
  const [answered] = (await once(onward, 'response')) as [IncomingMessage];
  const answer = {
    status: answered.statusCode ?? 502,
    headers: without(answered.rawHeaders, OF_CONNECTION),
    body: (await buffer(answered)).toString(),
  };
  after?.(answer, path);
  outgoing.writeHead(answer.status, answer.headers).end(answer.body);
}

function without(headers: readonly string[], names: RegExp): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !names.test(name) ? [name, headers[index + 1] ?? ''] : [],
  );
}
