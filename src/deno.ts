import { handle } from './app.ts';
import { denoAssets } from './runtime/adapters/assets-deno.ts';
import { memoryLimiter } from './runtime/adapters/limiter-memory.ts';
import { chooseMessages } from './runtime/adapters/message/choose-messages.ts';
import { chooseRouting } from './runtime/adapters/routing/choose-routing.ts';
import { monotonicMs, reportAsset, reportDatabase, SystemClock, systemRandom } from './runtime/adapters/system.ts';
import { denoResolver } from './runtime/adapters/webhook/deno-resolver.ts';
import { denoTransport } from './runtime/adapters/webhook/deno-transport.ts';
import { parseConfig } from './runtime/config.ts';
import { startProcess } from './runtime/coordination/local/process.ts';

/** The part of Deno that this entry uses. */
declare const Deno: {
  readonly env: { toObject(): Record<string, string> };
  serve(
    options: { hostname: string; port: number; onListen?: (address: { port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): { readonly finished: Promise<void>; shutdown(): Promise<void> };
  addSignalListener(signal: 'SIGINT' | 'SIGTERM', listener: () => void): void;
};

/** The service on Deno. `PORT` and `HOST` say where it listens. */
const variables = Deno.env.toObject();
const config = parseConfig(variables);
const clock = new SystemClock();
const { services, stop } = startProcess(config, {
  clock,
  random: systemRandom,
  limiter: memoryLimiter(clock, config.rateLimits),
  monotonicMs,
  routing: chooseRouting(config, { fetch: (address, init) => fetch(address, init), monotonicMs }),
  resolver: denoResolver,
  webhookTransport: denoTransport,
  // Where scripts/pages.ts puts them.
  readAsset: denoAssets(new URL('../dist/assets/', import.meta.url), reportAsset),
  messagesOf: (directory) => chooseMessages(config, directory, { clock, random: systemRandom }),
  report: reportDatabase,
  fetch: (address, init) => fetch(address, init),
});

const server = Deno.serve(
  {
    hostname: variables['HOST'] ?? '127.0.0.1',
    port: Number(variables['PORT'] ?? 8787),
    onListen: ({ port }) => console.log(JSON.stringify({ level: 'info', listening: port })),
  },
  (request) => handle(request, services),
);
// Takes no more requests and answers those it has: a new version must not cost a caller his answer.
for (const signal of ['SIGINT', 'SIGTERM'] as const) Deno.addSignalListener(signal, () => void server.shutdown());
await server.finished;
stop();
