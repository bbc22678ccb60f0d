import { createServer } from 'node:http';
import { listenLocally } from '../shared/ports.ts';

/** Receives webhooks, answers 200 at once and counts them. */
export interface BenchReceiver {
  readonly url: string;
  received(): number;
  close(): void;
}

export async function startReceiver(): Promise<BenchReceiver> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume();
    response.end();
  });
  return {
    url: `${await listenLocally(server)}/hook`,
    received: () => received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
