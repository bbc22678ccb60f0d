import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { runTool } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { AREAS } from './areas.ts';

/*
 * Makes every change that Stryker knows in the files of an area, one at a time, and runs their tests against each. Stryker is
 * installed beside this file: `npm run mutate`.
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

interface Plan {
  readonly areas: readonly string[];
  readonly isAgain: boolean;
  readonly isTry: boolean;
  readonly jobs: number;
}

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      area: { type: 'string', multiple: true, default: Object.keys(AREAS) },
      again: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      try: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { area: areas, again: isAgain, try: isTry, jobs, help } = values;
  if (help === true) return undefined;
  if (!/^[1-9]\d?$/.test(jobs)) throw new SetupError('--jobs is a whole number.');
  const unknown = areas.find((name) => AREAS[name] === undefined);
  if (unknown !== undefined) throw new SetupError(`There is no area ${unknown}: ${Object.keys(AREAS).join(', ')}.`);
  return { areas, isAgain, isTry, jobs: isTry ? 1 : Number(jobs) };
}

/** Runs the areas in turn. Stryker prints the scores, and fails for one below the minimum. */
async function run(plan: Plan): Promise<boolean> {
  const failed: string[] = [];
  for (const area of plan.areas) {
    const isNoticed = await runStryker(area, plan);
    if (!isNoticed) failed.push(area);
    else console.log(plan.isTry ? `${area}: its tests pass` : `${area}: its tests notice ${SCORE_MIN} % or more`);
  }
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
  return failed.length === 0;
}

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const STRYKER = resolve(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

async function runStryker(area: string, { isAgain, isTry, jobs }: Plan): Promise<boolean> {
  const folder = join('.local', 'mutation', area);
  mkdirSync(join(ROOT, folder), { recursive: true });
  const file = join(folder, 'stryker.json');
  const options = { ...optionsOf(area, folder), incremental: isAgain, dryRunOnly: isTry, concurrency: jobs };
  writeFileSync(join(ROOT, file), JSON.stringify(options));
  const { failed } = await execa(process.execPath, [STRYKER, 'run', file], {
    cwd: ROOT,
    stdio: 'inherit',
    reject: false,
    // Read by vitest's configuration in the processes that Stryker starts.
    env: { MUTATION_AREA: area },
  });
  return !failed;
}

/** How an area is mutated. */
function optionsOf(area: string, folder: string) {
  return {
    mutate: AREAS[area]?.files ?? [],
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
      '**/node_modules/**',
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

await runTool({ usage: USAGE, readPlan, run });
