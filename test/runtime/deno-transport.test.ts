import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

async function post(url: string, isTrusted = true): Promise<unknown> {
  const request = {
    url,
    addresses: ['127.0.0.1'],
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
