import { pause } from '../../core/timer.ts';
import { logError, logInfo } from '../../ports/log.ts';

/** The part of Deno's server that is used here. */
export interface HttpServer {
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

/** Where a server listens, and the function that it calls then. */
export interface Listening {
  readonly port: number;
  readonly onListen: (address: { readonly port: number }) => void;
}

/** How long the server waits before it listens again after it failed to accept a connection. */
const LISTEN_AGAIN_MS = 100;

/**
 * Keeps a process listening. Deno ends a server, and with it the process, if it cannot accept a connection, for example
 * because the process has too many open files (`ulimit -n`). Requests on open connections are still answered, so this
 * function listens again. Until a file is free, new connections are refused.
 *
 * `listen` starts a server: first on `port` (0 means any free port), later on the same port again. The result's
 * `finished` resolves when `shutdown` was called and every request is answered.
 */
export function keepServing(port: number, listen: (listening: Listening) => HttpServer): HttpServer {
  let listening: Listening = {
    port,
    onListen: (address) => {
      logInfo({ listening: address.port });
      listening = { ...listening, port: address.port };
    },
  };
  // The first call throws if the port is in use or not allowed.
  let server: HttpServer | undefined = listen(listening);
  const servers = new Set([server]);
  let shutDown: Promise<unknown> | undefined;
  const serve = async () => {
    while (shutDown === undefined) {
      try {
        server ??= listen(listening);
        servers.add(server);
        await server.finished;
      } catch (error) {
        server = undefined;
        logError({ error: `Connections were not accepted: ${String(error)}` });
        await pause(LISTEN_AGAIN_MS);
      }
    }
    await shutDown;
  };
  return {
    finished: serve(),
    async shutdown() {
      // Earlier servers too: connections that they accepted may still be open.
      shutDown ??= Promise.allSettled(Array.from(servers, (each) => each.shutdown()));
      await shutDown;
    },
  };
}
