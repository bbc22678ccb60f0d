import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { s3Documents } from '../../../../src/runtime/adapters/documents/s3.ts';
import { type Asked, BAD_ANSWERS, type ProviderServer, platform, SHORT, startProvider } from './provider-server.ts';

/* The S3 adapter against a bucket that checks each signature by the book and keeps what it is sent. */

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const KEY = 'k1';
const FILE = { bytes: new Uint8Array([1, 2, 3]), contentType: 'image/png' };
const clock = { now: () => instantFromMillis(Date.UTC(2026, 10, 21, 9, 30, 5)) };

let bucket: ProviderServer;
let kept: Map<string, Asked>;
beforeEach(async () => {
  bucket = await startProvider();
  kept = new Map();
  bucket.answer = (response, asked) => {
    if (!isSigned(asked)) return void response.writeHead(403).end();
    if (asked.method === 'PUT') kept.set(asked.path, asked);
    if (asked.method === 'DELETE') kept.delete(asked.path);
    response.writeHead(asked.method === 'DELETE' ? 204 : 200).end();
  };
});
afterEach(() => bucket.stop());

const documents = (secretAccessKey = SECRET, limits?: typeof SHORT) =>
  s3Documents(
    { url: `${bucket.url}/mirsal`, region: 'me-south-1', accessKeyId: 'AKID', secretAccessKey },
    { ...platform, clock },
    limits,
  );

/** AWS Signature Version 4, written down from its specification and from nothing of ours. */
function isSigned({ method, path, headers, body }: Asked): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=AKID\/(\d{8})\/me-south-1\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  const [, day = '', names = '', signature] = match ?? [];
  const payload = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== payload) return false;
  const canonicalHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, '', canonicalHeaders.join(''), names, payload].join('\n');
  const scope = `${day}/me-south-1/s3/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n');
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  const key = ['me-south-1', 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${SECRET}`, day));
  return hmac(key, text).toString('hex') === signature;
}

describe('a bucket that speaks S3', () => {
  it('keeps the bytes under the key with their type, signed', async () => {
    expect(await documents().put(KEY, FILE)).toBe('stored');
    const asked = kept.get('/mirsal/k1');
    expect([...(asked?.body ?? [])]).toEqual([1, 2, 3]);
    expect(asked?.headers['content-type']).toBe('image/png');
    expect(asked?.headers['x-amz-date']).toBe('20261121T093005Z');
  });

  it('removes each of them', async () => {
    const all = documents();
    for (const key of ['a', 'b', 'c']) await all.put(key, FILE);
    expect(await all.removeAll(['a', 'c', 'never'])).toBe('removed');
    expect([...kept.keys()]).toEqual(['/mirsal/b']);
  });

  it('that refuses the key keeps nothing, and that is told', async () => {
    const stranger = documents('another');
    expect(await stranger.put(KEY, FILE)).toBe('unavailable');
    expect(await stranger.removeAll([KEY])).toBe('unavailable');
    expect(kept.size).toBe(0);
  });

  test.each(BAD_ANSWERS)('%s is unavailable', async (_kind, answer) => {
    bucket.answer = answer;
    expect(await documents(SECRET, SHORT).put(KEY, FILE)).toBe('unavailable');
    expect(await documents(SECRET, SHORT).removeAll([KEY])).toBe('unavailable');
  });
});
