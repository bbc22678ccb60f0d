import { pause } from '../../core/timer.ts';
import { logError, logInfo } from '../../ports/log.ts';

/** The part of Deno's server that is used here. */
export interface HttpServer {
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

/** Where a server listens, and who is told so. */
export interface Listening {
  readonly port: number;
  readonly onListen: (address: { readonly port: number }) => void;
}

/** How long no connection is accepted after accepting one has failed. */
const LISTEN_AGAIN_MS = 100;

/**
 * Keeps a process listening. Deno ends a server, and with it the process, when a connection cannot be accepted, as when
 * more connections are open than the process may have files (`ulimit -n`). Connections that are open go on being
 * answered, so this listens again; until a file is free, new connections are refused.
 *
 * `listen` starts a server: at first on `port`, where 0 is any free one, and later on the port that it got. Resolves when `shutdown` was called and every request is answered.
 */
export function keepServing(port: number, listen: (listening: Listening) => HttpServer): HttpServer {
  let listening: Listening = {
    port,
    onListen: (address) => {
      logInfo({ listening: address.port });
      listening = { ...listening, port: address.port };
    },
  };
  // A port that is taken, or may not be used, is told at the start.
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
