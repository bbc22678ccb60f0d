import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import * as z from 'zod';
import { environment } from '../../src/service/environment.ts';

const FILE = resolve(import.meta.dirname, '..', '..', 'wrangler.toml');
/** The settings that `wrangler dev` uses, and those of the two deployments. */
const ENVIRONMENTS = [undefined, 'sandbox', 'production'] as const;
const settings = z.looseObject({
  name: z.string(),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
  ratelimits: z.array(z.object({ name: z.string(), namespace_id: z.string(), simple: z.unknown() })),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
  analytics_engine_datasets: z.array(z.object({ binding: z.string(), dataset: z.string() })),
});
const settingsOf = (env: string | undefined) =>
  settings.parse(readConfig({ config: FILE, ...(env === undefined ? {} : { env }) }));

test.each(ENVIRONMENTS)('%s allows as many uses a minute on Workers as the configuration does on Deno', (env) => {
  const { reads, writes, estimates, tokens, tracking } = environment.shape.RATE_LIMITS.parse(undefined);
  const bound = settingsOf(env).ratelimits.map(({ name, simple }) => [name, simple]);
  expect(Object.fromEntries(bound)).toEqual(
    Object.fromEntries(
      Object.entries({ reads, writes, estimates, tokens, tracking }).map(([budget, limit]) => [
        `RATE_LIMIT_${budget.toUpperCase()}`,
        { limit, period: 60 },
      ]),
    ),
  );
});

test.each(ENVIRONMENTS)('%s keeps one log in a hundred, and nothing with whole addresses', (env) => {
  expect(settingsOf(env)['observability']).toMatchObject({
    enabled: true,
    head_sampling_rate: 0.01,
    logs: { invocation_logs: false },
    traces: { enabled: false },
  });
});

test('`wrangler dev` by hand keeps no traces of requests', () => {
  const { X_LOCAL_OBSERVABILITY: store } = parseEnv(readFileSync(resolve(FILE, '..', '.env'), 'utf8'));
  expect(store).toBe('false');
});

test.each(ENVIRONMENTS)('%s runs beside the databases', (env) => {
  expect(settingsOf(env)['placement']).toEqual({ region: 'aws:eu-west-1' });
});

test('the deployments have the same bindings and code, and share no name, counter, bucket or dataset', () => {
  const own = ENVIRONMENTS.map(settingsOf);
  const bindings = own.map(({ durable_objects, r2_buckets, analytics_engine_datasets, ...all }) => ({
    objects: durable_objects.bindings.map(({ name, class_name }) => `${name} ${class_name}`),
    others: [...r2_buckets, ...analytics_engine_datasets].map(({ binding }) => binding),
    same: [
      all['main'],
      all['compatibility_date'],
      all['compatibility_flags'],
      all['triggers'],
      all['migrations'],
      all['assets'],
    ],
  }));
  for (const one of bindings) expect(one).toEqual(bindings[0]);
  const taken = own.flatMap((one) => [
    one.name,
    ...one.ratelimits.map(({ namespace_id }) => namespace_id),
    ...one.r2_buckets.map(({ bucket_name }) => bucket_name),
    ...one.analytics_engine_datasets.map(({ dataset }) => dataset),
  ]);
  expect(new Set(taken).size).toBe(taken.length);
});

test('no variable of a deployment is in the file', () => {
  expect(readFileSync(FILE, 'utf8')).not.toMatch(/^\[(?:env\.\w+\.)?vars\]/m);
});

test('a region that hosts no objects is refused by name', () => {
  const hint = environment.shape.LOCATION_HINT;
  expect(['me', 'sam', 'afr', 'riyadh'].filter((region) => hint.safeParse(region).success)).toEqual([]);
  expect(['weur', 'apac-se', undefined].map((region) => hint.safeParse(region).success)).toEqual([true, true, true]);
});
