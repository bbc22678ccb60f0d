import type { Stryker } from '@stryker-mutator/core';
import { AREAS } from './areas.ts';

/** The percentage of mutants that the tests must notice. */
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
      '!docs/openapi.json',
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
