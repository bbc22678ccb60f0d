import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from '../shared/ports.ts';

/** Where webhooks go: it answers 200 at once, and counts. */
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
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}/hook`,
    received: () => received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
