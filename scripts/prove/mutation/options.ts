import type { Stryker } from '@stryker-mutator/core';
import { AREAS } from './areas.ts';

/** Of a hundred mutants, how many have to be noticed. */
export const SCORE_MIN = 85;

/** How an area is mutated. */
export function optionsOf(area: string): ConstructorParameters<typeof Stryker>[0] {
  const folder = `.local/mutation/${area}`;
  return {
    mutate: [...(AREAS[area]?.files ?? [])],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/prove/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // Below `break` a run fails.
    thresholds: { high: 95, low: SCORE_MIN, break: SCORE_MIN },
    // Loops are stopped by counting; this is for what hangs. A slow machine must not pass for a test that noticed.
    timeoutMS: 60_000,
    // What the tests need of the tree; node_modules is found above the sandbox.
    ignorePatterns: [
      '**',
      '!{src,routers,db,scripts,test}/**',
      '!package.json',
      '!tsconfig.json',
      '!docs/openapi.json',
    ],
    symlinkNodeModules: false,
    // There is no checker: TypeScript 7 has no API for it. Types are stripped, and a mutant that breaks them is tested.
    disableTypeChecks: false,
    // Rewriting tsconfig.json would need that API too; this one does not exist.
    tsconfigFile: 'none',
    reporters: ['progress', 'clear-text', 'json', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
    jsonReporter: { fileName: `${folder}/report.json` },
    htmlReporter: { fileName: `${folder}/report.html` },
    tempDirName: `${folder}/sandbox`,
    incrementalFile: `${folder}/incremental.json`,
  };
}
