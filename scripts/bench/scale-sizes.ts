import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Cursors } from '../../src/access/cursor.ts';
import { systemRandom } from '../../src/providers/system.ts';
import type { Runtime } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import type { BenchDatabase } from './database.ts';
import { fillShipments } from './fill.ts';
import { addWaiting } from './lives.ts';
import { type Measured, measure, type PreparedRequest, rateOf } from './load.ts';
import { setApprovalPolicy } from './operations.ts';
import { cancelRequests, createRequest, getRequests, listRequest } from './requests.ts';
import { decimals, describeOthers, type Findings, type Table } from './result.ts';
import { type Account, type BenchService, createSample, launcherOf, startBenchService } from './service.ts';
import { settle } from './usage.ts';

/** One operation at one size of the company. */
interface SizeRow {
  readonly shipments: number;
  readonly operation: string;
  readonly measured: Measured;
}
interface SizeFiles {
  readonly shipments: number;
  readonly megabytes: number;
  readonly fillSeconds: number;
}

interface Options {
  readonly folder: string;
  readonly runtime: Runtime;
  readonly sizes: readonly number[];
  readonly seconds: number;
  readonly log: (line: string) => void;
}

const READERS = 32;
const WRITERS = 64;
const SHIPMENTS_READ = 1000;
const WARM_UP_SECONDS = 2;
const COMMANDS_A_SECOND = 1500;
/** Disk for one shipment while the database is filled: its row, its indexes, and sqld's log of both. */
const BYTES_EACH = 6000;

/** The same operations at each size of one company. */
export async function measureSizes({
  folder,
  runtime,
  sizes,
  seconds,
  log,
}: Options): Promise<Omit<Findings, 'settings'>> {
  const largest = Math.max(...sizes);
  requireRoom(folder, largest * BYTES_EACH);
  const service = await startBenchService({
    folder,
    launch: await launcherOf(runtime, folder),
    companies: 1,
    shards: 1,
  });
  const [account] = service.accounts;
  const [database] = service.shards;
  if (account === undefined || database === undefined) throw new Error('One company was asked for');
  await setApprovalPolicy(database, account.companyId, 'AUTOMATIC');
  const sampleId = await createSample(service.baseUrl, account);
  // From here on nothing has due work, so only requests are measured.
  await setApprovalPolicy(database, account.companyId, 'MANUAL');
  const rows: SizeRow[] = [];
  const files: SizeFiles[] = [];
  let filled = 0;
  for (const [index, shipments] of sizes.entries()) {
    log(`filling up to ${shipments.toLocaleString('en')} shipments`);
    const startedAt = performance.now();
    await fillShipments(database, sampleId, shipments, filled);
    const fillSeconds = (performance.now() - startedAt) / 1000;
    filled = shipments;
    files.push({ shipments, megabytes: megabytesOf(join(folder, database.name)), fillSeconds });
    const stock = COMMANDS_A_SECOND * (seconds + WARM_UP_SECONDS);
    const waiting = await addWaiting({ database, sampleId }, index + 1, stock);
    await settle([database.pid, service.worker.pid]);
    const operations = await operationsOf({ service, account, database, waiting, shipments });
    for (const [operation, connections, requests] of operations) {
      log(`${operation} at ${shipments.toLocaleString('en')}`);
      const processes = { service: service.worker.pids, sqld: [database.pid, service.directory.pid] };
      const { port } = service.worker;
      const measured = await measure({
        port,
        connections,
        warmUpSeconds: WARM_UP_SECONDS,
        seconds,
        requests,
        processes,
      });
      rows.push({ shipments, operation, measured });
      await settle([database.pid, service.worker.pid]);
    }
  }
  return {
    circumstances: [describeOthers(rows.map(({ measured }) => measured))],
    tables: [tableOfRows(rows), tableOfFiles(files)],
    verdicts: [],
    measurements: { rows, files },
  };
}

function tableOfRows(rows: readonly SizeRow[]): Table {
  const operations = [...new Set(rows.map(({ operation }) => operation))];
  const cells = operations.flatMap((operation) => {
    const own = rows.filter((row) => row.operation === operation);
    const smallest = own[0]?.measured;
    return own.map(({ shipments, measured }) => [
      operation,
      shipments.toLocaleString('en'),
      ...[rateOf(measured), measured.p50Ms, measured.p95Ms, measured.p99Ms].map((value) => decimals(value)),
      String(measured.errorsInAll),
      decimals(smallest && rateOf(measured) / rateOf(smallest), 2),
      decimals((measured.cpuMs['sqld'] ?? 0) / Math.max(1, measured.succeeded), 2),
      decimals(measured.othersPercent),
    ]);
  });
  const headings = [
    'operation',
    'shipments',
    'req/s',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'errors',
    'to smallest',
    'sqld ms',
  ];
  return { headings: [...headings, 'others %'], rows: cells };
}

function tableOfFiles(files: readonly SizeFiles[]): Table {
  return {
    headings: ['shipments', 'MB on disk', 'bytes a shipment', 'filled in s'],
    rows: files.map(({ shipments, megabytes, fillSeconds }) => [
      shipments.toLocaleString('en'),
      ...[megabytes, (megabytes * 2 ** 20) / shipments, fillSeconds].map((value) => decimals(value)),
    ]),
  };
}

interface Subject {
  readonly service: BenchService;
  readonly account: Account;
  readonly database: BenchDatabase;
  readonly waiting: readonly string[];
  readonly shipments: number;
}

async function operationsOf({ service, account, database, waiting, shipments }: Subject) {
  const { token, companyId } = account;
  const every = Math.max(1, Math.floor(shipments / SHIPMENTS_READ));
  const byRow = 'SELECT id, created_at FROM shipments WHERE rowid IN (SELECT value FROM json_each(?))';
  const places = Array.from({ length: SHIPMENTS_READ }, (_, index) => 1 + index * every);
  const read = await database.query(byRow, [JSON.stringify(places)]);
  const ids = read.map(({ id }) => String(id));
  const middle = read[Math.floor(read.length / 2)];
  if (middle === undefined) throw new Error('There is nothing to read');
  const cursors = new Cursors([service.cursorKey], systemRandom);
  const binding = ['shipments', companyId, undefined, undefined, 'createdAt desc'];
  const cursor = await cursors.seal(binding, [String(middle['created_at']), String(middle['id'])]);
  const references = places.map((place) => `history-${String(place).padStart(9, '0')}`);
  const byReference = references.map((reference) => listRequest(token, `?externalReference=${reference}`));
  const operations: readonly (readonly [string, number, readonly PreparedRequest[]])[] = [
    ['GET by id', READERS, getRequests(token, ids)],
    ['list, first page', READERS, [listRequest(token)]],
    ['list, page in the middle', READERS, [listRequest(token, `?cursor=${cursor}`)]],
    ['list, by state', READERS, [listRequest(token, '?state=DELIVERED')]],
    ['list, by reference', READERS, byReference],
    ['create', WRITERS, [createRequest(token, account)]],
    ['cancel', WRITERS, cancelRequests(token, waiting)],
  ];
  return operations;
}

function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > bytes * 1.2) return;
  const gigabytes = (bytes / 2 ** 30).toFixed(0);
  throw new SetupError(
    `The largest size takes up to ${gigabytes} GB of disk, and there is not that much. Use --sizes.`,
  );
}

/** All files of a database. */
function megabytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0) / 2 ** 20;
}
