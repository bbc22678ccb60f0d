import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Says at the end of a run which tests did not run on this machine, and why: a language that is missing must not look like
 * one that passed. Then which tests passed only at their second run; `.ci/run` collects these in the file SECOND_RUNS.
 */
export class EndReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const absent = skipped.flatMap((test) => {
      const { note } = test.result() as { readonly note?: string | undefined };
      return note === undefined ? [] : [`${note}: ${test.fullName}`];
    });
    say('Did not run', absent);
    const passed = modules.flatMap((module) => [...module.children.allTests('passed')]);
    const flaky = passed.filter((test) => test.diagnostic()?.flaky === true);
    const again = flaky.map((test) => `${test.module.relativeModuleId}: ${test.fullName}`);
    say('Passed only at the second run', again);
    const file = process.env['SECOND_RUNS'];
    if (file !== undefined) appendFileSync(file, again.map((line) => `${line}\n`).join(''));
  }
}

function say(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.toSorted().join('\n')}\n`);
}
