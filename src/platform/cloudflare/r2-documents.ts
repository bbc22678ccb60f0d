import type { Documents } from '../../ports/documents.ts';
import { type GuardPlatform, guardCalls } from '../../providers/guarded-call.ts';
import { DOCUMENT_LIMITS, readFile } from '../../providers/s3-documents.ts';

/** The part of an R2 bucket's binding that is used here. */
export interface R2Binding {
  put(
    key: string,
    value: Uint8Array<ArrayBuffer>,
    options: { readonly httpMetadata: { readonly contentType: string } },
  ): Promise<unknown>;
  get(key: string): Promise<{ readonly body: ReadableStream<Uint8Array> } | null>;
  delete(keys: string[]): Promise<void>;
}

/** Keys that R2 deletes in one call. */
const DELETED_AT_ONCE = 1000;

/** A bucket of Cloudflare R2, bound to the Worker. */
export function r2Documents(bucket: R2Binding, platform: GuardPlatform, limits = DOCUMENT_LIMITS): Documents {
  const call = guardCalls('documents', limits, platform);
  return {
    provider: 'r2',
    async put(key, { bytes, contentType }) {
      const stored = await call(async () => {
        await bucket.put(key, bytes, { httpMetadata: { contentType } });
        return 'stored' as const;
      });
      return stored ?? 'unavailable';
    },
    async read(key) {
      const found = await call(async () => {
        const file = await bucket.get(key);
        return file === null ? 'missing' : readFile(file.body);
      });
      return found ?? 'unavailable';
    },
    async removeAll(keys) {
      for (let start = 0; start < keys.length; start += DELETED_AT_ONCE) {
        const removed = await call(async () => {
          await bucket.delete(keys.slice(start, start + DELETED_AT_ONCE));
          return true;
        });
        if (removed === undefined) return 'unavailable';
      }
      return 'removed';
    },
  };
}
