import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchTransport } from '../../../src/platform/cloudflare/webhook-transport.ts';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

async function post(listener: RequestListener, timeoutMs = 5000) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`);
  const transport = fetchTransport((address, init) => fetch(address, init));
  return transport.post({ url, addresses: [], headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs });
}

describe('a request over fetch', () => {
  it.each([204, 302, 410, 500])('returns the status %i', async (status) => {
    const answer = await post((_request, response) =>
      response.writeHead(status, { location: '/', 'retry-after': '7' }).end(),
    );
    expect(answer).toMatchObject({ ok: true, status, body: { bytes: new Uint8Array(), isWhole: true } });
    expect(answer.ok ? answer.headers.get('retry-after') : answer.error).toBe('7');
  });

  it.each<readonly [string, RequestListener, object]>([
    ['a short body', (_request, response) => void response.end('ok'), { text: 'ok', isWhole: true }],
    [
      '10 MB',
      (_request, response) => void response.end('x'.repeat(10_000_000)),
      { text: 'x'.repeat(4096), isWhole: false },
    ],
    [
      'a body that breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '9' }).write('ok', () => response.socket?.destroySoon());
      },
      { text: 'ok', isWhole: false },
    ],
    ['a body that never ends', (_request, response) => void response.write('ok'), { text: 'ok', isWhole: false }],
  ])('keeps the beginning of %s', async (_what, listener, expected) => {
    const answer = await post(listener, 60_000);
    if (!answer.ok) throw new Error(answer.error);
    const { bytes, isWhole } = answer.body;
    expect({ text: new TextDecoder().decode(bytes), isWhole }).toEqual(expected);
  });

  it('does not read an endless response', async () => {
    let sent = 0;
    const answer = await post((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => {
        sent += 4096;
        response.write('x'.repeat(4096));
      }, 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(sent).toBeLessThan(1_000_000);
  });

  it('has a timeout, and reports a broken connection', async () => {
    expect(await post(() => undefined, 100)).toEqual({ ok: false, error: 'TIMEOUT' });
    expect(await post((request) => request.socket.destroy())).toEqual({ ok: false, error: 'CONNECT' });
  });

  it.each<readonly [string, unknown]>([
    ['TLS', new TypeError('TLS peer’s certificate is not trusted')],
    ['TLS', new TypeError('invalid peer certificate: UnknownIssuer')],
    ['CONNECT', new Error('Network connection lost.')],
    ['TIMEOUT', new DOMException('The operation timed out.', 'TimeoutError')],
    ['CONNECT', 'a word'],
  ])('reports %s when the runtime throws %s', async (error, thrown) => {
    const transport = fetchTransport(async () => {
      throw thrown;
    });
    const request = {
      url: new URL('https://hooks.shop.example/'),
      addresses: [],
      headers: {},
      body: '{}',
      timeoutMs: 100,
    };
    expect(await transport.post(request)).toEqual({ ok: false, error });
  });
});
