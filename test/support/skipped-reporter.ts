import type { Reporter, TestModule } from 'vitest/node';

/**
 * Says at the end of a run which tests did not run on this machine, and why. A language that is missing must not look like
 * one that passed.
 */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const lines = skipped.flatMap((test) => {
      const { note } = test.result() as { readonly note?: string | undefined };
      return note === undefined ? [] : [`${note}: ${test.fullName}`];
    });
    if (lines.length > 0) process.stdout.write(`\nDid not run:\n${lines.toSorted().join('\n')}\n`);
  }
}
