import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { BUCKET_KEY, type Bucket, newBucket } from '../support/bucket.ts';
import { PNG } from '../support/files.ts';
import { addMedia, sendMedia, statesOf } from '../support/media.ts';
import { expectProblem } from '../support/problem.ts';
import { type ProviderServer, startProvider } from '../support/provider-server.ts';

/** Pictures in a bucket that can be down. */

let provider: ProviderServer;
let bucket: Bucket;
let environment: OwnEnvironment;
beforeAll(async () => {
  provider = await startProvider();
  bucket = newBucket();
  provider.answer = bucket.answer;
  const DOCUMENTS = JSON.stringify({ ...BUCKET_KEY, url: `${provider.url}/mirsal` });
  environment = await startEnvironment('deno', { DOCUMENTS });
});
afterAll(async () => {
  await environment?.stop();
  await provider?.stop();
});

it('stores the bytes with their type', async () => {
  const [company] = environment.companies;
  await addMedia(environment, company, newReference(), 0);
  const [object] = bucket.kept.values();
  expect([bucket.kept.size, object?.headers['content-type']]).toEqual([1, 'image/png']);
  expect(new Uint8Array(object?.body ?? [])).toEqual(PNG);
});

it('answers 503 while the bucket fails, even if it stored the bytes, and marks nothing READY', async () => {
  const [, company] = environment.companies;
  provider.answer = (response, asked) => {
    bucket.kept.set(asked.path, asked);
    response.writeHead(500).end();
  };
  const refused = await sendMedia(environment, company, `?externalReference=${newReference()}`);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  await expectProblem(refused, { status: 503, code: 'STORAGE_PROVIDER_UNAVAILABLE' });
  expect([await statesOf(environment, company), bucket.kept.size]).toEqual([['UPLOADING'], 2]);
  provider.answer = bucket.answer;
});

it('removes pictures that no shipment uses and those that never became READY', async () => {
  const states = async () =>
    (await Promise.all(environment.companies.map((company) => statesOf(environment, company)))).flat();
  expect(await states()).toEqual(['READY', 'UPLOADING']);
  for (const { shard } of environment.companies) await environment.sql(shard, 'update media_assets set due_at = 1', []);
  // The process sweeps at its start.
  await environment.restart({});
  await until('both are gone', async () => ((await states()).length === 0 ? true : undefined));
  expect(bucket.kept.size).toBe(0);
});
