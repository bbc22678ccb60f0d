import type { Arena, Peer } from './arena.ts';
import type { BenchDatabase } from './database.ts';
import { drive, type Measured, type PreparedRequest } from './load.ts';
import { isQuiet, quieterOf } from './quiet.ts';
import {
  createRequest,
  estimateRequests,
  getRequests,
  listRequest,
  tokenRequest,
  trackingRequests,
} from './requests.ts';
import { settle } from './settle.ts';

export const OPERATIONS = [
  'GET by id',
  'list of 25',
  'list of 25, large',
  'estimate',
  'create',
  'create, manual approval',
  'create, 1 endpoint',
  'create, 5 endpoints',
  'cancel',
  'driver pick-up',
  'driver position',
  'public tracking',
  'token',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One peer under one load for some seconds. */
export interface Measurement {
  readonly operation: Operation;
  readonly peer: Peer['name'];
  readonly round: number;
  readonly measured: Measured;
  /** Webhooks that were received meanwhile. */
  readonly heardPerSecond?: number;
  /** What happened beside it, for people. */
  readonly notes: readonly string[];
}

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly log: (line: string) => void;
}

const READERS = 32;
export const CREATORS = 64;
/** Connections open soon, and what was created is approved half a second later; compiling all code takes longer. */
const WARM_UP_SECONDS = 1;
const FIRST_WARM_UP_SECONDS = 3;
/** Of measurements that other programs disturbed. More would take longer than a disturbance usually lasts. */
const REPEATS_OF_ROUND_MAX = 2;

/** Each peer by itself, one after the other, in another order each round: no weather of the machine meets only one. */
export async function measureReads(
  arena: Arena,
  ids: readonly string[],
  options: RoundOptions,
): Promise<Measurement[]> {
  const { mirsal, limit, usual, company, large, largeDatabase } = arena;
  const measurements: Measurement[] = [];
  let repeatsLeft = options.rounds * REPEATS_OF_ROUND_MAX;
  for (let round = 0; round < options.rounds; round += 1) {
    const run = async (
      operation: Operation,
      peer: Peer,
      requests: readonly PreparedRequest[],
      database = peer.database,
    ) => {
      options.log(`round ${round + 1}: ${operation}, ${peer.name}`);
      const { seconds } = options;
      const once = async () => {
        const one = await load(arena, peer, database, { requests, connections: READERS, seconds, round });
        await settle([peer.worker.pid, database.pid]);
        return one;
      };
      let measured = await once();
      if (!isQuiet(measured) && repeatsLeft > 0) {
        repeatsLeft -= 1;
        measured = quieterOf(measured, await once());
      }
      measurements.push({ operation, peer: peer.name, round, measured, notes: [] });
    };
    const peers = rotated([mirsal, limit, usual], round);
    for (const peer of peers) await run('GET by id', peer, getRequests(company.token, ids));
    for (const peer of peers) {
      await run('list of 25', peer, [listRequest(company.token)]);
      if (peer === mirsal) await run('list of 25, large', peer, [listRequest(large.token)], largeDatabase);
    }
    const { linkTokens = [] } = arena.stocks[0] ?? {};
    for (const peer of rotated([mirsal, limit], round)) {
      await run('estimate', peer, estimateRequests(company.token));
      await run('public tracking', peer, trackingRequests(linkTokens));
      await run('token', peer, [tokenRequest(company)], arena.directory);
    }
  }
  return measurements;
}

/** After the reads, for it changes what they read. The usual stack goes last: it may leave its database busy. */
export async function measureCreations(arena: Arena, options: RoundOptions): Promise<Measurement[]> {
  const { mirsal, usual, company } = arena;
  const requests = [createRequest(company.token, company)];
  const measurements: Measurement[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const run = async (operation: Operation, peer: Peer) => {
      options.log(`round ${round + 1}: ${operation}, ${peer.name}`);
      const before = await countShipments(peer.database);
      const measured = await load(arena, peer, peer.database, {
        requests,
        connections: CREATORS,
        seconds: options.seconds,
        round,
      });
      const notes = await comeToRest(peer);
      const stored = (await countShipments(peer.database)) - before;
      measurements.push({
        operation,
        peer: peer.name,
        round,
        measured,
        notes: [...notes, ...compareStored(measured, stored)],
      });
    };
    await run('create', mirsal);
    await setApprovalPolicy(mirsal.database, company.companyId, 'MANUAL');
    await run('create, manual approval', mirsal);
    await setApprovalPolicy(mirsal.database, company.companyId, 'AUTOMATIC');
    await run('create', usual);
  }
  await putToRest(mirsal.database);
  return measurements;
}

/** Reads and creations together on the service alone, for longer: does its memory grow? */
export async function measureEndurance(arena: Arena, ids: readonly string[], seconds: number): Promise<Measured> {
  const { mirsal, company } = arena;
  const [gets, list, create] = [
    getRequests(company.token, ids),
    listRequest(company.token),
    createRequest(company.token, company),
  ];
  // Of twenty requests twelve read one shipment, five list, three create.
  const requests = gets.map((get, index) => {
    const turn = index % 20;
    if (turn < 12) return get;
    return turn < 17 ? list : create;
  });
  const measured = await load(arena, mirsal, mirsal.database, { requests, connections: READERS, seconds, round: 0 });
  await settle([mirsal.worker.pid, mirsal.database.pid]);
  return measured;
}

interface LoadOptions {
  readonly requests: readonly PreparedRequest[];
  readonly connections: number;
  readonly seconds: number;
  readonly round: number;
  /** Processes beside the peer's own that belong to what is measured. */
  readonly watched?: Readonly<Record<string, readonly number[]>>;
}

export function load(
  { directory }: Arena,
  peer: Peer,
  database: BenchDatabase,
  { round, watched = {}, ...rest }: LoadOptions,
): Promise<Measured> {
  const sqld = [...new Set(peer.name === 'mirsal' ? [database.pid, directory.pid] : [database.pid])];
  const processes = { workerd: [peer.worker.pid], sqld, ...watched };
  return drive({ port: peer.worker.port, warmUpSeconds: warmUpSecondsOf(round), processes, ...rest });
}

export function warmUpSecondsOf(round: number): number {
  return round === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
}

function rotated<Value>(values: readonly Value[], by: number): Value[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}

/** A database that is still at work when nobody asks anything of it any more is started again. */
export async function comeToRest({ name, worker, database }: Peer): Promise<string[]> {
  if (await settle([worker.pid, database.pid])) return [];
  await database.restart();
  return [`the database of ${name} stayed busy after the load and was started again`];
}

/** Every 201 is a row, and every row was a 201, unless a request ended without one. */
function compareStored({ succeededInAll, errorsInAll }: Measured, stored: number): string[] {
  if (stored >= succeededInAll && stored <= succeededInAll + errorsInAll) return [];
  return [`${succeededInAll} creations were confirmed and ${stored} are stored`];
}

/** Shipments that wait for a driver are looked at again and again: what is measured after creations would pay for it. */
async function putToRest(database: BenchDatabase): Promise<void> {
  await database.query('UPDATE shipments SET due_at = NULL WHERE due_at IS NOT NULL');
}

async function countShipments(database: BenchDatabase): Promise<number> {
  const [row] = await database.query('SELECT count(*) AS shipments FROM shipments');
  return Number(row?.['shipments']);
}

export async function setApprovalPolicy(
  database: BenchDatabase,
  companyId: string,
  policy: 'AUTOMATIC' | 'MANUAL',
): Promise<void> {
  await database.query(
    `INSERT INTO company_settings (company_id, approval_policy) VALUES (?, ?)
     ON CONFLICT (company_id) DO UPDATE SET approval_policy = excluded.approval_policy`,
    [companyId, policy],
  );
}
