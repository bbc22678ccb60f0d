import { createHash, createHmac } from 'node:crypto';
import type { ProviderRequest, ProviderServer } from './provider-server.ts';

export const BUCKET_KEY = {
  region: 'me-south-1',
  accessKeyId: 'AKID',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

/** A simulated S3 bucket: how it answers, and the objects it stores by path. */
export interface Bucket {
  readonly kept: Map<string, ProviderRequest>;
  readonly answer: ProviderServer['answer'];
}

export function newBucket(): Bucket {
  const kept: Bucket['kept'] = new Map();
  return {
    kept,
    answer(response, asked) {
      if (!isSigned(asked)) return void response.writeHead(403).end();
      if (asked.method === 'PUT') kept.set(asked.path, asked);
      if (asked.method === 'DELETE') kept.delete(asked.path);
      const file = kept.get(asked.path);
      if (asked.method === 'GET') return void response.writeHead(file === undefined ? 404 : 200).end(file?.body);
      response.writeHead(asked.method === 'DELETE' ? 204 : 200).end();
    },
  };
}

/** AWS Signature Version 4, written from its specification and independent of the code under test. */
function isSigned({ method, path, headers, body }: ProviderRequest): boolean {
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
  const key = ['me-south-1', 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${BUCKET_KEY.secretAccessKey}`, day));
  return hmac(key, text).toString('hex') === signature;
}
