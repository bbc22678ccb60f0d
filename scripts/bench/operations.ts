import { measureWorker } from '../build/worker.ts';
import { type Arena, openArena, type Peer } from './arena.ts';
import type { BenchDatabase } from './database.ts';
import { FRESH, measure, type PreparedRequest } from './load.ts';
import {
  cancelRequests,
  createRequest,
  driverRequests,
  estimateRequests,
  getRequests,
  listRequest,
  replayRequests,
  tokenRequest,
  trackingRequests,
} from './requests.ts';
import { describeOthers, type Findings, type StudyOptions } from './result.ts';
import { createNamed } from './service.ts';
import { type BenchOperation, judge, type Measurement, summarize, tableOfRows } from './summary.ts';
import { settle } from './usage.ts';
import { verifyPeers } from './verify.ts';

const READERS = 32;
const WRITERS = 64;
/** Connections open soon, and a new shipment is approved half a second later. */
const WARM_UP_SECONDS = 1;
/** In the first round V8 still compiles the code. */
const FIRST_WARM_UP_SECONDS = 3;

const FULL = { rounds: 4, seconds: 3, largeShipments: 1_000_000 };
const QUICK = { rounds: 1, seconds: 2, largeShipments: 200_000 };
const SHIPMENTS = 10_000;
/** More than any machine has reached so far. */
const COMMANDS_A_SECOND = 1500;
/** How many different shipments are read: too many for a small cache to answer. */
const SHIPMENTS_READ = 1000;
/** How many different creations are repeated in a round. */
const REPLAYED = 200;

interface Options extends Pick<StudyOptions, 'log'> {
  /** Shipments to read. */
  readonly ids: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
}

/** All operations in rounds: the reads first, because the others change what they read. */
export async function measureOperations({ folder, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = isQuick ? QUICK : FULL;
  const { rounds, seconds, largeShipments } = settings;
  const commandsARound = COMMANDS_A_SECOND * (seconds + FIRST_WARM_UP_SECONDS);
  const arena = await openArena({ folder, shipments: SHIPMENTS, largeShipments, rounds, commandsARound, log });
  const ids = await arena.mirsal.database.idsOf(arena.company.companyId, SHIPMENTS, SHIPMENTS_READ);
  log('checking that every peer does the work that is measured');
  await verifyPeers(arena, ids);
  const bench = new Bench(arena, { ids, rounds, seconds, log });
  for (let round = 0; round < rounds; round += 1) await bench.measureReads(round);
  for (let round = 0; round < rounds; round += 1) await bench.measureCreations(round);
  // Shipments that wait for a driver cause repeated searches, which would slow down later measurements.
  await arena.mirsal.database.query('UPDATE shipments SET due_at = NULL WHERE due_at IS NOT NULL');
  for (let round = 0; round < rounds; round += 1) await bench.measureCommands(round);
  const { measurements } = bench;
  const rows = summarize(measurements);
  return {
    settings,
    circumstances: [
      describeOthers(measurements.map(({ measured }) => measured)),
      `The large company has ${largeShipments.toLocaleString('en')} shipments.`,
      ...measurements.flatMap((one) => one.notes.map((note) => `Note: ${note}.`)),
    ],
    tables: [tableOfRows(rows)],
    verdicts: judge(rows, (await measureWorker()).atStart.gzipKilobytes),
    measurements,
  };
}

interface Order {
  readonly operation: BenchOperation;
  readonly peer: Peer;
  readonly round: number;
  readonly requests: readonly PreparedRequest[];
  readonly replays?: readonly PreparedRequest[];
  readonly connections: number;
  /** The peer's own, unless named. */
  readonly database?: BenchDatabase;
  /** Each request changes its shipment, so it is meaningful once only. */
  readonly isOnce?: boolean;
}

class Bench {
  readonly measurements: Measurement[] = [];
  readonly #arena: Arena;
  readonly #options: Options;

  constructor(arena: Arena, options: Options) {
    this.#arena = arena;
    this.#options = options;
  }

  /** The order of the peers changes with each round, so that no disturbance always meets the same one. */
  async measureReads(round: number): Promise<void> {
    const { mirsal, limit, usual, company, large, largeDatabase, directory, stocks } = this.#arena;
    const read = (
      operation: BenchOperation,
      peer: Peer,
      requests: readonly PreparedRequest[],
      database = peer.database,
    ) => this.#run({ operation, peer, round, requests, connections: READERS, database });
    const peers = rotated([mirsal, limit, usual], round);
    for (const peer of peers) await read('GET by id', peer, getRequests(company.token, this.#options.ids));
    for (const peer of peers) await read('list of 25', peer, [listRequest(company.token)]);
    await read('list of 25, large', mirsal, [listRequest(large.token)], largeDatabase);
    for (const peer of rotated([mirsal, limit], round)) {
      await read('estimate', peer, estimateRequests(company.token));
      await read('public tracking', peer, trackingRequests(stocks[0]?.linkTokens ?? []));
      await read('token', peer, [tokenRequest(company)], directory);
    }
  }

  /** The usual stack goes last, because it may leave its database busy. */
  async measureCreations(round: number): Promise<void> {
    const { mirsal, usual, company, baseUrl } = this.#arena;
    const create = async (operation: BenchOperation, peer: Peer, replays: readonly PreparedRequest[] = []) => {
      const before = await countShipments(peer.database);
      const requests = [createRequest(company.token, company)];
      const measurement = await this.#measure({ operation, peer, round, requests, replays, connections: WRITERS });
      const notes = await comeToRest(peer);
      const stored = (await countShipments(peer.database)) - before;
      this.measurements.push({ ...measurement, notes: [...notes, ...compareStored(measurement, stored)] });
    };
    await create('create', mirsal);
    await mirsal.database.setApprovalPolicy(company.companyId, 'MANUAL');
    await create('create, manual approval', mirsal);
    const references = Array.from({ length: REPLAYED }, (_, index) =>
      `round-${round}-${index}-`.padEnd(FRESH.length, 'x'),
    );
    for (const reference of references) await createNamed(baseUrl, company, reference);
    await create('create, 5 % replays', mirsal, replayRequests(company.token, company, references));
    await mirsal.database.setApprovalPolicy(company.companyId, 'AUTOMATIC');
    await create('create', usual);
  }

  async measureCommands(round: number): Promise<void> {
    const { mirsal, usual, company, stocks } = this.#arena;
    const { waiting = [], accepted = [], carried = [] } = stocks[round] ?? {};
    const command = { round, connections: WRITERS, isOnce: true };
    const positions = driverRequests(carried, 'REPORT_POSITION');
    await this.#run({ ...command, operation: 'driver position', peer: mirsal, requests: positions, isOnce: false });
    const pickUps = driverRequests(accepted, 'PICK_UP');
    await this.#run({ ...command, operation: 'driver pick-up', peer: mirsal, requests: pickUps });
    const requests = cancelRequests(company.token, waiting);
    for (const peer of [mirsal, usual]) await this.#run({ ...command, operation: 'cancel', peer, requests });
  }

  /** Measures, waits until the peer is idle and keeps the measurement. */
  async #run(order: Order): Promise<void> {
    const measurement = await this.#measure(order);
    const notes = [...(await comeToRest(order.peer)), ...(order.isOnce === true ? spentOf(order, measurement) : [])];
    this.measurements.push({ ...measurement, notes });
  }

  async #measure(order: Order): Promise<Measurement> {
    const { operation, peer, round, requests, replays = [], connections, database } = order;
    this.#options.log(`round ${round + 1}: ${operation}, ${peer.name}`);
    const own = (database ?? peer.database).pid;
    const sqld = peer.name === 'mirsal' ? [...new Set([own, this.#arena.directory.pid])] : [own];
    const processes = { service: [peer.worker.pid], sqld };
    const warmUpSeconds = round === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
    const times = { warmUpSeconds, seconds: this.#options.seconds };
    const measured = await measure({ port: peer.worker.port, connections, processes, requests, replays, ...times });
    return { operation, peer: peer.name, round, measured, notes: [] };
  }
}

function rotated<Value>(values: readonly Value[], by: number): Value[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}

/** Restarts a database that is still busy long after the last request. */
async function comeToRest({ name, worker, database }: Peer): Promise<string[]> {
  if (await settle([worker.pid, database.pid])) return [];
  await database.restart();
  return [`the database of ${name} stayed busy after the load and was restarted`];
}

/** A second command on the same shipment is only a read, so a rate from there on would be too high. */
function spentOf({ operation, peer, requests }: Order, { measured }: Measurement): string[] {
  if (measured.succeededInAll <= requests.length) return [];
  return [`${operation}, ${peer.name}: the ${requests.length} shipments were not enough`];
}

/** Every 201 has a row, and every row had a 201, except for requests that ended without an answer. */
function compareStored({ measured: { createdInAll, errorsInAll } }: Measurement, stored: number): string[] {
  if (stored >= createdInAll && stored <= createdInAll + errorsInAll) return [];
  return [`${createdInAll} creations were confirmed and ${stored} are stored`];
}

async function countShipments(database: BenchDatabase): Promise<number> {
  const [row] = await database.query('SELECT count(*) AS shipments FROM shipments');
  return Number(row?.['shipments']);
}
