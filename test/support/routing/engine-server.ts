import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A routing engine on 127.0.0.1 whose answers the test decides. */
export interface EngineServer extends AsyncDisposable {
  readonly url: string;
  /** The requested paths, in order. */
  readonly asked: string[];
  /** The number of opened connections, including those that were reset. */
  readonly connectionCount: () => number;
  answer: (response: ServerResponse, request: IncomingMessage) => void;
  /** How many of the next connections are reset before anything is read. */
  resetNext: (connections: number) => void;
}

export const GEOMETRY = '_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI';
export const OK_BODY = JSON.stringify({
  code: 'Ok',
  routes: [{ distance: 1886.3, duration: 260.5, geometry: GEOMETRY, weight: 260.5, legs: [] }],
  waypoints: [{ distance: 4.2 }, { distance: 17.9 }],
});

export function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

export async function startEngine(): Promise<EngineServer> {
  let connections = 0;
  let resets = 0;
  const engine: EngineServer = {
    url: '',
    asked: [],
    connectionCount: () => connections,
    answer: (response) => sendJson(response, 200, OK_BODY),
    resetNext: (count) => {
      resets = count;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    engine.asked.push(request.url ?? '');
    engine.answer(response, request);
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    if (resets === 0) return;
    resets -= 1;
    socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(engine, { url: `http://127.0.0.1:${port}` });
}
