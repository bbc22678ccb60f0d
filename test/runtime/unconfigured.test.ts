import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Miniflare } from 'miniflare';
import { afterAll, expect, test } from 'vitest';
import { serviceBundle } from '../../scripts/shared/bundle.ts';
import { modulesOf, readWorkerConfig } from '../../scripts/shared/workerd.ts';

/* The Worker without any variable, as plain `wrangler dev` starts it and as a deployment is before its secrets are set. */

const { compatibility } = await readWorkerConfig();
const modules = modulesOf(await serviceBundle()).map((path) => [
  basename(path),
  { type: 'esm' as const, contents: readFileSync(path, 'utf8') },
]);
const lines: string[] = [];
const workerWith = (variables: Readonly<Record<string, string>>) => {
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, { type: 'text' as const, value }]),
  );
  const manifest = { mainModule: 'worker.js', modules: Object.fromEntries(modules) };
  const config = {
    name: 'unconfigured',
    compatibilityDate: compatibility.date,
    compatibilityFlags: [...compatibility.flags],
  };
  const worker = new Miniflare({
    handleStructuredLogs: ({ message }) => void lines.push(message),
    workers: [{ config: { ...config, env, manifest } }],
  });
  afterAll(() => worker.dispose());
  return worker;
};
const worker = workerWith({});
const half = workerWith({ DEPLOYMENT: 'sandbox', BASE_URL: 'https://sandbox.example' });

test.each(['/health', '/ready', '/console', '/v2/external/shipments'])('%s says what to run', async (path) => {
  const response = await worker.dispatchFetch(`http://worker.example${path}`);
  expect(response.status).toBe(503);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'This Worker is not configured',
    status: 503,
    detail:
      'To run the service on this machine, use `npm run dev`, or start `npm run dev -- --databases` first. For a deployment, see docs/deploy.md.',
    instance: path,
    code: 'SERVICE_UNAVAILABLE',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    correlationId: expect.any(String),
    requestId: expect.any(String),
  });
});

test.each(['/health', '/ready', '/v2/external/shipments'])(
  '%s of a Worker with half of its variables says so, and its log names the others',
  async (path) => {
    const response = await half.dispatchFetch(`http://worker.example${path}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await response.json()).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      title: 'This Worker is not configured',
      detail: 'Variables of this Worker are missing or not valid. Its log names them. See docs/deploy.md.',
    });
    await expect.poll(() => lines.at(-1)).toContain('WEBHOOK_KEYS: is missing; LOCATION_HINT: is missing');
  },
);
