import { keepServing } from '../../src/platform/deno/serve.ts';

/* Run by deno-serve.test.ts on Deno: a server that answers at once, or after the seconds in the path. */

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { readonly port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): { readonly finished: Promise<void>; shutdown(): Promise<void> };
  addSignalListener(signal: 'SIGTERM', listener: () => void): void;
};

const server = keepServing(0, (listening) =>
  Deno.serve({ hostname: '127.0.0.1', ...listening }, async (request) => {
    const seconds = Number(new URL(request.url).pathname.slice(1));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return new Response('ok');
  }),
);
Deno.addSignalListener('SIGTERM', () => void server.shutdown());
await server.finished;
