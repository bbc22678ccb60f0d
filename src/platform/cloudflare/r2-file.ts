import { type ByteRange, bytesIn, type RangedFile } from '../../ports/ranged-file.ts';
import { readExactly } from '../../providers/routing/http-file.ts';

/** The part of an R2 bucket's binding that is used here. */
export interface R2RangeBinding {
  get(
    key: string,
    options: { readonly range: { readonly offset: number; readonly length: number } },
  ): Promise<{
    readonly body: ReadableStream<Uint8Array>;
    /** Of the whole object, in bytes. */
    readonly size: number;
    /** With its quotation marks. */
    readonly httpEtag: string;
  } | null>;
  head(key: string): Promise<{ readonly size: number } | null>;
}

/** An object of a bucket that is bound to the Worker. `key` is as in a URL. Without a bucket, every read fails. */
export function r2File(bucket: R2RangeBinding | undefined, key: string): RangedFile {
  const name = decodeURIComponent(key);
  return {
    async read(range) {
      if (bucket === undefined) throw new Error('No bucket is bound as STREETS_BUCKET');
      const object = await getPart(bucket, name, range);
      if (object === undefined) return undefined;
      if (object === null) throw new Error('The bucket has no such object');
      const { size, httpEtag: etag, body } = object;
      return { size, etag, bytes: await readExactly(body, bytesIn(range, size)) };
    },
  };
}

/** R2 throws for a range behind the end, so of an object that was replaced by a shorter one: undefined. */
async function getPart(bucket: R2RangeBinding, name: string, { first: offset, length }: ByteRange) {
  try {
    return await bucket.get(name, { range: { offset, length } });
  } catch (error) {
    const object = await bucket.head(name);
    if (object !== null && object.size <= offset) return undefined;
    throw error;
  }
}
