import { readBytesWithin, readTextWithin } from '../core/bounded-bytes.ts';
import { sha256Hex } from '../core/crypto.ts';
import { formatInstant } from '../core/instant.ts';
import { UPLOAD_BYTES_MAX } from '../core/limits.ts';
import { part } from '../core/part.ts';
import type { Clock } from '../ports/clock.ts';
import type { Documents, StoredFile } from '../ports/documents.ts';
import { BadAnswer } from './bad-answer.ts';
import { type CallLimits, fetchOrRepeat, guardCalls, type ProviderPlatform } from './guarded-call.ts';

const signing = part(() => import('aws4fetch'));

/** Limits of every document store. */
export const DOCUMENT_LIMITS: CallLimits = {
  /** A storage service takes a few tenths of a second for a mebibyte. */
  timeoutMs: 5000,
  failuresMax: 5,
  openMs: 5000,
};

export interface S3Bucket {
  /** The address without `/{key}`: `https://s3.example/bucket` or `https://bucket.s3.example`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Platform extends ProviderPlatform {
  /** Signatures contain the time, and a bucket refuses one that is more than 15 minutes off. */
  readonly clock: Clock;
}

/** A bucket with the S3 protocol: AWS, R2 from outside, MinIO and others. All operations are idempotent. */
export function s3Documents(bucket: S3Bucket, platform: S3Platform, limits = DOCUMENT_LIMITS): Documents {
  const call = guardCalls('documents', limits, platform);
  const send = (request: S3Request) => sendSigned(bucket, platform, request);
  return {
    provider: 's3',
    async put(key, file) {
      return (await call((signal) => put(send, { key, signal, file }))) ?? 'unavailable';
    },
    async read(key) {
      return (await call((signal) => read(send, { key, signal }))) ?? 'unavailable';
    },
    async removeAll(keys) {
      for (const key of keys) {
        if ((await call((signal) => remove(send, { key, signal }))) === undefined) return 'unavailable';
      }
      return 'removed';
    },
  };
}

interface S3Request {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  readonly key: string;
  readonly signal: AbortSignal;
  readonly file?: StoredFile;
}
type Send = (request: S3Request) => Promise<Response>;
type Order = Omit<S3Request, 'method'>;

async function put(send: Send, order: Order): Promise<'stored'> {
  const response = await send({ method: 'PUT', ...order });
  await expectStatus(response, [200]);
  return 'stored';
}

/** Errors of S3 are some hundred bytes of XML. */
const ERROR_BYTES_MAX = 16 * 1024;

/** Throws a `BadAnswer` unless the answer has one of these statuses. A 404 is about the file, unless the bucket does not exist. */
async function expectStatus(response: Response, statuses: readonly number[]): Promise<void> {
  const text = await readTextWithin(response.body, ERROR_BYTES_MAX);
  const { status } = response;
  if (!statuses.includes(status) || (status === 404 && text?.includes('<Code>NoSuchBucket</Code>')))
    throw new BadAnswer(status, text);
}

async function read(send: Send, order: Order): Promise<Uint8Array<ArrayBuffer> | 'missing' | undefined> {
  const response = await send({ method: 'GET', ...order });
  if (response.status === 200) return readFile(response.body);
  await expectStatus(response, [404]);
  return 'missing';
}

/** The bytes of a stored file; undefined if it breaks off or is longer than any upload. */
export async function readFile(
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = await readBytesWithin(stream, UPLOAD_BYTES_MAX);
  return typeof bytes === 'string' ? undefined : bytes;
}

/** One request for each key: S3 requires an MD5 to delete many keys in one, and Web Crypto does not have MD5. */
async function remove(send: Send, order: Order): Promise<'removed'> {
  const response = await send({ method: 'DELETE', ...order });
  await expectStatus(response, [200, 204, 404]);
  return 'removed';
}

/** The body is signed too, so that a damaged body is refused. */
async function sendSigned(
  bucket: S3Bucket,
  { fetch, clock }: S3Platform,
  { method, key, file, signal }: S3Request,
): Promise<Response> {
  const { url: base, ...credentials } = bucket;
  const bytes = file?.bytes ?? new Uint8Array();
  const { AwsV4Signer } = await signing();
  const signer = new AwsV4Signer({
    ...credentials,
    service: 's3',
    method,
    url: `${base.replace(/\/+$/, '')}/${key}`,
    headers: {
      'x-amz-content-sha256': await sha256Hex(bytes),
      ...(file === undefined ? {} : { 'content-type': file.contentType }),
    },
    datetime: formatInstant(clock.now()).replaceAll(/[:-]|\.\d+/g, ''),
  });
  const { url, headers } = await signer.sign();
  const init = { method, headers, redirect: 'manual', signal, ...(file === undefined ? {} : { body: bytes }) } as const;
  return fetchOrRepeat(fetch, url.href, init);
}
