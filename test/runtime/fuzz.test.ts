import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_SIZES } from '../../scripts/prove/sizes.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { fuzz, report } from '../fuzz/fuzz.ts';
import { startTarget } from '../fuzz/target.ts';

/* A first look. test/prove/fuzz.test.ts sends many more, and checks that the judge notices each kind of fault. */

const PLAN = { seed: 1, requests: TEST_SIZES.fuzzRequests };
const TIMEOUT_MS = 120_000;

let environment: OwnEnvironment;
beforeAll(async () => {
  environment = await startTarget('worker');
}, TIMEOUT_MS);
afterAll(() => environment.stop());

it(
  'answers 500 malformed requests as documented',
  async () => {
    expect(report(PLAN, await fuzz(environment, PLAN))).toContain('Every answer was as documented.');
  },
  TIMEOUT_MS,
);
