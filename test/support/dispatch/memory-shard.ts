import type { BatchStep } from '../../../db/hrana.ts';
import { Dice } from '../../../scripts/shared/dice.ts';
import { DatabaseServer } from '../../../scripts/shared/memory/database-server.ts';
import { type Genesis, makeGenesis, SHARDS, type SimulatedCompany } from '../../../scripts/shared/memory/genesis.ts';
import { processOf, TestClock } from './process.ts';
import { CLEARED, scopeOf, type TestShard } from './test-shard.ts';

/* The shard of `shard.ts` on SQLite in memory. It opens in milliseconds, and the test controls the connection. */

export interface Batch {
  readonly database: string;
  readonly isWrite: boolean;
  readonly steps: readonly BatchStep[];
}

/** Decides what happens to a batch on the connection: `run` executes it and returns its answer. */
export type Carry = (batch: Batch, run: () => Response) => Response | Promise<Response>;

export interface MemoryShard extends TestShard {
  readonly genesis: Genesis;
  /** The company of `scope`. */
  readonly company: SimulatedCompany;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Has no faults at first and after `clear`. */
  readonly wire: { carry: Carry };
  /** SQL in any of its databases. */
  readonly run: (database: string, sql: string, args?: readonly (string | number | null)[]) => void;
}

/** Removes all faults. */
export const WELL: Carry = (_batch, run) => run();

export function openMemoryShard(): MemoryShard {
  const dice = new Dice(1);
  const onCommit = () => undefined;
  const serverOf = (id: string) =>
    new DatabaseServer({ kind: id === 'directory' ? 'directory' : 'shard', id, dice, onCommit });
  const servers = new Map(['directory', ...SHARDS].map((id) => [id, serverOf(id)]));
  const genesis = makeGenesis(servers, dice);
  const [company] = genesis.companies;
  const shard = servers.get('shard-1');
  if (company?.shard !== 'shard-1' || shard === undefined) throw new Error('The first company lives in another shard');
  const { branchCode, pickupLocationCode, companyId, clientId } = company;
  const clock = new TestClock();
  const wire = { carry: WELL };
  const fetch = fetchFrom(servers, wire);
  const clear = () => {
    wire.carry = WELL;
    for (const table of CLEARED) shard.run(`DELETE FROM ${table}`);
    return Promise.resolve();
  };
  const [directoryUrl, shardUrl] = [addressOf('directory'), addressOf('shard-1')];
  // At the first sample company's places, so that its deliveries cost the same.
  shard.run("UPDATE pickup_locations SET latitude = '24.694969', longitude = '46.68301'");
  void clear();
  return {
    ...{ clock, genesis, company, fetch, wire, clear },
    scope: scopeOf(companyId, clientId),
    places: { branchCode, pickupLocationCode },
    rows: async (sql, args = []) => shard.rows(sql, args).map((row) => Object.values(row)),
    run: (id, sql, args = []) => servers.get(id)?.run(sql, args),
    // Lost answers are expected in such a test.
    process: () => processOf({ directory: directoryUrl, shard: shardUrl, fetch, clock, report: () => undefined }),
    close: () => Promise.resolve([...servers.values()].forEach((server) => server.close())),
  };
}

export function addressOf(id: string) {
  return { url: `http://${id}.sim`, adminUrl: `http://${id}.sim/admin` };
}

/** A fetch that reaches the servers by their names. `wire` decides what happens to a batch on its way. */
export function fetchFrom(servers: ReadonlyMap<string, DatabaseServer>, wire: { readonly carry: Carry }) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const [database = ''] = new URL(url).hostname.split('.');
    const server = servers.get(database);
    if (server === undefined) throw new Error(`There is no ${url}`);
    const body = JSON.parse(init.body as string) as { requests: [{ batch: { steps: BatchStep[] } }] };
    const { steps } = body.requests[0].batch;
    const isWrite = steps.some(({ stmt }) => stmt.sql === 'BEGIN IMMEDIATE');
    return wire.carry({ database, isWrite, steps }, () =>
      Response.json({ results: [{ type: 'ok', response: { result: server.batch(steps) } }] }),
    );
  };
}
