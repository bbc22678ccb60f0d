/** A file as it was uploaded. At most `UPLOAD_BYTES_MAX` bytes. */
export interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/**
 * Keeps uploaded files. Keys are of lower-case letters and digits, made by the service out of chance: nobody can guess
 * one, and no part of one comes from a caller. `unavailable` is always *unknown*, never *undone*: what nobody heard the
 * end of may still happen.
 */
export interface Documents {
  /** Where files are kept; `none` keeps nothing. */
  readonly provider: 'r2' | 's3' | 'folder' | 'none';
  /** Keeps a file for good before it answers `stored`. Never rejects. */
  put(key: string, file: StoredFile): Promise<'stored' | 'unavailable'>;
  /** `removed` when none of them is there any more; it does not matter which of them ever were. Never rejects. */
  removeAll(keys: readonly string[]): Promise<'removed' | 'unavailable'>;
}
