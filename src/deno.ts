import { handle } from './app.ts';
import { loadParts } from './core/part.ts';
import { dropBody } from './http/body.ts';
import { logShipments } from './http/health.ts';
import { denoAssets } from './platform/deno/assets.ts';
import { clientAddresses } from './platform/deno/client-address.ts';
import { denoDocuments } from './platform/deno/folder-documents.ts';
import { denoMessages } from './platform/deno/folder-messages.ts';
import { startProcess } from './platform/deno/process.ts';
import { prometheusMetrics } from './platform/deno/prometheus.ts';
import { denoFile } from './platform/deno/ranged-file.ts';
import { keepServing, type Listening, portOf } from './platform/deno/serve.ts';
import { type SignalRuntime, stopOnSignals } from './platform/deno/stop.ts';
import { traceOnDeno } from './platform/deno/tracer.ts';
import { denoResolver, denoTransport } from './platform/deno/webhook-transport.ts';
import { chooseAddresses } from './providers/addresses/choose-addresses.ts';
import { callNumbersFor } from './providers/call-numbers.ts';
import { memoryLimiter } from './providers/memory-limiter.ts';
import { ProviderReports } from './providers/provider-reports.ts';
import { chooseMaps } from './providers/routing/maps.ts';
import { monotonicMs, reportAsset, reportDatabase, SystemClock, systemRandom } from './providers/system.ts';
import { parseConfig } from './service/config.ts';
import { checkStart } from './service/start-check.ts';

/** The part of Deno that this entry uses. */
declare const Deno: SignalRuntime & {
  readonly env: { toObject(): Record<string, string> };
  serve(
    options: Listening & { automaticCompression: boolean },
    handler: (request: Request, info: { readonly remoteAddr: { readonly hostname: string } }) => Promise<Response>,
  ): { readonly finished: Promise<void>; shutdown(): Promise<void> };
};

/** The service on Deno. It listens on `HOST` and `PORT`. */
const variables = Deno.env.toObject();
const config = parseConfig(variables, 'deno', systemRandom.uuid());
const port = portOf(variables['PORT']);
const addressOf = clientAddresses(config.proxies);
traceOnDeno(variables);
const clock = new SystemClock();
const metrics = prometheusMetrics();
const provider = {
  fetch: (address: string, init: RequestInit) => fetch(address, init),
  monotonicMs,
  metrics,
  providerReports: new ProviderReports(monotonicMs),
};
const { services, closeSockets, stop } = startProcess(config, {
  clock,
  random: systemRandom,
  limiter: memoryLimiter(monotonicMs, config.rateLimits),
  ...provider,
  callNumbers: callNumbersFor(config.recipientNumbers),
  documents: denoDocuments(config, { ...provider, clock }),
  ...chooseMaps(config, { ...provider, openFile: denoFile }),
  addresses: chooseAddresses(config, provider),
  // Where scripts/build/pages.ts puts them.
  ...denoAssets(new URL('../dist/assets/', import.meta.url), reportAsset),
  resolver: denoResolver,
  webhookTransport: denoTransport,
  messagesOf: (directory) => denoMessages(config, directory, { clock, random: systemRandom, ...provider }),
  report: reportDatabase,
  exposition: metrics.text,
});

await loadParts();
await checkStart(services, provider.fetch);
const server = keepServing({ hostname: variables['HOST'] || '127.0.0.1', port }, (listening) =>
  // Deno then compresses what is not `no-transform`, and makes its entity tag weak, as Cloudflare does.
  Deno.serve({ ...listening, automaticCompression: true }, async (request, { remoteAddr }) => {
    const address = addressOf(request, remoteAddr.hostname);
    const response = await handle(request, services, { address, later: (work) => void work.catch(() => undefined) });
    dropBody(request);
    return response;
  }),
);
void logShipments(services);
stopOnSignals(Deno, { closeSockets, shutDown: () => server.shutdown(), stop });
await server.finished;
await stop();
