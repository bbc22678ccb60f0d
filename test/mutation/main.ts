import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { failWith } from '../../scripts/command.ts';
import { SetupError } from '../../scripts/setup-error.ts';
import { AREAS } from './areas.ts';

/*
 * Changes the deciding files in every way that Stryker knows, one at a time, and asks their tests whether they notice.
 */

const USAGE = `Looks for changes of the deciding files that no test notices.

  npm run mutate -- [--area NAME]… [--again] [--jobs 2]

  All areas, or those named: ${Object.keys(AREAS).join(', ')}. With --again, what neither its file nor its
  tests have changed since the last run is taken from there. Reports are in .data/mutation. It fails when
  tests notice less than 85 % of an area's changes.`;

type Results = Awaited<ReturnType<Stryker['runMutationTest']>>;

try {
  const { values } = parseArgs({
    options: {
      area: { type: 'string', multiple: true, default: Object.keys(AREAS) },
      again: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) console.log(USAGE);
  else console.table(await mutateAll(values.area, { incremental: values.again, concurrency: Number(values.jobs) }));
} catch (error) {
  failWith(error);
}

async function mutateAll(
  areas: readonly string[],
  options: { readonly incremental: boolean; readonly concurrency: number },
) {
  const unknown = areas.find((area) => AREAS[area] === undefined);
  if (unknown !== undefined) throw new SetupError(`There is no area ${unknown}: ${Object.keys(AREAS).join(', ')}.`);
  const scores: ReturnType<typeof scoreOf>[] = [];
  for (const area of areas) {
    // Both configurations read it: Stryker's here, vitest's in the processes that Stryker starts.
    process.env['MUTATION_AREA'] = area;
    const { default: config } = (await import(`./stryker.config.ts?${area}`)) as typeof import('./stryker.config.ts');
    // It sets the exit code when the score is below the threshold.
    const results = await new Stryker({ ...config, ...options }).runMutationTest();
    scores.push(scoreOf(area, results));
  }
  return scores;
}

/** A mutant that no test reaches has survived. One that never ends was noticed. */
function scoreOf(area: string, results: Results) {
  const count = (...statuses: readonly Results[number]['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const [killed, timeout, survived, ignored] = [
    count('Killed'),
    count('Timeout'),
    count('Survived', 'NoCoverage'),
    count('Ignored'),
  ];
  const noticed = killed + timeout;
  return { area, score: Math.round((1000 * noticed) / (noticed + survived)) / 10, killed, timeout, survived, ignored };
}
