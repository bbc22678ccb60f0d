import { type Client, createClient, type InStatement, LibsqlError, type ResultSet } from '@libsql/client/http';

/** One directory and two shards, so that tests notice a query across shards. */
export const DATABASE_IDS = ['directory', 'shard-1', 'shard-2'] as const;
export type DatabaseId = (typeof DATABASE_IDS)[number];
export type ShardId = Exclude<DatabaseId, 'directory'>;

export type SqlArgument = string | number | null;
export type SqlRow = Readonly<Record<string, string | number | null>>;

/** Runs one statement on one database and answers its rows. */
export type RunSql = (database: DatabaseId, statement: string, args?: readonly SqlArgument[]) => Promise<SqlRow[]>;

/** SQL beside the service, to force states that no operation leads to and to check stored rows. */
export function openSql(urls: Readonly<Record<DatabaseId, string>>): RunSql {
  const clients = new Map<DatabaseId, Client>();
  return async (database, statement, args = []) => {
    const client = clients.get(database) ?? createClient({ url: urls[database] });
    clients.set(database, client);
    const { columns, rows } = await execute(client, { sql: statement, args: [...args] });
    return rows.map((row) => Object.fromEntries(columns.map((name) => [name, plain(row[name])])));
  };
}

const BUSY_MAX = 50;

/** The service writes to the same database. After SQLITE_BUSY the statement has waited 100 ms and changed nothing. */
async function execute(client: Client, statement: InStatement): Promise<ResultSet> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.execute(statement);
    } catch (error) {
      if (!(error instanceof LibsqlError) || error.code !== 'SQLITE_BUSY' || tries === BUSY_MAX) throw error;
    }
  }
}

function plain(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A column holds a ${typeof value}`);
}
