import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { failWith } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { AREAS } from './areas.ts';

/*
 * Makes every change that Stryker knows in the files of an area, one at a time, and runs their tests against each.
 */

/** The percentage of mutants that the tests must notice. */
const SCORE_MIN = 85;

const USAGE = `Looks for code changes that no test notices.

  npm run mutate -- [--area NAME]… [--again] [--jobs 2] [--try]

  --area   ${Object.keys(AREAS).join(', ')}; all of them by default
  --again  reuses the results of files whose code and tests have not changed
  --try    only runs the tests once, without mutants
  --jobs   processes at a time

  Reports are in .local/mutation. It fails when the tests notice less than ${SCORE_MIN} % of an area's changes.`;

type Results = Awaited<ReturnType<Stryker['runMutationTest']>>;

try {
  const { values } = parseArgs({
    options: {
      area: { type: 'string', multiple: true, default: Object.keys(AREAS) },
      again: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      try: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) console.log(USAGE);
  else if (values.try) await tryTests(ordersOf(values));
  else console.table(await mutate(ordersOf(values)));
} catch (error) {
  failWith(error);
}

function ordersOf({ area, again, jobs }: { area: string[]; again: boolean; jobs: string }): Orders {
  if (!/^[1-9]\d?$/.test(jobs)) throw new SetupError('--jobs is a whole number.');
  const unknown = area.find((name) => AREAS[name] === undefined);
  if (unknown !== undefined) throw new SetupError(`There is no area ${unknown}: ${Object.keys(AREAS).join(', ')}.`);
  return { areas: area, isAgain: again, jobs: Number(jobs) };
}

interface Orders {
  readonly areas: readonly string[];
  readonly isAgain: boolean;
  readonly jobs: number;
}

/** Runs the areas in turn. Stryker sets the exit code when a score is below the threshold. */
async function mutate({ areas, isAgain, jobs }: Orders): Promise<ReturnType<typeof scoreOf>[]> {
  const scores: ReturnType<typeof scoreOf>[] = [];
  for (const area of areas) {
    scores.push(scoreOf(area, await run(area, { incremental: isAgain, concurrency: jobs })));
  }
  return scores;
}

/** Runs the tests of each area without mutants, in the same tree. */
async function tryTests({ areas }: Orders): Promise<void> {
  for (const area of areas) {
    await run(area, { dryRunOnly: true, concurrency: 1 });
    console.log(`${area}: its tests pass`);
  }
}

function run(area: string, changes: ReturnType<typeof optionsOf>): Promise<Results> {
  // Read by vitest's configuration in the processes that Stryker starts.
  process.env['MUTATION_AREA'] = area;
  return new Stryker({ ...optionsOf(area), ...changes }).runMutationTest();
}

/** A mutant that no test reaches has survived. A mutant that ran into the timeout was noticed. */
function scoreOf(area: string, results: Results) {
  const count = (...statuses: readonly Results[number]['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const [killed, timeout] = [count('Killed'), count('Timeout')];
  const [survived, ignored] = [count('Survived', 'NoCoverage'), count('Ignored')];
  const noticed = killed + timeout;
  return { area, score: Math.round((1000 * noticed) / (noticed + survived)) / 10, killed, timeout, survived, ignored };
}

/** How an area is mutated. */
function optionsOf(area: string): ConstructorParameters<typeof Stryker>[0] {
  const folder = `.local/mutation/${area}`;
  return {
    mutate: [...(AREAS[area]?.files ?? [])],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/prove/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A score below `break` fails the run.
    thresholds: { high: 95, low: SCORE_MIN, break: SCORE_MIN },
    // Stryker stops loops by counting, so this is for mutants that hang. A slow machine must not count as a noticed mutant.
    timeoutMS: 60_000,
    // The files that the tests need. node_modules is found above the sandbox.
    ignorePatterns: [
      '**',
      '!{src,routers,db,scripts,test}/**',
      '!package.json',
      '!tsconfig.json',
      '!docs/{openapi.json,operations.md}',
    ],
    symlinkNodeModules: false,
    // TypeScript 7 has no API for a checker. Types are stripped, and mutants with wrong types are tested.
    disableTypeChecks: false,
    // Rewriting tsconfig.json would need that API too, so this names a file that does not exist.
    tsconfigFile: 'none',
    reporters: ['progress', 'clear-text', 'json', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
    jsonReporter: { fileName: `${folder}/report.json` },
    htmlReporter: { fileName: `${folder}/report.html` },
    tempDirName: `${folder}/sandbox`,
    incrementalFile: `${folder}/incremental.json`,
  };
}
