import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runTool } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { openArena } from './arena.ts';
import { measureCommands, measureFanOut } from './commands.ts';
import { describeMachine, listVersions } from './machine.ts';
import { othersOf } from './quiet.ts';
import { printReport, type Report } from './report.ts';
import { measureCreations, measureEndurance, measureReads, warmUpSecondsOf } from './rounds.ts';
import { keepResult, runInFolder, stopwatch } from './run.ts';
import { BENCH } from './settings.ts';
import { memoryOf, ratioOfLarge, summarize } from './summary.ts';
import { verifyPeers } from './verify.ts';
import { verifyCommands } from './verify-commands.ts';

const USAGE = `Measures the production bundle on workerd and sqld, beside two peers in the same run: a bare Worker with the
same SQL (the limit of this machine) and the usual stack (Hono, zod-openapi, drizzle, jose).

  npm run bench -- [--quick] [--rounds 4] [--seconds 3] [--v8-flags FLAGS] [--json FILE]

  --quick    one short round with a smaller large company: whether it works, and roughly where it stands
  --rounds   how often everything is measured, 1 to 20
  --seconds  how long each measurement takes, 1 to 120, after a second to warm up
  --v8-flags flags of V8 for every workerd, for example --v8-flags=--max-semi-space-size=8
  --json     writes all of it to a file as well`;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly enduranceSeconds: number;
  readonly largeShipments: number;
  readonly v8Flags: readonly string[];
  readonly json: string | undefined;
}

/** Undefined when only the usage was asked for. */
function readOptions(): Options | undefined {
  const option = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { rounds: option, seconds: option, 'v8-flags': option, json: option, quick: flag, help: flag },
  });
  if (values.help) return undefined;
  const rounds = wholeNumber('--rounds', values.rounds ?? (values.quick ? '1' : String(BENCH.rounds)), 20);
  const seconds = wholeNumber('--seconds', values.seconds ?? (values.quick ? '2' : String(BENCH.seconds)), 120);
  const { quick, json, 'v8-flags': flags = '' } = values;
  const v8Flags = flags.split(' ').filter((one) => one !== '');
  return {
    rounds,
    seconds,
    enduranceSeconds: quick ? 12 : BENCH.enduranceSeconds,
    largeShipments: quick ? 200_000 : 1_000_000,
    v8Flags,
    json,
  };
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new SetupError(`${name} ${text} is not a whole number of 1 to ${max}.`);
  return value;
}

const SHIPMENTS = 10_000;
/** More than any machine that this was run on could do. */
const COMMANDS_A_SECOND = 1500;
/** How many different shipments are read: far more than any cache of one row could answer. */
const SHIPMENTS_READ = 1000;

async function run(options: Options, folder: string): Promise<Report> {
  const { rounds, seconds, enduranceSeconds, largeShipments, v8Flags } = options;
  const startedAt = performance.now();
  const log = stopwatch();
  const commandsARound = COMMANDS_A_SECOND * (seconds + warmUpSecondsOf(0));
  const sizes = { shipments: SHIPMENTS, largeShipments, rounds, commandsARound };
  const arena = await openArena({ folder, ...sizes, v8Flags, log });
  const every = SHIPMENTS / SHIPMENTS_READ;
  const sql = 'SELECT id FROM shipments WHERE company_id = ? AND rowid % ? = 0 LIMIT ?';
  const rows = await arena.mirsal.database.query(sql, [arena.company.companyId, every, SHIPMENTS_READ]);
  const ids = rows.map(({ id }) => String(id));
  log('making sure that every peer does what it is measured at');
  await verifyPeers(arena, ids);
  await verifyCommands(arena);

  const reads = await measureReads(arena, ids, { rounds, seconds, log });
  const creations = await measureCreations(arena, { rounds, seconds, log });
  const commands = await measureCommands(arena, { rounds, seconds, log });
  const fanOut = await measureFanOut(arena, { rounds, seconds, log });
  log(`${enduranceSeconds} s of mixed load`);
  const endurance = await measureEndurance(arena, ids, enduranceSeconds);
  const measurements = [...reads, ...creations, ...commands, ...fanOut];
  return {
    startedAt: new Date(Date.now() - (performance.now() - startedAt)).toISOString(),
    tookSeconds: (performance.now() - startedAt) / 1000,
    options: { rounds, seconds, enduranceSeconds, v8Flags },
    shipments: { small: SHIPMENTS, large: largeShipments },
    rows: summarize(measurements),
    largeToSmall: ratioOfLarge(measurements),
    endurance,
    memory: memoryOf(endurance),
    bundleGzipKilobytes: arena.bundle.gzipKilobytes,
    others: othersOf(measurements.map(({ measured }) => measured)),
    machine: describeMachine(),
    versions: listVersions(),
    notes: measurements.flatMap(({ notes }) => notes),
    measurements,
  };
}

async function runAndTell(options: Options): Promise<true> {
  const report = await runInFolder((folder) => run(options, folder));
  process.stdout.write(printReport(report));
  keepResult('bench', report);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`);
  return true;
}

await runTool({ usage: USAGE, readPlan: readOptions, run: runAndTell, leavesRunning: true });
