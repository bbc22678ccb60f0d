import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { EndReporter } from './support/end-reporter.ts';

/** Without isolation a worker loads a module once for all of its files. So a file takes back what it replaces. */
const SHARED_WORKERS = { isolate: false, testTimeout: 30_000, hookTimeout: 60_000 } as const;
/** The files share one service and its databases. Each of them adds companies of its own. */
const SHARED_SERVICE = { ...SHARED_WORKERS, globalSetup: ['test/support/shared-environment.ts'] } as const;
/** Each file starts services of its own. */
const OWN_SERVICE = {
  globalSetup: ['test/support/service-bundle.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A page or a queue needs a moment until it shows what happened.
  expect: { poll: { timeout: 15_000 } },
} as const;

/** These files kill, pause or time programs. Two of them at once would disturb each other. */
const ONE_AT_A_TIME = { fileParallelism: false } as const;
/** Pages and programs wait for most of their time. More than three at once would be too slow for the time limits. */
const THREE_AT_A_TIME = { maxWorkers: 3 } as const;

/** One journey through the console, and the page that most people see. */
const JOURNEY = 'test/browser/{console-first-shipment,tracking}.test.ts';
/** Unit tests on a shard. `npm test` runs them on SQLite in memory, `npm run prove` on sqld. */
const ON_A_SHARD =
  'test/unit/domain/{addresses,batches,dispatch,drivers,events,idempotency,media,pricing,shipments,webhooks}/**/*.test.ts';
/** The slowest files about parts that few changes touch. `npm run prove` runs them: those of the contract in the project limited. */
const SLOW_CONTRACT =
  'test/contract/{cod-collections,dispatch-eligibility,driver-standing,fleet,hostile-requests,lists-cast,national-address-of-shipment,operations-handover,proofs,recipients,recipients-decisions,resolutions,return-requests,returns,sandbox-clock,sandbox-scenarios,shipment-amendments,shipment-batches,shipment-validations,shipments-labels,tracking-links-revoke,tracking-page,tracking-public,tracking-views,webhook-deliveries}.test.ts';
const SLOW_UNIT =
  'test/unit/{core/workbook,http/asset-text,pages/reference,pages/verification-samples,scripts/deployment-variables,scripts/keys,scripts/label-glyphs,scripts/pages,scripts/ports,scripts/shipped,scripts/texts,starters}.test.ts';
/** What the service does after the answer, or by its own clock, is shown on Deno too. */
const ON_DENO_TOO =
  'test/contract/{client-stacks,price-limit,price-locks,sandbox-clock,shipment-batches,shipment-metadata,shipment-validations,tracking-brand,tracking-rating}.test.ts';
const SLOW_RUNTIME =
  'test/runtime/{addresses,client,deno-files,first-steps,fuzz,media-storage,prices,shutdown,slow-engine,wrong-databases}.test.ts';
/** Tests that only compute. They run, with the slow unit tests, beside the matrices, which wait for their service. */
const COMPUTED = 'test/prove/{mutation,planted-bugs,simulation}.test.ts';
/** Nothing in these files depends on how fast their programs are, so they run beside the pages. */
const UNTIMED =
  'test/prove/{backup,client-faults,client-package,deploy,deployments,dev,fuzz,life,moving,operator,query-plans,traces,webhook-transport,wire}.test.ts';
const OTHER_PROJECTS = 'test/{contract,database,generators,matrices,runtime,prove,browser,simulation}/**';

/**
 * `npm test` runs the projects unit, database, contract, runtime, browser and simulation; `npm run prove` runs computed,
 * shards, matrices, limited, deno, services, looks, programs and prove; `npm run test:generators` runs generators. Projects with the same
 * `groupOrder` run at once. Within it they start in the order of their names, so the short unit tests come last and keep
 * all processors busy until the end, and the long computations of `npm run prove` come first.
 */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    // Files wait for due times for half of their time. With twice as many files as processors these stay busy meanwhile.
    maxWorkers: 4,
    reporters: ['default', new EndReporter()],
    projects: [
      project('unit', ['test/**/*.test.ts'], {
        ...SHARED_WORKERS,
        exclude: [OTHER_PROJECTS, SLOW_UNIT],
        env: { SHARDS_IN_MEMORY: 'yes' },
        order: 0,
      }),
      project('database', ['test/database/**/*.test.ts'], { ...SHARED_WORKERS, order: 0 }),
      project('contract', ['test/contract/**/*.test.ts'], { ...SHARED_SERVICE, exclude: [SLOW_CONTRACT], order: 0 }),
      project('runtime', ['test/runtime/**/*.test.ts'], {
        ...OWN_SERVICE,
        isolate: false,
        exclude: [SLOW_RUNTIME],
        order: 0,
      }),
      project('browser', [JOURNEY], { ...OWN_SERVICE, isolate: false, order: 0 }),
      project('simulation', ['test/simulation/**/*.test.ts'], { order: 0 }),
      project('shards', [ON_A_SHARD], { ...SHARED_WORKERS, order: 0 }),
      project('matrices', ['test/matrices/**/*.test.ts'], { ...SHARED_SERVICE, order: 0 }),
      // The contract again with Cloudflare's limit of connections, which workerd does not enforce.
      project('limited', ['test/contract/**/*.test.ts'], { ...SHARED_SERVICE, order: 0 }),
      project('deno', [ON_DENO_TOO], { ...SHARED_SERVICE, order: 0 }),
      project('services', [SLOW_RUNTIME], { ...OWN_SERVICE, isolate: false, order: 0 }),
      project('computed', [COMPUTED, SLOW_UNIT], { testTimeout: 240_000, order: 0 }),
      project('looks', ['test/browser/**/*.test.ts'], {
        ...OWN_SERVICE,
        ...THREE_AT_A_TIME,
        exclude: [JOURNEY],
        order: 1,
      }),
      project('programs', [UNTIMED], { ...OWN_SERVICE, ...THREE_AT_A_TIME, order: 1 }),
      project('generators', ['test/generators/*.test.ts'], { order: 0 }),
      project('prove', ['test/prove/**/*.test.ts'], {
        ...OWN_SERVICE,
        ...ONE_AT_A_TIME,
        exclude: [COMPUTED, UNTIMED],
        order: 2,
      }),
    ],
  },
});

function project<Options extends { readonly order: number }>(
  name: string,
  include: string[],
  { order, ...options }: Options,
) {
  return { test: { name, include, ...options, sequence: { groupOrder: order } } };
}
