import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildGroup, startChild } from '../../scripts/shared/child-group.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { until } from '../../scripts/shared/until.ts';
import { CLIENT_STACKS } from '../../src/pages/guides/client-stacks.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

/* The service on Deno behind nginx, with the configuration that the project ships. It needs nginx on this machine. */

const H2C = CLIENT_STACKS.find(({ name }) => name.startsWith('Java HttpClient'))?.headers ?? [];
const SHIPPED = readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'nginx.conf'), 'utf8');

describe.skipIf(!hasNginx())('the service behind the shipped nginx.conf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-nginx-'));
  let environment: OwnEnvironment;
  let nginx: ChildGroup;
  let address = '';
  beforeAll(async () => {
    environment = await startEnvironment('deno', { PROXIES: '1' });
    const port = await freePort();
    address = `http://${LOOPBACK}:${port}`;
    const site = SHIPPED.replace('127.0.0.1:8787', new URL(environment.address).host).replace(
      'listen 8080;',
      `listen ${LOOPBACK}:${port};`,
    );
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
    const main = `daemon off; pid ${folder}/pid; events {} http { ${paths.join(' ')} ${site} }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    nginx = startChild({
      command: 'nginx',
      args: ['-e', 'stderr', '-c', join(folder, 'nginx.conf')],
      cwd: folder,
      env: process.env,
    });
    await until('nginx answers', () =>
      fetch(`${address}/health`).then(
        ({ status }) => status === 200 || undefined,
        () => undefined,
      ),
    );
  });
  afterAll(async () => {
    await nginx.stop();
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['/health', '/ready'])('answers %s to a probe without a Host', async (path) => {
    expect((await sendRaw(address, rawRequest(`GET ${path} HTTP/1.0`, []))).statuses).toEqual([200]);
  });

  it("answers the token request of Java's client, which offers h2c", async () => {
    const { clientId, clientSecret } = environment.companies[0];
    const body = 'grant_type=client_credentials';
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const headers = ['Host: a', ...H2C, `Authorization: Basic ${basic}`, type, `Content-Length: ${body.length}`];
    const request = rawRequest('POST /oauth/token HTTP/1.1', headers, body);
    expect((await sendRaw(address, request)).statuses).toEqual([200]);
    // Without nginx Deno refuses it. When it does not any more, docs/client.md need not say so.
    expect((await sendRaw(environment.address, request)).statuses).toEqual([400]);
  });
});

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
