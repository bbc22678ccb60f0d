import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts';

/** The transport on Deno that connects to a verified address. No resolver knows the host name. */

const ROOT = resolve(import.meta.dirname, '..', '..');
const NAME = 'hooks.shop.example';
const folder = mkdtempSync(join(tmpdir(), 'mirsal-tls-'));
const seen: { host: string | undefined; url: string | undefined; body: string }[] = [];
const servers: Server[] = [];
let ports = { tls: 0, plain: 0 };

beforeAll(async () => {
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE);
  const take: Parameters<typeof createPlainServer>[1] = (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      seen.push({ host: request.headers.host, url: request.url, body });
      response.writeHead(429, { 'retry-after': '9' }).write('x'.repeat(request.url === '/endless' ? 100 : 100_000));
    });
  };
  const started = [createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, take), createPlainServer({}, take)];
  for (const server of started) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  servers.push(...started);
  const [tls = 0, plain = 0] = started.map((server) => (server.address() as AddressInfo).port);
  ports = { tls, plain };
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function post(url: string, isTrusted = true, addresses = ['127.0.0.1']): Promise<unknown> {
  const request = {
    url,
    addresses,
    headers: { 'webhook-id': 'msg_1' },
    body: '{"name":"متجر"}',
    timeoutMs: 100_000,
  };
  const probe = join(import.meta.dirname, 'deno-transport-probe.ts');
  const { stdout } = await promisify(execFile)(
    join(ROOT, 'node_modules', '.bin', 'deno'),
    ['run', '--allow-net', '--no-prompt', '--no-lock', probe, JSON.stringify(request)],
    {
      cwd: ROOT,
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', ...(isTrusted ? { DENO_CERT: join(folder, 'cert.pem') } : {}) },
    },
  );
  return JSON.parse(stdout);
}

describe('a request on Deno', () => {
  it('connects to the verified address, with the requested host name', async () => {
    expect(await post(`https://${NAME}:${ports.tls}/a?b=c`)).toEqual({
      ok: true,
      status: 429,
      retryAfter: '9',
      length: 4096,
      isWhole: false,
    });
    expect(seen.at(-1)).toEqual({ host: `${NAME}:${ports.tls}`, url: '/a?b=c', body: '{"name":"متجر"}' });
  });

  it('does not wait for the end of a body that never ends', async () => {
    const answer = { ok: true, status: 429, length: 100, isWhole: false };
    expect(await post(`http://${NAME}:${ports.plain}/endless`)).toMatchObject(answer);
  });

  it.each([
    // Nobody listens at the first two. Nothing ever answers from the last: it is reserved for documentation.
    ['addresses that refuse', ['127.0.0.2', '::1', '127.0.0.1']],
    ['an address that does not answer', ['192.0.2.1', '127.0.0.1']],
  ])('tries the other addresses of the name after %s', async (_what, addresses) => {
    const answer = { ok: true, status: 429, length: 100 };
    const before = seen.length;
    expect(await post(`http://${NAME}:${ports.plain}/endless`, true, addresses)).toMatchObject(answer);
    expect(seen).toHaveLength(before + 1);
  });

  it('fails when every address refuses, and connects to eight of them at most', async () => {
    const refusing = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`);
    const url = `http://${NAME}:${ports.plain}/`;
    const before = seen.length;
    expect(await post(url, true, refusing)).toEqual({ ok: false, error: 'CONNECT' });
    expect(await post(url, true, [...refusing, '127.0.0.1'])).toEqual({ ok: false, error: 'CONNECT' });
    expect(seen).toHaveLength(before);
  });

  it.each([
    ['long headers', `HTTP/1.1 503 Busy\r\nRetry-After: 9\r\nx: ${'y'.repeat(40_000)}\r\n\r\nok`, 0],
    ['bare line feeds after an empty line', '\nHTTP/1.1 503 Busy\nRetry-After: 9\ncontent-length: 2\n\nok', 2],
  ])('knows the status of an answer with %s', async (_what, text, length) => {
    const server = createTcpServer((socket) => void socket.on('error', () => undefined).end(text));
    onTestFinished(() => void server.close());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const answer = { ok: true, status: 503, retryAfter: '9', length, isWhole: length > 0 };
    expect(await post(`http://${NAME}:${port}/`)).toEqual(answer);
  });

  it.each([
    ['TLS', 'a certificate that nobody vouches for', () => `https://${NAME}:${ports.tls}/`, false],
    ['TLS', 'a certificate of another name', () => `https://other.shop.example:${ports.tls}/`, true],
    ['TLS', 'no TLS at all', () => `https://${NAME}:${ports.plain}/`, true],
    ['CONNECT', 'nobody there', () => `https://${NAME}:9/`, true],
  ])('fails with %s for %s, and sends nothing', async (error, _what, url, isTrusted) => {
    const before = seen.length;
    expect(await post(url(), isTrusted)).toEqual({ ok: false, error });
    expect(seen).toHaveLength(before);
  });
});
