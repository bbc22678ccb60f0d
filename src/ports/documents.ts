import { toHex } from '../core/crypto.ts';
import { type Refusal, refuse } from '../core/result.ts';
import type { Random } from './random.ts';

/** A file as it was uploaded. At most `UPLOAD_BYTES_MAX` bytes. */
export interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/**
 * Stores uploaded files. The service creates keys from random lower-case letters and digits, so they cannot be guessed
 * and contain no input. `unavailable` means that the outcome is unknown: the operation may have happened, or may still.
 */
export interface Documents {
  /** Where files are stored; `none` stores nothing. */
  readonly provider: 'r2' | 's3' | 'folder' | 'none';
  /** Resolves to `stored` only when the file is durable. Never rejects. */
  put(key: string, file: StoredFile): Promise<'stored' | 'unavailable'>;
  /** Resolves to the bytes of a file, or to `missing`. A file with more than `UPLOAD_BYTES_MAX` bytes is `unavailable`. Never rejects. */
  read(key: string): Promise<Uint8Array<ArrayBuffer> | 'missing' | 'unavailable'>;
  /** Resolves to `removed` when none of these files exists any more, or ever existed. Never rejects. */
  removeAll(keys: readonly string[]): Promise<'removed' | 'unavailable'>;
}

const KEY_BYTES = 20;
/** The key of a file in the object store: random, with nothing from the caller. */
export function newObjectKey(random: Random): string {
  return toHex(random.bytes(KEY_BYTES));
}

const STORAGE_RETRY_SECONDS = 5;
/** 503: the object store did not confirm that it has the file. */
export function storageUnavailable(): Refusal {
  return refuse('STORAGE_PROVIDER_UNAVAILABLE', { retryAfterSeconds: STORAGE_RETRY_SECONDS });
}
