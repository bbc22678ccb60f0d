import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Sealer } from '../../src/access/sealer.ts';
import { systemRandom } from '../../src/providers/system.ts';
import { SetupError } from '../shared/setup-error.ts';
import type { BenchDatabase } from './database.ts';
import { fillShipments } from './fill.ts';
import { addWaiting } from './lives.ts';
import { type Measured, measure, type PreparedRequest } from './load.ts';
import { cancelRequests, createRequest, getRequests, listRequest } from './requests.ts';
import { type Column, describeOthers, type Findings, type StudyOptions, tableOf } from './result.ts';
import { cpuRatio, OTHERS, RATES, rateRatio, roundsOf } from './rounds.ts';
import { type Account, type BenchService, createSample, launcherOf, startBenchService } from './service.ts';
import { settle } from './usage.ts';

const FULL = { sizes: [10_000, 1_000_000, 5_000_000], seconds: 4 };
const QUICK = { sizes: [10_000, 200_000], seconds: 2 };
const READERS = 32;
const WRITERS = 64;
const SHIPMENTS_READ = 1000;
const WARM_UP_SECONDS = 2;
const COMMANDS_A_SECOND = 1500;
/** Disk for one shipment while the database is filled: its row, its indexes, and sqld's log of both. */
const BYTES_EACH = 6000;

/** The same operations at each size of one company. */
export async function measureSizes({ folder, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = isQuick ? QUICK : FULL;
  const { sizes, seconds } = settings;
  requireRoom(folder, Math.max(...sizes) * BYTES_EACH);
  const launch = await launcherOf('worker', folder);
  const service = await startBenchService({ folder, launch, companies: 1, shards: 1 });
  const [account] = service.accounts;
  const [database] = service.shards;
  if (account === undefined || database === undefined) throw new Error('One company was asked for');
  await database.setApprovalPolicy(account.companyId, 'AUTOMATIC');
  const sampleId = await createSample(service.baseUrl, account);
  // From here on nothing has due work, so only requests are measured.
  await database.setApprovalPolicy(account.companyId, 'MANUAL');
  const watched = [database.pid, service.worker.pid];
  const measurements: { readonly shipments: number; readonly operation: string; readonly measured: Measured }[] = [];
  const files: Files[] = [];
  for (const [index, shipments] of sizes.entries()) {
    log(`filling up to ${shipments.toLocaleString('en')} shipments`);
    const startedAt = performance.now();
    await fillShipments(database, sampleId, shipments, sizes[index - 1]);
    const fillSeconds = (performance.now() - startedAt) / 1000;
    files.push({ shipments, bytes: bytesOf(join(folder, database.name)), fillSeconds });
    const stock = COMMANDS_A_SECOND * (seconds + WARM_UP_SECONDS);
    const waiting = await addWaiting({ database, sampleId }, index + 1, stock);
    await settle(watched);
    const processes = { service: service.worker.pids, sqld: [database.pid, service.directory.pid] };
    const times = { warmUpSeconds: WARM_UP_SECONDS, seconds };
    const operations = await operationsOf({ service, account, database, waiting, shipments });
    for (const [operation, connections, requests] of operations) {
      log(`${operation} at ${shipments.toLocaleString('en')}`);
      const measured = await measure({ port: service.worker.port, connections, ...times, requests, processes });
      measurements.push({ shipments, operation, measured });
      await settle(watched);
    }
  }
  const rows = [...new Set(measurements.map(({ operation }) => operation))].flatMap((operation) =>
    measurements
      .filter((one) => one.operation === operation)
      .map(({ shipments, measured }) => ({ shipments, operation, ...roundsOf([measured]) })),
  );
  const smallestOf = (row: { readonly operation: string }) => rows.find(({ operation }) => operation === row.operation);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    ['operation', ({ operation }) => operation],
    ['shipments', ({ shipments }) => shipments.toLocaleString('en')],
    ...RATES,
    ['to smallest', (row) => rateRatio(row, smallestOf(row)), 2],
    ['CPU to smallest', (row) => cpuRatio(row, smallestOf(row)), 2],
    OTHERS,
  ];
  return {
    settings,
    circumstances: [describeOthers(measurements.map(({ measured }) => measured))],
    tables: [tableOf(rows, columns), tableOf(files, FILE_COLUMNS)],
    verdicts: [],
    measurements: { rows: measurements, files },
  };
}

/** All files of the databases at one size. */
interface Files {
  readonly shipments: number;
  readonly bytes: number;
  readonly fillSeconds: number;
}

const FILE_COLUMNS: readonly Column<Files>[] = [
  ['shipments', ({ shipments }) => shipments.toLocaleString('en')],
  ['MB on disk', ({ bytes }) => bytes / 2 ** 20],
  ['bytes a shipment', ({ bytes, shipments }) => bytes / shipments],
  ['filled in s', ({ fillSeconds }) => fillSeconds],
];

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
  const cursors = new Sealer([service.cursorKey], systemRandom);
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
    `The largest size takes up to ${gigabytes} GB of disk, which is more than is free. --quick takes less.`,
  );
}

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0);
}
