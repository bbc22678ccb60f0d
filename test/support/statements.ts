import * as z from 'zod';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { proxyDatabases } from '../../scripts/shared/http-proxy.ts';
import type { DatabaseId } from '../../scripts/shared/sql.ts';

/** Every statement that a service sends to its databases. */
export interface SentStatements {
  /** Each text once, with its first arguments. */
  of(database: DatabaseId): readonly SentStatement[];
  close(): void;
}
export interface SentStatement {
  readonly sql: string;
  readonly args: readonly unknown[];
}

const statement = z.object({ sql: z.string(), args: z.array(z.unknown()).default([]) });
const pipeline = z.object({
  requests: z.array(z.looseObject({ batch: z.optional(z.object({ steps: z.array(z.object({ stmt: statement })) })) })),
});

/** Restarts the environment's service with recording proxies in front of its databases. */
export async function listenToStatements(environment: OwnEnvironment): Promise<SentStatements> {
  const sent = new Map<string, Map<string, SentStatement>>();
  const proxied = await proxyDatabases(environment.variables, (id) => {
    const statements = new Map<string, SentStatement>();
    sent.set(id, statements);
    return {
      before: (body) => {
        for (const one of statementsIn(body)) if (!statements.has(one.sql)) statements.set(one.sql, one);
      },
    };
  });
  await environment.restart(proxied.variables);
  return {
    of: (database) => [...(sent.get(database)?.values() ?? [])],
    close: proxied.close,
  };
}

function statementsIn(body: string): SentStatement[] {
  const { requests } = pipeline.parse(JSON.parse(body));
  return requests.flatMap(({ batch }) => batch?.steps.map(({ stmt }) => stmt) ?? []);
}

const planned = z.object({
  results: z.array(
    z.looseObject({
      response: z.optional(
        z.looseObject({
          result: z.optional(z.object({ rows: z.array(z.array(z.looseObject({ value: z.optional(z.unknown()) }))) })),
        }),
      ),
    }),
  ),
});

/** SQLite's query plan of a statement, one line per step: `SEARCH offers USING INDEX …`, `SCAN offers`. */
export async function planOf(databaseUrl: string, { sql, args }: SentStatement): Promise<string[]> {
  const stmt = { sql: `EXPLAIN QUERY PLAN ${sql}`, args, want_rows: true };
  const response = await fetch(`${databaseUrl}/v3/pipeline`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ baton: null, requests: [{ type: 'execute', stmt }, { type: 'close' }] }),
  });
  const rows = planned.parse(await response.json()).results[0]?.response?.result?.rows;
  if (rows === undefined) throw new Error(`There is no plan for ${sql}`);
  return rows.map((row) => String(row.at(-1)?.value));
}
