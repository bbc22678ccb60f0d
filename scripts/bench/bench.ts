import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { killLiveGroups } from '../shared/child-group.ts';
import { runTool } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { writeDocuments } from './document.ts';
import { measureFlood } from './flood.ts';
import { measureHostile } from './hostile.ts';
import { measureLife } from './life.ts';
import { measureOperations } from './operations.ts';
import { measurePages } from './pages.ts';
import { type Findings, finish, type StudyOptions } from './result.ts';
import { measureWebhooks } from './webhooks.ts';

const USAGE = `Measures the production bundle on workerd and sqld. Prints a table and a line of JSON.

  npm run bench -- [operations|flood|life|webhooks|pages|hostile] [--quick] [--runtime worker|deno]

  operations  every hot operation, beside two peers in the same run: a bare Worker that sends the same SQL (the limit of
              this machine) and the usual stack (Hono, zod-openapi, drizzle, jose). The default.
  flood       requests at five times the capacity. Exits with 1 if a promise is broken.
  life        what one shipment costs the databases, by libSQL's own count
  webhooks    how late webhooks arrive at 200 events a second
  pages       how soon the console's areas and the tracking page are usable on a slow processor
  hostile     the processor time of long and malformed addresses, queries and headers, and of 200 bodies. Exits with 1 above
              5 ms, and 100 ms for a body.
  document    writes the tables in docs from the last full results

  --quick     less of everything, for rough figures
  --runtime   for the flood, webhooks, pages and hostile

The folder .local/bench has every measurement. If other programs use a tenth of the machine or more, rates are not judged.`;

const STUDIES = {
  operations: measureOperations,
  flood: measureFlood,
  life: measureLife,
  webhooks: measureWebhooks,
  pages: measurePages,
  hostile: measureHostile,
} satisfies Readonly<Record<string, (options: StudyOptions) => Promise<Findings>>>;

type Study = keyof typeof STUDIES;

interface Plan extends Pick<StudyOptions, 'runtime' | 'isQuick'> {
  readonly study: Study | 'document';
}

/** Undefined if only the usage was asked for. */
function readPlan(): Plan | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      runtime: { type: 'string', default: 'worker' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { runtime, quick: isQuick } = values;
  const [study = 'operations', ...more] = positionals;
  if (!isStudy(study) || more.length > 0) throw new SetupError(`One of ${Object.keys(STUDIES).join(', ')}, document.`);
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  return { study, runtime, isQuick };
}

function isStudy(text: string): text is Study | 'document' {
  return text === 'document' || Object.hasOwn(STUDIES, text);
}

async function run({ study, ...options }: Plan): Promise<boolean> {
  if (study === 'document') {
    writeDocuments();
    return true;
  }
  const startedAt = new Date();
  const findings = await STUDIES[study]({ ...options, folder: ownFolder(), log: stopwatch() });
  const name =
    study === 'flood' || study === 'webhooks' || study === 'hostile' ? (`${study}-${options.runtime}` as const) : study;
  finish(name, options.isQuick, startedAt, findings);
  return (study !== 'flood' && study !== 'hostile') || findings.verdicts.every(({ isReached }) => isReached !== false);
}

/**
 * A folder that is removed with everything that was started, except after SIGKILL. It is on the project's own disk: the
 * system's temporary folder may be in memory, where a sync costs nothing.
 */
function ownFolder(): string {
  const parent = resolve(import.meta.dirname, '..', '..', '.wrangler');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'bench-'));
  process.once('exit', () => {
    killLiveGroups();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  return folder;
}

/** Prints progress to standard error, with the seconds since the start. */
function stopwatch(): (line: string) => void {
  const startedAt = performance.now();
  return (line) =>
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}

await runTool({ usage: USAGE, readPlan, run, leavesRunning: true });
