import { AREAS } from './areas.ts';

const area = process.env['MUTATION_AREA'] ?? '';
const folder = `.data/mutation/${area}`;

/** One area: `main.ts` goes through all of them. */
export default {
  mutate: [...(AREAS[area]?.files ?? [])],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Below `break` a run fails.
  thresholds: { high: 95, low: 85, break: 85 },
  // Only what never ends is to run into it: a slow machine must not pass for a test that noticed.
  timeoutMS: 30_000,
  // What the tests need of the tree; node_modules is found above the sandbox.
  ignorePatterns: ['**', '!{src,routers,db,scripts,test}/**', '!package.json', '!tsconfig.json'],
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
  warnings: { slow: false },
};
