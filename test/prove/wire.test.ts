import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { type RawAnswer, rawRequest, sendAround, sendDripping, sendRaw } from '../support/raw-http.ts';
import { draftOf } from '../support/registrations.ts';

/*
 * Requests that no client library sends. A proxy and the service must never disagree about the end of a request or its
 * path: the service refuses an ambiguous request and closes the connection.
 */

const HOST = 'Host: api.mirsal.test';
/** A request in the place of a body. It must not be answered as a second request. */
const SECOND = rawRequest('GET /health HTTP/1.1', [HOST]);
const FORM = [HOST, 'Content-Type: application/x-www-form-urlencoded'];
const post = (headers: readonly string[], body: string) => rawRequest('POST /oauth/token HTTP/1.1', headers, body);
const withLength = (...lengths: string[]) =>
  post([...FORM, ...lengths.map((length) => `Content-Length: ${length}`)], SECOND);
const encoded = (...encodings: string[]) => [...FORM, ...encodings.map((encoding) => `Transfer-Encoding:${encoding}`)];
const END = `0\r\n\r\n${SECOND}`;

const AMBIGUOUS: readonly (readonly [string, string])[] = [
  ['a length and chunks', post([...encoded(' chunked'), 'Content-Length: 6'], END)],
  ['chunks and a length', post([...FORM, 'Content-Length: 6', 'Transfer-Encoding: chunked'], END)],
  ['two lengths', withLength('0', String(SECOND.length))],
  ['a list of lengths', withLength(`0, ${SECOND.length}`)],
  ['a length with a sign', withLength(`+${SECOND.length}`)],
  ['a negative length', withLength('-1')],
  ['a length in hexadecimal', withLength('0x10')],
  ['a length beyond 64 bits', withLength('99999999999999999999999')],
  ['two transfer codings', post(encoded(' chunked', ' identity'), END)],
  ['an unknown transfer coding', post([...encoded(' xchunked'), 'Content-Length: 3'], `a=b${SECOND}`)],
  ['identity', post([...encoded(' identity'), 'Content-Length: 3'], `a=b${SECOND}`)],
  ['a transfer coding after a tab', post([...encoded('\tchunked'), 'Content-Length: 3'], END)],
  ['a transfer coding after a vertical tab', post([...encoded(' \x0bchunked'), 'Content-Length: 3'], END)],
  ['a chunk without a size', post(encoded(' chunked'), `zz\r\n${SECOND}`)],
  ['a chunk larger than the rest', post(encoded(' chunked'), `ffffffffffffffffff\r\n${SECOND}`)],
  ['a chunk with a line feed in its extension', post(encoded(' chunked'), `3;a=b\nx\r\na=b\r\n${END}`)],
  ['a chunk without an end', post(encoded(' chunked'), `3\r\na=bXX${END}`)],
  ['a folded header', rawRequest('GET /health HTTP/1.1', [HOST, 'X-A: b\r\n c: d', 'Connection: close'])],
  ['a space before the colon', rawRequest('GET /health HTTP/1.1', [HOST, 'Content-Length : 3', 'Connection: close'])],
  ['a bare carriage return', rawRequest('GET /health HTTP/1.1', [HOST, 'X-A: b\rX-B: c', 'Connection: close'])],
  ['a NUL in a header', rawRequest('GET /health HTTP/1.1', [HOST, 'X-A: b\0c', 'Connection: close'])],
  ['a NUL in the path', rawRequest('GET /health\0 HTTP/1.1', [HOST, 'Connection: close'])],
  ['no version', 'GET /health\r\n\r\n'],
];

/** Hosts for `GET /nothing` that contain another path. */
const HOSTS = [
  'x/health?',
  'x/health#',
  'x#',
  'x?',
  'x\\health?',
  '@x/health?',
  'a b',
  'x:abc',
  '[',
  'x:99999',
  'x/..;/',
];

/** The ambiguous request was refused or its connection closed, and nothing in its body was answered. */
function expectNoSecond({ text, statuses }: RawAnswer): void {
  expect(statuses.length, 'answers to one request').toBeLessThanOrEqual(1);
  for (const status of statuses) expect(status, 'no refusal').toBeGreaterThanOrEqual(400);
  expect(text).not.toContain('"status":"ok"');
}

describe('a server that parses requests inside bodies', () => {
  /** Answers every line that looks like a request line, even inside a body. */
  async function startCredulous(answers: Readonly<Record<string, string>>) {
    const server = createServer((socket) => {
      socket.setEncoding('latin1');
      // The client may close early.
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: string) => {
        for (const [, path = ''] of chunk.matchAll(/(?:GET|POST) (\S+) HTTP\/1\.1/g)) socket.write(answers[path] ?? '');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const answerOf = (status: string, body: string) =>
    `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const refusal = answerOf('400 Bad Request', '{"code":"MALFORMED_REQUEST"}');

  it.each([
    ['and answers what it finds', { '/oauth/token': refusal, '/health': answerOf('200 OK', '{"status":"ok"}') }],
    ['and refuses what it finds', { '/oauth/token': refusal, '/health': refusal }],
    ['and answers that alone', { '/health': answerOf('200 OK', '{"status":"ok"}') }],
  ])('%s is detected', async (_kind, answers) => {
    const answer = await sendRaw(await startCredulous(answers), withLength('0', String(SECOND.length)));
    expect(answer.statuses).toHaveLength(Object.keys(answers).length);
    const fault = answer.statuses.length > 1 ? 'answers to one request' : 'no refusal';
    expect(() => expectNoSecond(answer)).toThrow(fault);
  });

  it('and only refuses the first request is not reported', async () => {
    const address = await startCredulous({ '/oauth/token': refusal });
    expectNoSecond(await sendRaw(address, withLength('0', String(SECOND.length))));
  });
});

// The address is the runtime's own: nothing else parses the requests first.
describe.each(['worker', 'deno'] as const)('malformed bytes on %s', (runtime) => {
  let environment: OwnEnvironment | undefined;
  const started = (): OwnEnvironment => {
    if (environment === undefined) throw new Error('The environment did not start');
    return environment;
  };
  beforeAll(async () => {
    environment = await startEnvironment(runtime);
  });
  afterAll(async () => {
    await environment?.stop();
  });

  it.each(AMBIGUOUS)('%s: finds no request inside a body', async (_kind, bytes) => {
    expectNoSecond(await sendRaw(started().address, bytes));
    expect((await started().fetch('/health')).status).toBe(200);
  });

  it('answers two requests on one connection', async () => {
    const bytes = rawRequest('GET /nothing HTTP/1.1', [HOST]) + rawRequest('GET /nothing HTTP/1.1', [HOST]);
    const answer = await sendRaw(started().address, bytes);
    expect(answer.statuses).toEqual([404, 404]);
    expect(() => expectNoSecond(answer)).toThrow('answers to one request');
  });

  const refusedWith = (length: number) =>
    rawRequest('POST /v2/external/shipments HTTP/1.1', [
      HOST,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ]);

  it.each([2000, 70_000, 300_000])(
    'keeps or ends the connection as announced when it answers before %i bytes have arrived',
    async (length) => {
      const later = ' '.repeat(length) + rawRequest('GET /health HTTP/1.1', [HOST, 'Connection: close']);
      const { text, statuses } = await sendAround(started().address, refusedWith(length), later);
      // workerd announces that it closes the connection. Deno reads the rest of a body that is not too long.
      const isKept = runtime === 'deno' && length < 256 * 1024;
      expect(statuses).toEqual(isKept ? [401, 200] : [401]);
      const [head = ''] = text.split('\r\n\r\n');
      expect(/^connection: close\r?$/im.test(head)).toBe(!isKept);
    },
  );

  it.each([300_000, 3_000_000])('answers a refusal to a client that sends %i bytes without waiting', async (length) => {
    const { statuses } = await sendRaw(started().address, refusedWith(length) + ' '.repeat(length), 5000);
    expect(statuses).toEqual([401]);
  });

  it.each(HOSTS)('host %j does not change the path', async (host) => {
    const bytes = rawRequest('GET /nothing HTTP/1.1', [`Host: ${host}`, 'Connection: close']);
    const { text, statuses } = await sendRaw(started().address, bytes);
    for (const status of statuses) expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('"status":"ok"');
    // workerd itself refuses what is no URL.
    if (statuses[0] === 400) expect(text).toMatch(/^HTTP\/1\.1 400 [^]*"code":"INVALID_HEADER"/);
  });

  it.each(['/docs/..;/health', '//health', '/.//health', '/%2e%2e/health%00', '/health;a=b', '/health%2f', '/Health'])(
    'path %s is not an alias of another path',
    async (path) => {
      const bytes = rawRequest(`GET ${path} HTTP/1.1`, [HOST, 'Connection: close']);
      expect((await sendRaw(started().address, bytes)).statuses).toEqual([404]);
    },
  );

  it('ignores forwarded hosts and addresses', async () => {
    const lies = ['X-Forwarded-Host', 'X-Host', 'X-Original-URL', 'X-Rewrite-URL', 'Forwarded', 'X-Forwarded-Proto'];
    const headers = ['Host: attacker.example', ...lies.map((name) => `${name}: attacker.example`), 'Connection: close'];
    for (const path of ['/docs', '/', '/problems/access-denied', '/.well-known/oauth-authorization-server', '/x']) {
      const { text } = await sendRaw(started().address, rawRequest(`GET ${path} HTTP/1.1`, headers));
      expect(text).not.toContain('attacker');
    }
  });

  it('gives up on endless bodies, and serves other clients meanwhile', async () => {
    const { address } = started();
    const { body } = await draftOf(started());
    const upload = [
      HOST,
      'Content-Type: application/pdf',
      'X-Document-Filename: a.pdf',
      `Registration-Upload-Capability: ${body.uploadCapability}`,
    ];
    const put = `PUT /v2/account-registrations/${body.registrationId}/documents/NATIONAL_ADDRESS HTTP/1.1`;
    const answers = await Promise.all([
      sendRaw(address, rawRequest(put, [...upload, 'Transfer-Encoding: chunked'], '5\r\n%PDF-\r\n'), 25_000),
      sendRaw(address, rawRequest(put, [...upload, 'Content-Length: 1000'], '%PDF-'), 25_000),
      sendRaw(address, post([...FORM, 'Content-Length: 1000'], 'a=b'), 25_000),
    ]);
    // A body must bring 4 kB in each ten seconds.
    expect(answers.map(({ statuses }) => statuses)).toEqual([[408], [408], [408]]);
    for (const { text } of answers) {
      expect(text).toMatch(/"code":"REQUEST_TIMEOUT"/);
      expect(text).toMatch(/^connection: close\r$/im);
    }
    const listed = 'select * from registration_documents where registration_id = ?';
    expect(await started().sql('directory', listed, [body.registrationId])).toEqual([]);
  }, 60_000);

  it('takes a creation whose last bytes come one a second, and refuses one that goes on so for ten seconds', async () => {
    const environment = started();
    const company = await addCompany(environment);
    const token = await environment.token(company);
    const send = (slowBytes: number, externalReference: string) => {
      const body = JSON.stringify(shipmentBody(company, { externalReference }));
      const headers = [HOST, `Authorization: Bearer ${token}`, `Idempotency-Key: the-key-of-${externalReference}`];
      const json = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
      const begin = rawRequest(`POST ${SHIPMENTS} HTTP/1.1`, [...headers, ...json], body.slice(0, -slowBytes));
      return sendDripping(environment.address, begin, body.slice(-slowBytes));
    };
    const answers = await Promise.all([send(8, 'slow-8'), send(20, 'slow-20')]);
    expect(answers.map(({ statuses }) => statuses)).toEqual([[201], [408]]);
    // The key of the refused creation is free: nothing was carried out.
    expect((await send(1, 'slow-20')).statuses).toEqual([201]);
  }, 60_000);

  it.runIf(runtime === 'deno')('logs only lines of JSON for all of this', () => {
    const lines = started().service.logs();
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !/^\{"level":"(?:info|error)",.*\}$/.test(line))).toEqual([]);
  });
});
