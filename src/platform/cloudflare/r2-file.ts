import { bytesIn, type RangedFile } from '../../ports/ranged-file.ts';
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

/** An object of a bucket that is bound to the Worker. Without a bucket, every read fails. */
export function r2File(bucket: R2RangeBinding | undefined, key: string): RangedFile {
  return {
    async read(range) {
      if (bucket === undefined) throw new Error('No bucket is bound as STREETS_BUCKET');
      try {
        const object = await bucket.get(key, { range: { offset: range.first, length: range.length } });
        if (object === null) throw new Error('The bucket has no such object');
        const { size, httpEtag: etag, body } = object;
        return { size, etag, bytes: await readExactly(body, bytesIn(range, size)) };
      } catch (error) {
        // R2 throws for a range behind the end, so of an object that was replaced by a shorter one.
        const object = await bucket.head(key);
        if (object !== null && object.size <= range.first) return undefined;
        throw error;
      }
    },
  };
}
