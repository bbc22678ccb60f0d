import { pause } from '../../src/core/timer.ts';
import { keepServing } from '../../src/platform/deno/serve.ts';

/*
 * Run by deno-serve.test.ts on Deno: a server that answers after the seconds in the path, or for `/signal` half a second after
 * SIGTERM. `/running` answers at once how many others it has not answered yet.
 */

declare const Deno: {
  readonly args: readonly string[];
  serve(
    options: { hostname: string; port: number; onListen: (address: { readonly port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): { readonly finished: Promise<void>; shutdown(): Promise<void> };
  addSignalListener(signal: 'SIGTERM', listener: () => void): void;
};

let running = 0;
const signalled = Promise.withResolvers<void>();
const server = keepServing({ hostname: '127.0.0.1', port: Number(Deno.args[0] ?? 0) }, (listening) =>
  Deno.serve(listening, async (request) => {
    const path = new URL(request.url).pathname.slice(1);
    if (path === 'running') return new Response(String(running));
    running += 1;
    if (path === 'signal') await signalled.promise;
    await pause(path === 'signal' ? 500 : Number(path) * 1000);
    running -= 1;
    return new Response('ok');
  }),
);
Deno.addSignalListener('SIGTERM', () => {
  signalled.resolve();
  void server.shutdown();
});
await server.finished;
