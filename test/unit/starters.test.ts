import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMirsalRest, type MirsalRestError } from '../../src/client/rest.ts';
import { STARTERS } from '../../src/pages/guides/clients.ts';
import { callsOf, reactTo } from '../support/calls-with-strange-answers.ts';
import { CERTIFICATE } from '../support/certificate.ts';
import { FAULTS, type Fault, FaultyService, openProxy } from '../support/faulty-service.ts';
import { missingFor } from '../support/languages.ts';
import { missingForStarter, STARTER_HARNESSES, type StarterHarness } from '../support/starter-harnesses.ts';

/*
 * The programs of docs/clients and the REST client against a server that loses an answer, is busy, ends a token, or has a
 * proxy before it that answers in its place.
 */

const CLIENTS = join(import.meta.dirname, '..', '..', 'docs', 'clients');
/** The calls of one list wait for their next attempts at the same time as those of the others. */
const LISTS = 12;
const VECTORS = join(import.meta.dirname, '..', 'support', 'retry-after.json');

interface Seen {
  readonly language: string;
  readonly path: string;
  readonly client: string;
  readonly key: string | undefined;
  readonly body: string;
}

const calls = callsOf();
const seen: Seen[] = [];
let server: Server;
const folders: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.concurrent.for(STARTER_HARNESSES)('the program in $language', (harness) => {
  const { language } = harness;

  test('repeats safely and keeps every digit', { timeout: 120_000 }, async ({ skip }) => {
    const missing = missingForStarter(language);
    skip(missing !== undefined, missing);
    const folder = await folderOf(harness);
    const { output, errors, exitCode } = await run(harness, { folder });
    expect({ exitCode, errors, lines: output.trim().split('\n') }).toEqual({
      exitCode: 0,
      errors: '',
      lines: [
        'created 1234567890123456.789 سارة',
        'refused 503 SERVICE_UNAVAILABLE the-request',
        'renewed True',
        'no floats',
      ],
    });
    const ofPath = (path: string) => seen.filter((one) => one.language === language && one.path === path);
    const creations = ofPath('/v2/external/shipments');
    expect(creations.map(({ key }) => key)).toEqual(Array(3).fill('key-of-this-order'));
    expect(new Set(creations.map(({ body }) => body)).size).toBe(1);
    // An empty body is a map in every language, also where the language has only one type for lists and maps.
    expect(ofPath('/unsafe').map(({ body }) => body)).toEqual(['{}']);
    // One token for everything until the server refused it.
    expect(ofPath('/oauth/token').filter(({ client }) => client === 'id')).toHaveLength(2);
  });

  test('takes only an answer of the service for one', { timeout: 200_000 }, async ({ skip }) => {
    const missing = missingForStarter(language);
    skip(missing !== undefined, missing);
    const folder = await folderOf(harness);
    const lists = Array.from({ length: LISTS }, (_, list) => calls.filter((_call, index) => index % LISTS === list));
    const ends = await Promise.all(
      lists.map(async (list, index) => {
        writeFileSync(join(folder, `calls-${index}.json`), JSON.stringify(list));
        return run(harness, { folder, CALLS: `calls-${index}.json` });
      }),
    );
    expect(ends.map(({ errors, exitCode }) => ({ errors, exitCode }))).toEqual(
      ends.map(() => ({ errors: '', exitCode: 0 })),
    );
    const lines = ends.flatMap(({ output }) => output.trim().split('\n'));
    const expected = calls.map(({ name, end, retryAfter }) =>
      end === 'answer' || retryAfter === undefined ? `${name} ${end}` : `${name} ${end} ${retryAfter}`,
    );
    expect(lines.toSorted()).toEqual(expected.toSorted());
    // A call has four requests, one of which is for its token.
    expectAttempts(language, 3);
  });

  test('acts once whatever fails, with few requests and in time', { timeout: 200_000 }, async ({ skip }) => {
    const missing = missingForStarter(language);
    skip(missing !== undefined, missing);
    const folder = await folderOf(harness);
    const services = await Promise.all(
      FAULTS.map(async (fault) => {
        const service = new FaultyService(fault);
        return { fault, service, url: await service.listen() };
      }),
    );
    const runs = Array.from({ length: LISTS }, async (_, list) => {
      const some = services.filter((_service, index) => index % LISTS === list);
      writeFileSync(join(folder, `faults-${list}.json`), JSON.stringify(some.map(callWithFault)));
      return run(harness, { folder, CALLS: `faults-${list}.json` });
    });
    const ends = (await Promise.all(runs)).flatMap(({ output, errors }) => `${output}${errors}`.trim().split('\n'));
    await Promise.all(services.map(({ service }) => service.close()));
    const seenOf = services.map(({ fault: { name, requests = 4 }, service }) => ({
      ...{ name, end: ends.find((line) => line.startsWith(`${name} `)), orders: service.orders },
      requests: service.requests <= requests ? 'few' : service.requests,
    }));
    expect(seenOf).toEqual(
      FAULTS.map(({ name, end, orders }) => ({ name, end: `${name} ${end}`, orders, requests: 'few' })),
    );
  });

  test('keeps tokens for other processes', async ({ skip }) => {
    const missing = missingForStarter(language);
    skip(missing !== undefined, missing);
    const folder = await folderOf(harness);
    const tokens = mkdtempSync(join(tmpdir(), 'mirsal-tokens-'));
    folders.push(tokens);
    const fault = { name: 'none', end: 'answer', orders: 1 };
    const service = new FaultyService(fault);
    const call = callWithFault({ fault, url: await service.listen() });
    writeFileSync(join(folder, 'calls.json'), JSON.stringify([{ ...call, tokens }]));
    for (let time = 0; time < 3; time += 1)
      expect(await run(harness, { folder, CALLS: 'calls.json' })).toMatchObject({ output: 'none answer\n' });
    await service.close();
    expect(service.requests).toBe(4);
    const files = readdirSync(tokens).map((name) => statSync(join(tokens, name)).mode & 0o777);
    expect(files).toEqual([0o600]);
  });

  test('goes through a proxy, and trusts only the certificates that it is given', { timeout: 60_000 }, async ({
    skip,
  }) => {
    const missing = missingForStarter(language);
    skip(missing !== undefined, missing);
    const folder = await folderOf(harness);
    const proxy = await openProxy('shop:pass');
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, CERTIFICATE);
    const urls = { 'https-of-shop': 'https://hooks.shop.example', 'http-of-shop': 'http://mirsal.invalid' };
    const calls = Object.entries(urls).map(([name, url]) => callWithFault({ fault: { name }, url }));
    writeFileSync(join(folder, 'calls.json'), JSON.stringify(calls));
    writeFileSync(join(folder, 'calls-ca.json'), JSON.stringify(calls.map((call) => ({ ...call, caFile }))));
    const variables = { folder, HTTPS_PROXY: proxy.url, http_proxy: proxy.url, NO_PROXY: '', CALLS: 'calls.json' };
    const outputs = [
      await run(harness, { ...variables, CALLS: 'calls-ca.json' }),
      await run(harness, { ...variables, SSL_CERT_FILE: caFile }),
      await run(harness, variables),
      await run(harness, { ...variables, SSL_CERT_FILE: caFile, NO_PROXY: 'hooks.shop.example' }),
    ].map(({ output, errors }) => `${output}${errors}`);
    proxy.close();
    const good = 'https-of-shop answer\nhttp-of-shop answer\n';
    const bad = 'https-of-shop none\nhttp-of-shop answer\n';
    expect(outputs).toEqual([good, good, bad, bad]);
    const tunnels = proxy.targets.filter((target) => target === 'hooks.shop.example:443');
    // A certificate that is not trusted is not tried again.
    expect(tunnels.length).toBeLessThanOrEqual(2 + 2 + 1);
    expect(proxy.targets.filter((target) => target.startsWith('http://mirsal.invalid/'))).toHaveLength(2 * 4);
  });

  test('reads Retry-After as the others do', async ({ skip }) => {
    const missing = missingForStarter(language);
    skip(missing !== undefined, missing);
    const { output } = await run(harness, { folder: await folderOf(harness), VECTORS });
    const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8'));
    const read: unknown[] = JSON.parse(output);
    expect(read.map((seconds, index) => [vectors[index]?.[0], seconds])).toEqual(vectors);
  });
});

test('the REST client takes only an answer of the service for one', async () => {
  const language = 'TypeScript';
  const ends = calls.map(async ({ name, client, method, path, body, key, ifMatch }) => {
    const rest = createMirsalRest({
      ...{ baseUrl: addressFor(language), clientId: client, clientSecret: 'secret' },
      host: { sleep: () => Promise.resolve() },
    });
    const headers = {
      ...(key === null ? {} : { 'idempotency-key': key }),
      ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
    };
    const call = rest(method, path, { headers, ...(body === null ? {} : { body }) });
    const end = await call.then(
      () => 'answer',
      (error: MirsalRestError) => endOf(error),
    );
    return `${name} ${end}`;
  });
  expect(await Promise.all(ends)).toEqual(calls.map(({ name, end }) => `${name} ${end}`));
  expectAttempts(language, 4);
});

function endOf({ code }: MirsalRestError): string {
  return code === 'NETWORK_FAILURE' || code === 'UNEXPECTED_RESPONSE' ? 'unknown' : `refused ${code}`;
}

test('Python is here, so at least one of the programs always runs', () => {
  expect(missingFor('Python')).toBeUndefined();
});

function callWithFault({ fault: { name, call }, url }: { fault: Pick<Fault, 'name' | 'call'>; url: string }): object {
  const order = { externalReference: name };
  const creation = { method: 'POST', path: '/v2/external/shipments', body: order, key: `key-of-${name}` };
  return { name, client: 'caller', ...creation, ifMatch: null, url, ...call };
}

/** Each call was sent as often as it should be, with the same key and body. */
function expectAttempts(language: string, attemptsMax: number): void {
  const attempts = calls.map(({ name, isToken }) => {
    const ofCall = seen.filter(
      (one) => one.language === language && (isToken ? one.client : nameIn(one.path)) === name,
    );
    const sent = isToken ? ofCall.filter(({ path }) => path === '/oauth/token') : ofCall;
    return { name, attempts: sent.length, isSame: new Set(sent.map(({ key, body }) => `${key} ${body}`)).size === 1 };
  });
  const expected = calls.map(({ name, attempts: times }) => ({
    ...{ name, attempts: times === 'all' ? attemptsMax : times, isSame: true },
  }));
  expect(attempts).toEqual(expected);
}

function nameIn(path: string): string | null {
  return new URL(path, 'http://stand-in').searchParams.get('call');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const [, language = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
  const body = Buffer.concat(chunks).toString();
  const key = request.headers['idempotency-key'];
  const basic = /^Basic (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [client = ''] = Buffer.from(basic, 'base64').toString().split(':');
  const isSame = (one: Seen) => one.language === language && one.path === path && one.client === client;
  const times = seen.filter(isSame).length;
  seen.push({ language, path, client, key: Array.isArray(key) ? key.join() : key, body });
  response.setHeader('content-type', 'application/json');
  // Some clients keep the connection and repeat on their own if it closes under them.
  response.setHeader('connection', 'close');
  const isToken = path === '/oauth/token';
  const call = calls.find(({ name }) => name === (isToken ? client : nameIn(path)));
  if (call !== undefined) reactTo(call, response, { isToken, times });
  else if (isToken) response.end(`{"access_token":"token-${times}","expires_in":3600}`);
  else if (path === '/renewed') renew(request, response);
  else if (path === '/unsafe') refuse(response);
  else if (times === 0) request.socket.destroy();
  else if (times === 1) refuse(response.setHeader('retry-after', '1'));
  else response.writeHead(201).end(body.replace('{', '{"shipmentId":"01976e2a-7c10-7f4e-8b21-6d90c3a5e842",'));
}

function renew({ headers }: IncomingMessage, response: ServerResponse): void {
  const isNew = headers.authorization === 'Bearer token-1';
  response.setHeader('x-request-id', 'the-request').writeHead(isNew ? 200 : 401);
  // Some refusals of the old token arrive after the new token.
  const delayMs = isNew ? 0 : Math.random() * 500;
  setTimeout(() => response.end(isNew ? '{"ok":true}' : '{"code":"AUTHENTICATION_REQUIRED"}'), delayMs);
}

function refuse(response: ServerResponse): void {
  response.setHeader('x-request-id', 'the-request').writeHead(503).end('{"code":"SERVICE_UNAVAILABLE"}');
}

async function folderOf({ language, files, build }: StarterHarness): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-starter-'));
  folders.push(folder);
  const file = STARTERS.find((starter) => starter.language === language)?.file ?? '';
  copyFileSync(join(CLIENTS, file), join(folder, file));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  if (build !== undefined) expect(await run({ language, command: build }, { folder })).toMatchObject({ exitCode: 0 });
  return folder;
}

function addressFor(language: string): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}/${encodeURIComponent(language)}`;
}

function run(
  { language, command: [program, ...args] }: Pick<StarterHarness, 'language' | 'command'>,
  { folder, ...variables }: { readonly folder: string; readonly [variable: string]: string },
): Promise<{ output: string; errors: string; exitCode: number | null }> {
  const env = {
    ...process.env,
    MIRSAL_URL: addressFor(language),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
    // PHP makes a lock file in it.
    TMPDIR: folder,
    ...variables,
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
