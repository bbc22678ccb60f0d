import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type EventBody, eventBody } from './events.ts';
import { listenLocally } from './ports.ts';
import { until } from './until.ts';

/** One request, with the time of its arrival. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly atMs: number;
  /** The status of the answer, once it was sent. */
  status?: number;
}

/** Answers a request, or does something else with its connection. */
export type Respond = (received: Received, response: ServerResponse, index: number) => void;

/** A merchant's webhook receiver on this machine. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How it answers from now on. The default is 200. */
  respond: Respond;
  /** The first `count` requests, once they have arrived. */
  waitFor(count: number, withinMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_received, response) =>
    void response.writeHead(status, headers).end('thank you');

export async function startReceiver(respond: Respond = answering(200)): Promise<Receiver> {
  const server = createServer((request, response) => void take(request, response));
  const receiver: Receiver = {
    url: '',
    received: [],
    respond,
    waitFor: (count, withinMs = 15_000) =>
      until(
        `${count} requests have come`,
        () => (receiver.received.length >= count ? receiver.received.slice(0, count) : undefined),
        { withinMs, everyMs: 5 },
      ),
    close: () => closeServer(server),
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: Received = {
      path: request.url ?? '',
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      text: Buffer.concat(chunks).toString('utf8'),
      atMs: Date.now(),
    };
    receiver.received.push(received);
    response.on('finish', () => {
      received.status = response.statusCode;
    });
    receiver.respond(received, response, receiver.received.length - 1);
  }
  return Object.assign(receiver, { url: `${await listenLocally(server)}/hook` });
}

/** The event of a request with a valid signature. Throws otherwise. */
export function verified(secret: string, { headers, text }: Received): EventBody {
  return eventBody.parse(new Webhook(secret).verify(text, { ...headers }));
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
