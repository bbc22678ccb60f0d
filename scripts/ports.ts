import { connect, createServer } from 'node:net';

/** The only address anything here listens on: what runs locally is nobody else's. */
export const LOOPBACK = '127.0.0.1';

/** Whether nobody answers on this port and it can be listened on. */
export async function isPortFree(port: number): Promise<boolean> {
  // macOS lets one listen on 127.0.0.1 beside somebody who listens on every address: asking is the surer half.
  return (await canListen(port)) && !(await isAnswered(port));
}

/** A port that was free a moment ago. Another process may take it before its caller does: be ready to ask again. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port: 0 }, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('A TCP server has no port'));
        else resolve(address.port);
      });
    });
  });
}

/**
 * Ports that go with a service's own port. The same ones each time as long as they are free, so that a tool stays
 * connected over a restart; others, free ones, in place of those that are not. They lie below the ports that systems
 * give to outgoing connections (32768 and up).
 */
export async function choosePorts(port: number, count: number): Promise<number[]> {
  const first = 10_000 + ((port * 8) % 20_000);
  const chosen = new Set<number>();
  for (let candidate = first; candidate < first + count; candidate += 1) {
    let taken = candidate !== port && (await isPortFree(candidate)) ? candidate : await freePort();
    while (chosen.has(taken)) taken = await freePort();
    chosen.add(taken);
  }
  return [...chosen];
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port }, () => server.close(() => resolve(true)));
  });
}

/** Long enough for a connection on the same machine, which is made or refused at once. */
const ANSWER_TIMEOUT_MS = 500;

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port, timeout: ANSWER_TIMEOUT_MS });
    const answer = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}
