import { pause } from '../../core/timer.ts';
import { logError, logInfo } from '../../ports/log.ts';

/** The part of Deno's server that is used here. */
export interface HttpServer {
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

/** Where a server listens, and the function that it calls then. */
export interface Listening {
  readonly hostname: string;
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
 * `finished` resolves when `shutdown` was called and every request is answered. Throws an Error with the address if it is in use or not
 * allowed.
 */
export function keepServing(
  address: Pick<Listening, 'hostname' | 'port'>,
  listen: (listening: Listening) => HttpServer,
): HttpServer {
  let listening: Listening = {
    ...address,
    onListen: ({ port }) => {
      logInfo({ listening: port });
      listening = { ...listening, port };
    },
  };
  let server: HttpServer | undefined = listenFirst(listening, listen);
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

/** Deno's error does not say where, for example `AddrInUse: Address already in use (os error 98)`. */
function listenFirst(listening: Listening, listen: (listening: Listening) => HttpServer): HttpServer {
  try {
    return listen(listening);
  } catch (error) {
    const { hostname, port } = listening;
    throw new Error(`${hostname}:${port} cannot be listened on. ${String(error)}`, { cause: error });
  }
}

const PORT_DEFAULT = 8787;
const PORT_MAX = 65_535;

/** The variable PORT. Throws if it is not a port: an empty text would be read as 0, which is any free port. */
export function portOf(text: string | undefined): number {
  if (text === undefined) return PORT_DEFAULT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new Error(`The environment is not valid. PORT: must be a whole number up to ${PORT_MAX}`);
}
