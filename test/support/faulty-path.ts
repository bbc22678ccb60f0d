import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../../scripts/shared/ports.ts';

interface Passed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request on its way, and the way onward. */
interface Passing {
  readonly response: ServerResponse;
  readonly pass: () => Promise<Passed>;
}

const headOf = ({ status, headers }: Passed) =>
  `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Passes the request on, and breaks the connection after a part of the answer. */
const cut =
  (partOf: (answer: Passed) => Buffer) =>
  async ({ response, pass }: Passing) => {
    const part = partOf(await pass());
    const { socket } = response;
    socket?.write(part, () => socket.destroy());
  };
const answer =
  (status: number, headers: Record<string, string>, body: string, isPassed = false) =>
  async ({ response, pass }: Passing) => {
    if (isPassed) await pass();
    response.writeHead(status, headers).end(body);
  };
const HTML = { 'content-type': 'text/html' };

/** What can happen to the first attempt of a request between a client and the service. */
export const FAULTS: Readonly<Record<string, (passing: Passing) => Promise<void>>> = {
  'reset before it arrives': async ({ response }) => void response.socket?.resetAndDestroy(),
  'reset after it arrived': async ({ response, pass }) => {
    await pass();
    response.socket?.resetAndDestroy();
  },
  'cut in the head': cut((answered) => Buffer.from(headOf(answered).slice(0, 40))),
  'cut after the head': cut((answered) => Buffer.from(headOf(answered))),
  'cut before the last byte': cut((answered) =>
    Buffer.concat([Buffer.from(headOf(answered)), answered.body.subarray(0, -1)]),
  ),
  'sent twice': async ({ response, pass }) => {
    await pass();
    send(response, await pass());
  },
  'a page instead': answer(200, HTML, '<h1>Welcome to the hotel</h1>'),
  'a page after it was done': answer(200, HTML, '<h1>Welcome to the hotel</h1>', true),
  'an empty answer': answer(200, { 'content-length': '0' }, ''),
  'a slow answer': async ({ response, pass }) => {
    const answered = await pass();
    await delay(300);
    send(response, answered);
  },
  '429 of a proxy': answer(429, { ...HTML, 'retry-after': '0.2' }, '<h1>Slow down</h1>'),
  '503 of a proxy': answer(503, { ...HTML, 'retry-after': '1, 1' }, '<h1>Busy</h1>'),
  '502 after it was done': answer(502, HTML, '<h1>Bad gateway</h1>', true),
  '520 of a network': answer(520, HTML, ''),
  'an idle connection that closes': async ({ response, pass }) => {
    send(response, await pass());
    setTimeout(() => response.socket?.destroy(), 20);
  },
};

function send(response: ServerResponse, { status, headers, body }: Passed): void {
  response.writeHead(status, headers).end(body);
}

/** A path between clients and the service on which the first request for each order meets a fault. */
export class FaultyPath {
  readonly #service: string;
  readonly #server: Server;
  /** The fault of the next creation, by the order's reference. */
  readonly #faults = new Map<string, keyof typeof FAULTS>();
  /** Requests that arrived for each order. */
  readonly arrived = new Map<string, number>();

  constructor(service: string) {
    this.#service = service;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, LOOPBACK);
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get address(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The path is closed');
    return `http://${LOOPBACK}:${address.port}`;
  }

  plan(reference: string, fault: keyof typeof FAULTS): void {
    this.#faults.set(reference, fault);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const pass = () => this.#pass(request, body);
    const reference = /"externalReference":\s*"([^"]+)"/.exec(body.toString('utf8'))?.[1];
    if (reference === undefined) return send(response, await pass());
    this.arrived.set(reference, (this.arrived.get(reference) ?? 0) + 1);
    const fault = this.#faults.get(reference);
    this.#faults.delete(reference);
    if (fault === undefined) return send(response, await pass());
    await FAULTS[fault]?.({ response, pass });
  }

  async #pass({ method = 'GET', url = '/', headers: sent }: IncomingMessage, body: Buffer): Promise<Passed> {
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      'transfer-encoding': _coding,
      ...rest
    } = sent;
    const headers = new Headers({ 'accept-encoding': 'identity' });
    for (const [name, value] of Object.entries(rest)) if (name !== 'accept-encoding') headers.set(name, String(value));
    const isBodyless = method === 'GET' || method === 'HEAD';
    const init = {
      method,
      headers,
      redirect: 'manual' as const,
      ...(isBodyless ? {} : { body: new Uint8Array(body) }),
    };
    const answered = await fetch(this.#service + url, init);
    const bytes = Buffer.from(await answered.arrayBuffer());
    const kept = [...answered.headers].filter(
      ([name]) => !/^(?:connection|transfer-encoding|content-length|content-encoding)$/.test(name),
    );
    return {
      status: answered.status,
      headers: { ...Object.fromEntries(kept), 'content-length': String(bytes.length) },
      body: bytes,
    };
  }
}
