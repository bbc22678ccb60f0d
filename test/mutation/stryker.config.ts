import { AREAS } from './areas.ts';

const FOLDER = '.data/mutation';

/** Below it a run fails: as a whole here, and each area by itself in `main.ts`. */
export const SCORE_MIN = 85;

export default {
  mutate: Object.values(AREAS).flat(),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  thresholds: { high: 95, low: SCORE_MIN, break: SCORE_MIN },
  // What the tests need of the tree; node_modules is found above the sandbox.
  ignorePatterns: ['**', '!{src,routers,db,scripts,test}/**', '!package.json', '!tsconfig.json'],
  symlinkNodeModules: false,
  // There is no checker: TypeScript 7 has no API for it. Types are stripped, and a mutant that breaks them is tested.
  disableTypeChecks: false,
  // Rewriting tsconfig.json would need that API too; this one does not exist.
  tsconfigFile: 'none',
  reporters: ['progress', 'clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: `${FOLDER}/report.json` },
  htmlReporter: { fileName: `${FOLDER}/report.html` },
  tempDirName: `${FOLDER}/sandbox`,
  incrementalFile: `${FOLDER}/incremental.json`,
};
