import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { failWith } from '../../scripts/command.ts';
import { SetupError } from '../../scripts/setup-error.ts';
import { AREAS } from './areas.ts';
import { SCORE_MIN } from './stryker.config.ts';

/*
 * Changes the deciding files in every way that Stryker knows, one at a time, and asks the tests whether they notice.
 */

const USAGE = `Looks for changes of the deciding files that no test notices.

  npm run mutate -- [--area NAME]… [--again] [--jobs J]
      In all areas, or in those named: ${Object.keys(AREAS).join(', ')}.
      --again takes from the last run what neither its file nor its tests have changed since.
      Reports are in .data/mutation. Fails when an area's score is below ${SCORE_MIN} %.`;

type Results = Awaited<ReturnType<Stryker['runMutationTest']>>;

try {
  const { values } = parseArgs({
    options: {
      area: { type: 'string', multiple: true },
      again: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else await mutate(values.area ?? Object.keys(AREAS), { isAgain: values.again, jobs: Number(values.jobs) });
} catch (error) {
  failWith(error);
}

async function mutate(areas: readonly string[], { isAgain, jobs }: { isAgain: boolean; jobs: number }): Promise<void> {
  const files = areas.map((area) => [area, filesOf(area)] as const);
  const results = await new Stryker({
    configFile: 'test/mutation/stryker.config.ts',
    mutate: files.flatMap(([, paths]) => paths),
    incremental: isAgain,
    concurrency: jobs,
  }).runMutationTest();
  const scores = files.map(([area, paths]) => ({ area, ...scoreOf(results, paths) }));
  console.table(scores);
  if (scores.some(({ score }) => score < SCORE_MIN)) process.exitCode = 1;
}

function filesOf(area: string): string[] {
  const files = AREAS[area];
  if (files === undefined)
    throw new SetupError(`There is no area ${area}; there are ${Object.keys(AREAS).join(', ')}.`);
  return [...files];
}

/** A mutant that no test reaches has survived. One that never ends was noticed. */
function scoreOf(results: Results, files: readonly string[]) {
  const count = (...statuses: readonly Results[number]['status'][]) =>
    results.filter(({ fileName, status }) => statuses.includes(status) && files.some((file) => fileName.endsWith(file)))
      .length;
  const [killed, survived, ignored] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage'), count('Ignored')];
  return { score: Math.round((1000 * killed) / (killed + survived)) / 10, killed, survived, ignored };
}
