import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { UPLOAD_BYTES_MAX } from '../../../src/core/limits.ts';
import { s3Documents } from '../../../src/providers/s3-documents.ts';
import { BUCKET_KEY, type Bucket, newBucket } from '../../support/bucket.ts';
import { BAD_ANSWERS, type ProviderServer, platform, SHORT, startProvider } from '../../support/provider-server.ts';

/* The S3 adapter against a bucket that verifies each signature and records what it receives. */

const KEY = 'k1';
const FILE = { bytes: new Uint8Array([1, 2, 3]), contentType: 'image/png' };
const clock = { now: () => instantFromMillis(Date.UTC(2026, 10, 21, 9, 30, 5)) };

let bucket: ProviderServer;
let kept: Bucket['kept'];
beforeEach(async () => {
  bucket = await startProvider();
  ({ kept, answer: bucket.answer } = newBucket());
});
afterEach(() => bucket.stop());

const documents = (secretAccessKey = BUCKET_KEY.secretAccessKey, limits?: typeof SHORT) =>
  s3Documents({ ...BUCKET_KEY, url: `${bucket.url}/mirsal`, secretAccessKey }, { ...platform, clock }, limits);

describe('a bucket that speaks S3', () => {
  it('stores signed bytes under their key with their type', async () => {
    expect(await documents().put(KEY, FILE)).toBe('stored');
    const asked = kept.get('/mirsal/k1');
    expect([...(asked?.body ?? [])]).toEqual([1, 2, 3]);
    expect(asked?.headers['content-type']).toBe('image/png');
    expect(asked?.headers['x-amz-date']).toBe('20261121T093005Z');
  });

  it('reads a file, tells a missing one, and takes nothing longer than an upload', async () => {
    const all = documents();
    await all.put(KEY, FILE);
    expect(await all.read(KEY)).toEqual(FILE.bytes);
    expect(await all.read('never')).toBe('missing');
    await all.put('long', { ...FILE, bytes: new Uint8Array(UPLOAD_BYTES_MAX + 1) });
    expect(await all.read('long')).toBe('unavailable');
  });

  it('removes all given keys', async () => {
    const all = documents();
    for (const key of ['a', 'b', 'c']) await all.put(key, FILE);
    expect(await all.removeAll(['a', 'c', 'never'])).toBe('removed');
    expect([...kept.keys()]).toEqual(['/mirsal/b']);
  });

  it('that refuses the access key stores nothing, which is reported', async () => {
    const stranger = documents('another');
    expect(await stranger.put(KEY, FILE)).toBe('unavailable');
    expect(await stranger.read(KEY)).toBe('unavailable');
    expect(await stranger.removeAll([KEY])).toBe('unavailable');
    expect(kept.size).toBe(0);
  });

  test.each(BAD_ANSWERS)('%s is unavailable', async (_kind, answer) => {
    bucket.answer = answer;
    expect(await documents(undefined, SHORT).put(KEY, FILE)).toBe('unavailable');
    expect(await documents(undefined, SHORT).removeAll([KEY])).toBe('unavailable');
  });
});
