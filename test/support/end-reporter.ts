import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/**
 * Says at the end of a run how many tests did not run on this machine, and why: a language that is missing must not look
 * like one that passed. Then which tests passed only at their second run; `.ci/run` collects these in the file SECOND_RUNS.
 * The last words are the failures, a line each, because a log is often cut at its beginning.
 */
export class EndReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const reasons = skipped.flatMap((test) => (test.result() as { readonly note?: string | undefined }).note ?? []);
    const counts = Map.groupBy(reasons, (reason) => reason);
    say('Tests that did not run', [...counts].map(([reason, { length }]) => `${reason}: ${length}`).toSorted());
    const passed = modules.flatMap((module) => [...module.children.allTests('passed')]);
    const again = passed.filter((test) => test.diagnostic()?.flaky === true).map(nameOf);
    say('Passed only at the second run', again.toSorted());
    const file = process.env['SECOND_RUNS'];
    if (file !== undefined) appendFileSync(file, again.map((line) => `${line}\n`).join(''));
    say('Failed', [...modules.flatMap(failuresOf), ...errors.map(firstLine)]);
  }
}

function failuresOf(module: TestModule): readonly string[] {
  const tests = [...module.children.allTests('failed')];
  return [
    ...module.errors().map((error) => `${module.relativeModuleId}: ${firstLine(error)}`),
    ...tests.map((test) => `${nameOf(test)}: ${(test.result().errors ?? []).map(firstLine).join('; ')}`),
  ];
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId}: ${test.fullName}`;
}

function firstLine(error: SerializedError): string {
  return error.message.split('\n', 1)[0] ?? '';
}

function say(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.join('\n')}\n`);
}
