import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenLocally } from '../../scripts/shared/ports.ts';
import { noMetrics } from '../../src/providers/absent.ts';
import { ProviderReports } from '../../src/providers/provider-reports.ts';

/** A request to a provider. */
export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ProviderServer {
  readonly url: string;
  readonly asked: ProviderRequest[];
  answer: (response: ServerResponse, asked: ProviderRequest) => void;
  stop(): Promise<void>;
}

/** A provider on this machine whose answers the test decides. */
export async function startProvider(): Promise<ProviderServer> {
  const asked: ProviderRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      asked.push(one);
      provider.answer(response, one);
    });
  });
  const provider: ProviderServer = {
    url: await listenLocally(server),
    asked,
    answer: (response) => response.end(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

/** Failures of a provider. The adapter must report each as a failure, and in time. */
export const BAD_ANSWERS: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['status 429', (response) => response.writeHead(429).end('{}')],
  ['status 500', (response) => response.writeHead(500).end('{}')],
  ['status 503', (response) => response.writeHead(503).end('{}')],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a connection that closes before the answer', (response) => response.socket?.destroy()],
  ['no answer', () => undefined],
];

export const platform = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  monotonicMs: () => performance.now(),
  metrics: noMetrics,
  providerReports: new ProviderReports(() => performance.now()),
};
/** The real limits, with a shorter timeout for tests that wait for it. */
export const SHORT = { timeoutMs: 150, failuresMax: 5, openMs: 5000 };
