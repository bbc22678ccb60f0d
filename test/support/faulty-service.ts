import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.ts';

/*
 * A service whose answers are lost on the way, in its place one fault of a table: each listens on a port of its own and
 * keeps the orders by their Idempotency-Key, as the real one does.
 */

/** One request at a faulty service. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Earlier requests of this kind: for a token, or others. */
  readonly times: number;
  /** Whether its connection had a request before. */
  readonly isKept: boolean;
  /** Does what the request asks for, once for each key, and returns the body of the answer. */
  readonly act: () => string;
}

export interface Fault {
  readonly name: string;
  readonly answer?: (exchange: Exchange) => void;
  readonly answerToken?: (exchange: Exchange) => void;
  /** Whether the connection with this index is reset before its request is read. */
  readonly isReset?: (connection: number) => boolean;
  /** Other than a creation with a key. */
  readonly call?: Readonly<Record<string, unknown>>;
  readonly end: string;
  readonly orders: number;
  /** Requests that arrive, with those for tokens; at most 4 if it is left out. */
  readonly requests?: number;
}

const TOKEN = '{"access_token":"the-token","token_type":"Bearer","expires_in":3600}';
const PORTAL = '<!doctype html><title>Welcome</title>';
const DELETION = { method: 'DELETE', path: '/v2/external/webhook-endpoints/1', body: null, key: null, ifMatch: '"3"' };
const WITHOUT_KEY = { key: null };
const STALE = '{"code":"PRECONDITION_FAILED"}';

const once =
  (fault: (exchange: Exchange) => void) =>
  (exchange: Exchange): void =>
    exchange.times === 0 ? fault(exchange) : answerWell(exchange);
/** Acts, sends the text as it is and ends the connection. */
const raw = (textOf: (body: string) => string | Buffer) =>
  once(({ socket, act }) => void socket.write(textOf(act()), () => socket.destroySoon()));
const status =
  (code: number, retryAfter: string | undefined, body: string) =>
  ({ response }: Exchange): void => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(code).end(body);
  };
const headers = (length: number) => `HTTP/1.1 201 Created\r\ncontent-length: ${length}\r\n\r\n`;
const whole = (body: string) => `${headers(body.length)}${body}`;
const ofOnePiece = (body: string | Buffer) => Buffer.concat([Buffer.from(headers(body.length)), Buffer.from(body)]);

export const FAULTS: readonly Fault[] = [
  { name: 'reset-before-arrival', isReset: (connection) => connection < 2, end: 'answer', orders: 1, requests: 2 },
  { name: 'reset-after-arrival', answer: once(actAndReset), end: 'answer', orders: 1, requests: 3 },
  { name: 'reset-without-key', answer: actAndReset, call: WITHOUT_KEY, end: 'unknown', orders: 1, requests: 2 },
  { name: 'always-reset', answer: actAndReset, end: 'unknown', orders: 1, requests: 4 },
  { name: 'cut-in-headers', answer: raw(() => 'HTTP/1.1 201 Created\r\ncontent-le'), end: 'answer', orders: 1 },
  { name: 'cut-in-body', answer: raw((body) => whole(body).slice(0, -20)), end: 'answer', orders: 1 },
  { name: 'cut-before-last-byte', answer: raw((body) => whole(body).slice(0, -1)), end: 'answer', orders: 1 },
  { name: 'bad-chunk', answer: raw((body) => chunked(`zz\r\n${body}`)), end: 'answer', orders: 1 },
  { name: 'cut-chunk', answer: raw((body) => chunked(`ff\r\n${body}`)), end: 'answer', orders: 1 },
  { name: 'bad-status-line', answer: raw(() => 'ICY 200 OK\r\n\r\n'), end: 'answer', orders: 1 },
  { name: 'bad-utf-8', answer: raw(() => ofOnePiece(Buffer.from([0x7b, 0xff, 0xfe]))), end: 'answer', orders: 1 },
  { name: 'deep-json', answer: raw(() => ofOnePiece('['.repeat(100_000))), end: 'answer', orders: 1 },
  { name: 'huge-number', answer: raw(() => ofOnePiece(`{"a":1e${'9'.repeat(30)}}`)), end: 'answer', orders: 1 },
  { name: 'two-answers', answer: raw((body) => `${whole(body)}${whole(body)}`), end: 'answer', orders: 1, requests: 2 },
  { name: 'html', answer: once(status(200, undefined, PORTAL)), end: 'answer', orders: 1, requests: 3 },
  { name: 'empty', answer: once(status(200, undefined, '')), end: 'answer', orders: 1, requests: 3 },
  { name: 'slow-body', answer: slowly(whole), call: { totalSeconds: 3 }, end: 'unknown', orders: 1 },
  { name: 'slow-headers', answer: slowly(whole, 0), call: { totalSeconds: 3 }, end: 'unknown', orders: 1 },
  { name: 'silence', answer: ({ act }) => void act(), call: { totalSeconds: 2 }, end: 'unknown', orders: 1 },
  // 429 is always without effect; a proxy's has no code.
  {
    ...{ name: '429-folded', answer: once(status(429, '1, 1', PORTAL)), call: WITHOUT_KEY },
    ...{ end: 'answer', orders: 1, requests: 3 },
  },
  { name: '429-of-words', answer: once(status(429, '-1', PORTAL)), end: 'answer', orders: 1, requests: 3 },
  { name: '429-too-long', answer: status(429, '75.5', PORTAL), end: 'none 76', orders: 0, requests: 2 },
  { name: '429-longer-than-total', answer: status(429, '9', ''), call: { totalSeconds: 3 }, end: 'none 9', orders: 0 },
  { name: '503-fraction', answer: once(status(503, '0.5', PORTAL)), end: 'answer', orders: 1, requests: 3 },
  { name: '503-words', answer: once(status(503, '10 seconds', PORTAL)), end: 'answer', orders: 1, requests: 3 },
  { name: '500', answer: once(status(500, undefined, '{"code":"INTERNAL_ERROR"}')), end: 'answer', orders: 1 },
  { name: '522', answer: once(status(522, undefined, PORTAL)), end: 'answer', orders: 1, requests: 3 },
  {
    ...{ name: '503-without-key', answer: status(503, '1', '{"code":"SERVICE_UNAVAILABLE"}'), call: WITHOUT_KEY },
    ...{ end: 'unknown 1', orders: 0, requests: 2 },
  },
  { name: '422', answer: status(422, undefined, '{"code":"NO"}'), end: 'none', orders: 0, requests: 2 },
  { name: 'idle-connection-closed', answer: closeIfKept, end: 'answer', orders: 1 },
  { name: 'stale', answer: status(412, undefined, STALE), call: DELETION, end: 'none', orders: 0, requests: 2 },
  {
    ...{ name: 'stale-by-its-own-attempt', call: DELETION, end: 'unknown', orders: 1, requests: 3 },
    answer: (exchange) => (exchange.times === 0 ? actAndReset(exchange) : status(412, undefined, STALE)(exchange)),
  },
  {
    ...{ name: 'any-version', call: { ...DELETION, ifMatch: '*' }, end: 'unknown', orders: 1, requests: 2 },
    answer: actAndReset,
  },
  { name: 'no-tokens', answerToken: status(503, undefined, PORTAL), end: 'none', orders: 0, requests: 4 },
  { name: 'silent-tokens', answerToken: () => undefined, call: { totalSeconds: 2 }, end: 'none', orders: 0 },
  { name: 'wrong-secret', answerToken: status(401, undefined, '{"code":"NO"}'), end: 'none', orders: 0, requests: 1 },
  { name: 'always-401', answer: status(401, undefined, '{"code":"NO"}'), end: 'none', orders: 0, requests: 4 },
  { name: 'nobody-listens', call: { url: 'http://127.0.0.1:9' }, end: 'none', orders: 0, requests: 0 },
  {
    name: 'unknown-name',
    call: { url: 'http://mirsal.invalid', totalSeconds: 9 },
    end: 'none',
    orders: 0,
    requests: 0,
  },
];

/** A service with one fault. */
export class FaultyService {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #used = new WeakSet<Socket>();
  readonly #orders = new Map<string, string>();
  #tokens = 0;
  #others = 0;

  constructor(fault: Fault) {
    this.#server = createServer((request, response) => void this.#receive(fault, request, response));
    this.#server.on('connection', (socket) => {
      if (fault.isReset?.(this.#sockets.size) === true) socket.resetAndDestroy();
      this.#sockets.add(socket);
    });
  }

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await portOf(this.#server)}`;
  }

  get requests(): number {
    return this.#tokens + this.#others;
  }

  get orders(): number {
    return this.#orders.size;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #receive(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const _ of request);
    const { socket } = request;
    const isKept = this.#used.has(socket);
    this.#used.add(socket);
    const isToken = request.url === '/oauth/token';
    const times = isToken ? this.#tokens++ : this.#others++;
    const key = String(request.headers['idempotency-key'] ?? `request ${times}`);
    const act = () => {
      this.#orders.set(key, this.#orders.get(key) ?? `{"shipmentId":"${key}"}`);
      return this.#orders.get(key) ?? '';
    };
    const exchange = { request, response, socket, times, isKept, act };
    if (!isToken) (fault.answer ?? answerWell)(exchange);
    else if (fault.answerToken === undefined) response.end(TOKEN);
    else fault.answerToken(exchange);
  }
}

/**
 * A proxy that needs a login. It leads every CONNECT to a service with the certificate of hooks.shop.example, and answers
 * other requests itself as that service.
 */
export async function openProxy(login: string) {
  const targets: string[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('http:') === true) targets.push(request.url);
    response.end(request.url?.endsWith('/oauth/token') === true ? TOKEN : '{"shipmentId":"1"}');
  };
  const service = createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, serve);
  const port = await portOf(service);
  const proxy = createServer(serve);
  proxy.on('connect', (request, socket: Socket) => {
    targets.push(request.url ?? '');
    const isKnown = request.headers['proxy-authorization'] === `Basic ${Buffer.from(login).toString('base64')}`;
    if (!isKnown) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const onwards = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const end of [onwards, socket]) end.on('error', () => end.destroy());
    return onwards.pipe(socket).pipe(onwards);
  });
  const url = `http://${login}@127.0.0.1:${await portOf(proxy)}`;
  return { url, targets, close: () => [proxy, service].map((server) => server.close(() => undefined)) };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

function answerWell({ response, act }: Exchange): void {
  response.writeHead(201).end(act());
}

function actAndReset({ socket, act }: Exchange): void {
  act();
  socket.resetAndDestroy();
}

/** Closes a connection that had a request before, without having acted. */
function closeIfKept(exchange: Exchange): void {
  if (exchange.isKept && exchange.times === 0) exchange.socket.destroy();
  else answerWell(exchange);
}

function chunked(text: string): string {
  return `HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n${text}`;
}

/** Sends the first bytes at once, by default the headers, and then one byte a second. */
function slowly(textOf: (body: string) => string, atOnce?: number) {
  return ({ socket, act }: Exchange): void => {
    const text = textOf(act());
    let sent = atOnce ?? text.indexOf('{');
    socket.write(text.slice(0, sent));
    const timer = setInterval(() => socket.write(text.charAt(sent++)), 1000);
    socket.on('close', () => clearInterval(timer));
    socket.on('error', () => undefined);
  };
}
