import { denoTransport } from '../../src/platform/deno/webhook-transport.ts';

/* Run by deno-transport.test.ts on Deno: sends the request in its first argument and prints the result, without bytes. */

declare const Deno: { readonly args: readonly string[] };

const { url, ...request } = JSON.parse(Deno.args[0] ?? '{}') as { url: string } & Omit<
  Parameters<typeof denoTransport.post>[0],
  'url'
>;
const answer = await denoTransport.post({ ...request, url: new URL(url) });
const { status, headers, body } = answer.ok ? answer : { status: undefined, headers: undefined, body: undefined };
const shown = { ok: true, status, retryAfter: headers?.get('retry-after'), length: body?.bytes.length, ...body };
console.log(JSON.stringify(answer.ok ? { ...shown, bytes: undefined } : answer));
