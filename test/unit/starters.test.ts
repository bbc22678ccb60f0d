import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { STARTERS } from '../../src/pages/guides/clients.ts';
import { hasLanguage, STARTER_HARNESSES } from '../support/starter-harnesses.ts';
import { webhookCasesAt } from '../support/webhook-cases.ts';

/* The programs of docs/clients against a server that loses an answer, is busy, and ends a token. */

const CLIENTS = join(import.meta.dirname, '..', '..', 'docs', 'clients');

interface Seen {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

let folder = '';
let seen: Seen[] = [];
let server: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-starter-'));
  seen = [];
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true, force: true });
});

test.for(STARTER_HARNESSES)(
  'the program in $language repeats safely, keeps every digit and verifies webhooks',
  { timeout: 120_000 },
  async (harness, { skip }) => {
    const { language } = harness;
    skip(!hasLanguage(harness), `${language} is not installed`);
    const file = STARTERS.find((starter) => starter.language === language)?.file ?? '';
    const cases = await webhookCasesAt(Date.now());
    copyFileSync(join(CLIENTS, file), join(folder, file));
    writeFileSync(join(folder, harness.file), harness.code);
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    const { output, errors, exitCode } = await run(harness.command);
    expect({ exitCode, errors, lines: output.trim().split('\n') }).toEqual({
      exitCode: 0,
      errors: '',
      lines: [
        ...cases.map(({ name, isGood }) => `${name} ${isGood ? 'good' : 'bad'}`),
        'created 1234567890123456.789 سارة',
        'refused 503 SERVICE_UNAVAILABLE the-request',
        'renewed True',
        'no floats',
      ],
    });
    const creations = seen.filter(({ path }) => path === '/v2/external/shipments');
    expect(creations.map(({ key }) => key)).toEqual(Array(3).fill('key-of-this-order'));
    expect(new Set(creations.map(({ body }) => body)).size).toBe(1);
    expect(seen.filter(({ path }) => path === '/unsafe')).toHaveLength(1);
    // One token for everything until the server refused it.
    expect(seen.filter(({ path }) => path === '/oauth/token')).toHaveLength(2);
  },
);

test('Python is here, so at least one of the programs always runs', () => {
  expect(STARTER_HARNESSES.filter(hasLanguage).map(({ language }) => language)).toContain('Python');
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const path = request.url ?? '';
  const body = Buffer.concat(chunks).toString();
  const key = request.headers['idempotency-key'];
  const times = seen.filter((one) => one.path === path).length;
  seen.push({ path, key: Array.isArray(key) ? key.join() : key, body });
  response.setHeader('content-type', 'application/json');
  // Some clients keep the connection and repeat on their own if it closes under them.
  response.setHeader('connection', 'close');
  if (path === '/oauth/token') response.end(`{"access_token":"token-${times}","expires_in":3600}`);
  else if (path === '/renewed') renew(request, response);
  else if (path === '/unsafe') refuse(response);
  else if (times === 0) request.socket.destroy();
  else if (times === 1) refuse(response.setHeader('retry-after', '1'));
  else response.writeHead(201).end(body);
}

function renew({ headers }: IncomingMessage, response: ServerResponse): void {
  const isNew = headers.authorization === 'Bearer token-1';
  response.writeHead(isNew ? 200 : 401).end(isNew ? '{"ok":true}' : '{"code":"AUTHENTICATION_REQUIRED"}');
}

function refuse(response: ServerResponse): void {
  response.setHeader('x-request-id', 'the-request').writeHead(503).end('{"code":"SERVICE_UNAVAILABLE"}');
}

function run([program, ...args]: readonly [string, ...string[]]): Promise<{
  output: string;
  errors: string;
  exitCode: number | null;
}> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const env = {
    ...process.env,
    MIRSAL_URL: `http://127.0.0.1:${port}`,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
  };
  const { promise, resolve, reject } = Promise.withResolvers<{
    output: string;
    errors: string;
    exitCode: number | null;
  }>();
  const child = spawn(program, args, { cwd: folder, env, timeout: 100_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  child.on('error', reject);
  child.on('close', (exitCode) => resolve({ output: texts[0]?.() ?? '', errors: texts[1]?.() ?? '', exitCode }));
  return promise;
}
