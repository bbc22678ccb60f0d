import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createMirsalClient, type MirsalClient, type MirsalClientOptions } from '../../../src/client.ts';
import { type StrangeAnswer, sendStrange } from '../../support/strange-answers.ts';

/** A request that the stand-in received. */
export interface Received {
  readonly method: string;
  /** `shipments.create`, or `token`. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** The parsed input of a call, the form of a token request. */
  readonly input: unknown;
}

/** What the stand-in does with a request: answers, closes the connection, or never answers. */
export type Reaction =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | StrangeAnswer
  | 'cut'
  | 'hang';

/**
 * A server in the service's place that reacts as a test says, in order, each time when it says; past the end with a token
 * or a result.
 */
export class StandIn {
  readonly received: Received[] = [];
  readonly toCalls: (Reaction | Promise<Reaction>)[] = [];
  readonly toTokens: (Reaction | Promise<Reaction>)[] = [];
  /** The time of the client's clock. */
  nowMs = 1_000_000;
  /** The delays that the client waited. */
  readonly sleptMs: number[] = [];
  readonly #server: Server;
  #tokens = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get baseUrl(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The stand-in does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** A client of this server with a fake clock and a random number of 0. */
  client(options: Partial<MirsalClientOptions> = {}): MirsalClient {
    const { host, ...others } = options;
    return createMirsalClient({
      baseUrl: this.baseUrl,
      clientId: 'client-1',
      clientSecret: 'msk_test_secret',
      host: {
        now: () => this.nowMs,
        sleep: (ms) => {
          this.sleptMs.push(ms);
          return Promise.resolve();
        },
        random: () => 0,
        ...host,
      },
      ...others,
    });
  }

  /** The requests to procedures, without those for tokens. */
  get calls(): Received[] {
    return this.received.filter(({ target }) => target !== 'token');
  }

  get tokenRequests(): Received[] {
    return this.received.filter(({ target }) => target === 'token');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://stand-in');
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const isToken = url.pathname === '/oauth/token';
    const text = request.method === 'GET' ? url.searchParams.get('input') : body;
    this.received.push({
      method: request.method ?? '',
      target: isToken ? 'token' : url.pathname.replace('/trpc/', ''),
      authorization: request.headers.authorization,
      input: isToken ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(text ?? 'null'),
    });
    const reaction = await ((isToken ? this.toTokens : this.toCalls).shift() ??
      (isToken ? this.#token() : result({ done: true })));
    if (reaction === 'hang') return;
    if (reaction === 'cut') return void request.socket.destroy();
    if ('name' in reaction) return sendStrange(response, reaction);
    const { status, headers = {}, body: answer } = reaction;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }

  #token(): Reaction {
    this.#tokens += 1;
    return {
      status: 200,
      body: { access_token: `token-${this.#tokens}`, token_type: 'Bearer', expires_in: 3600, scope: '' },
    };
  }
}

/** A result in tRPC's format. */
export function result(data: unknown): Reaction {
  return { status: 200, body: { result: { data } } };
}

/** A problem of the service. */
export function problem(status: number, code: string, members: Readonly<Record<string, unknown>> = {}) {
  return {
    type: `https://api.mirsal.test/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    title: 'Title',
    status,
    detail: 'What went wrong.',
    instance: '/trpc/shipments.create',
    code,
    timestamp: '2026-11-21T09:00:00.000000Z',
    correlationId: '01948f3a-0000-7000-8000-000000000001',
    requestId: '01948f3a-0000-7000-8000-000000000002',
    ...members,
  };
}

/** An error as the service answers it over tRPC. */
export function refusal(
  status: number,
  code: string,
  { retryAfter, ...members }: Readonly<Record<string, unknown>> & { readonly retryAfter?: string } = {},
): Reaction {
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    body: {
      error: {
        message: code,
        code: -32_000,
        data: { code: 'X', httpStatus: status, problem: problem(status, code, members) },
      },
    },
  };
}

/** The input of a creation. */
export const ORDER = {
  externalReference: 'order-1',
  branchCode: 'RUH-1',
  pickupLocationCode: 'RUH-1-A',
  recipient: { name: 'Sara', phone: '+966500000001' },
  destination: { addressLine: 'King Fahd Road', cityCode: 'RUH', latitude: '24.7136', longitude: '46.6753' },
  declaredValue: '120.5',
  codAmount: '0',
  currency: 'SAR',
  paymentMethod: 'PREPAID',
  pickupWindowStart: '2026-11-21T09:00:00Z',
  pickupWindowEnd: '2026-11-21T12:00:00Z',
  items: [{ description: 'Book', quantity: 1, weightKilograms: '0.4' }],
  requirements: [],
} satisfies Parameters<MirsalClient['shipments']['create']['mutate']>[0];

export const SHIPMENT_ID = '01948f3a-0000-7000-8000-000000000003';
/** A mutation that takes no key, whose If-Match matches any version. */
export const METADATA = { shipmentId: SHIPMENT_ID, ifMatch: '*', metadata: { order: '7' } } as const;
