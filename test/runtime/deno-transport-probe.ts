import { denoTransport } from '../../src/platform/deno/webhook-transport.ts';

/* Run by deno-transport.test.ts on Deno: sends the request in its first argument and prints the result. */

declare const Deno: { readonly args: readonly string[] };

const { url, ...request } = JSON.parse(Deno.args[0] ?? '{}') as { url: string } & Omit<
  Parameters<typeof denoTransport.post>[0],
  'url'
>;
console.log(JSON.stringify(await denoTransport.post({ ...request, url: new URL(url) })));
