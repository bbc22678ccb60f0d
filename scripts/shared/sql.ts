import { setTimeout as pause } from 'node:timers/promises';
import { HttpServerError, openHttp, ResponseError, type Stream } from '@libsql/hrana-client';

/** One directory and two shards, so that tests notice a query across shards. */
export const DATABASE_IDS = ['directory', 'shard-1', 'shard-2'] as const;
export type DatabaseId = (typeof DATABASE_IDS)[number];
/** The database of the request log is named apart, because nothing depends on it. */
export type AnyDatabaseId = DatabaseId | 'logs';
export type ShardId = Exclude<DatabaseId, 'directory'>;

export type SqlArgument = string | number | null;
export type SqlRow = Readonly<Record<string, string | number | null>>;

/** Runs one statement on one database and answers its rows. */
export type RunSql = (database: AnyDatabaseId, statement: string, args?: readonly SqlArgument[]) => Promise<SqlRow[]>;

/** SQL beside the service, to force states that no operation leads to and to check stored rows. */
export function openSql(urls: Readonly<Record<AnyDatabaseId, string>>): RunSql {
  const streams = new Map<AnyDatabaseId, KeptStreams>();
  return async (database, statement, args = []) => {
    const kept = streams.get(database) ?? new KeptStreams(urls[database]);
    streams.set(database, kept);
    for (let tries = 1; ; tries += 1) {
      try {
        return await kept.query(statement, args);
      } catch (error) {
        if (tries === BUSY_MAX) throw error;
        // The service uses the same server, which refuses a statement above its number of connections.
        if (error instanceof HttpServerError && error.status === TOO_MANY) await pause(BUSY_MS);
        // The service writes to the same database. After this error the statement has waited 100 ms and changed nothing.
        else if (!(error instanceof ResponseError) || error.code !== 'SQLITE_BUSY') throw error;
      }
    }
  };
}

const BUSY_MAX = 50;
const BUSY_MS = 100;
const TOO_MANY = 429;

/** A server closes a stream that is idle for ten seconds. */
const IDLE_MS_MAX = 5000;
/** More streams than this are rarely used at once. */
const IDLE_MAX = 4;

/** Streams of one server that are used again. Opening one costs its server several times as much as most statements. */
class KeptStreams {
  readonly #url: string;
  readonly #idle: { readonly stream: Stream; readonly sinceMs: number }[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async query(statement: string, args: readonly SqlArgument[]): Promise<SqlRow[]> {
    // A setting of the server counts for connections that are opened after it was changed.
    const kept = /^pragma/i.test(statement) ? undefined : this.#take();
    if (kept === undefined) return this.#ask(this.#open(), statement, args);
    try {
      return await this.#ask(kept, statement, args);
    } catch (error) {
      // A server that was restarted does not know the stream, and ran nothing.
      if (!(error instanceof HttpServerError)) throw error;
      return this.#ask(this.#open(), statement, args);
    }
  }

  #open(): Stream {
    return openHttp(this.#url).openStream();
  }

  #take(): Stream | undefined {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (performance.now() - last.sinceMs < IDLE_MS_MAX) return last.stream;
      last.stream.close();
    }
    return undefined;
  }

  async #ask(stream: Stream, statement: string, args: readonly SqlArgument[]): Promise<SqlRow[]> {
    try {
      const { columnNames, rows } = await stream.query([statement, [...args]]);
      if (this.#idle.length < IDLE_MAX) this.#idle.push({ stream, sinceMs: performance.now() });
      else stream.close();
      return rows.map((row) => Object.fromEntries(columnNames.map((name, at) => [name ?? '', plain(row[at])])));
    } catch (error) {
      stream.close();
      throw error;
    }
  }
}

function plain(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A column holds a ${typeof value}`);
}
