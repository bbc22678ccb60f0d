import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { until } from '../../scripts/shared/until.ts';
import { CLIENT_STACKS } from '../../src/pages/guides/client-stacks.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

/* The service on Deno behind nginx, with the configuration that the project ships. It needs nginx on this machine. */

const H2C = CLIENT_STACKS.find(({ name }) => name.startsWith('Java HttpClient'))?.headers ?? [];

describe.skipIf(!hasNginx())('the service behind the shipped nginx.conf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-nginx-'));
  let environment: OwnEnvironment;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let address = '';
  beforeAll(async () => {
    environment = await startEnvironment('deno', { PROXIES: '1', RATE_LIMITS: '{"failures":3}' });
    const { port } = new URL(environment.address);
    nginx = await startNginx(folder, [Number(port), await freePort()], (site) =>
      site.replaceAll(/^#(?=set_real_ip|real_ip)/gm, '').replace('10.0.0.0/8', LOOPBACK),
    );
    address = nginx.address;
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

  it('counts the client of another balancer, and nobody who invents one', async () => {
    // Another balancer, here this test, appends the client's address. What stands before came from the client.
    const wrong = async (forwardedFor: string) => {
      const response = await fetch(`${address}/oauth/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from('nobody:x').toString('base64')}`,
          'x-forwarded-for': forwardedFor,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      return response.status;
    };
    // frankbria/auto-author#602 and sockudo/sockudo#410: a chain that the client begins.
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push(await wrong(`203.0.113.${time}, 198.51.100.7`));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await wrong('198.51.100.8')).toBe(401);
  });

  it('answers 413 and 503 of its own as problems', async () => {
    const large = await fetch(`${address}/v2/external/shipments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(9 * 1024 * 1024),
    });
    expect(await problemOf(large)).toEqual([413, 413, 'PAYLOAD_TOO_LARGE', null]);
    // The next version of the service, which does not run.
    writeFileSync(join(folder, 'b'), '');
    const absent = await fetch(`${address}/health`);
    rmSync(join(folder, 'b'));
    expect(await problemOf(absent)).toEqual([503, 503, 'SERVICE_UNAVAILABLE', '2']);
    expect((await fetch(`${address}/health`)).status).toBe(200);
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

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  for (const name of ['requestId', 'correlationId']) expect(String(problem[name])).toMatch(UUID);
  expect(Date.parse(String(problem['timestamp']))).toBeGreaterThan(Date.now() - 60_000);
  expect(response.headers.get('x-request-id')).toBe(problem['requestId']);
  return [response.status, problem['status'], problem['code'], response.headers.get('retry-after')];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
