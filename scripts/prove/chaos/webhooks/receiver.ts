import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MirsalEvent, verifyWebhook } from '../../../../src/client.ts';
import type { Dice } from '../../../shared/dice.ts';
import { LOOPBACK } from '../../../shared/ports.ts';
import type { ReceivedWebhook } from './verdict.ts';

/** What a receiver does with a request. */
export type Mood = 'take' | 'fail' | 'hang' | 'reset' | 'redirect' | 'too_busy' | 'gone';
export type Moods = Readonly<Partial<Record<Mood, number>>>;

export interface ChaosReceiver {
  readonly url: string;
  /** Every request with a valid signature, in order of arrival. */
  readonly arrivals: ReceivedWebhook[];
  readonly counts: Map<Mood, number>;
  /** Requests with an invalid signature. */
  readonly forged: string[];
  secret: string;
  close(): void;
}

/** A local receiver that reacts at random. Once `calm` returns true, it takes everything. */
export async function startChaosReceiver(dice: Dice, moods: Moods, calm: () => boolean): Promise<ChaosReceiver> {
  const server = createServer((request, response) => void receive(request, response));
  const receiver: ChaosReceiver = {
    url: '',
    arrivals: [],
    counts: new Map(),
    forged: [],
    secret: '',
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    let event: MirsalEvent;
    try {
      event = await verifyWebhook(receiver.secret, { headers: request.headers, body });
    } catch (error) {
      receiver.forged.push(String(error));
      response.writeHead(400).end();
      return;
    }
    const mood = calm() && moods.gone === undefined ? 'take' : dice.pick({ take: 0, ...moods });
    receiver.counts.set(mood, (receiver.counts.get(mood) ?? 0) + 1);
    receiver.arrivals.push({ event, body, atMs: Date.now(), isTaken: mood === 'take' });
    act(mood, request, response);
  }
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return Object.assign(receiver, { url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/` });
}

function act(mood: Mood, request: IncomingMessage, response: ServerResponse): void {
  switch (mood) {
    case 'take':
      response.writeHead(204).end();
      return;
    case 'fail':
      response.writeHead(500).end('no');
      return;
    case 'hang':
      return;
    case 'reset':
      request.socket.destroy();
      return;
    case 'redirect':
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
      return;
    case 'too_busy':
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    case 'gone':
      response.writeHead(410).end();
  }
}
