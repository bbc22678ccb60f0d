/** A file that is read in ranges. It may be replaced by another one between two reads. */
export interface RangedFile {
  /**
   * Reads `length` bytes from `first` on, or fewer where the file ends. Undefined if it ends before. Rejects if the file cannot be read,
   * or if what comes is not that range.
   */
  read(range: ByteRange, signal: AbortSignal): Promise<FilePart | undefined>;
}

export interface ByteRange {
  readonly first: number;
  /** In bytes. */
  readonly length: number;
}

/** Which file it is. */
export interface FileVersion {
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** A strong entity tag (RFC 9110 section 8.8.3), with its quotation marks. */
  readonly etag: string;
}

/** A range, and the file that it is of. */
export interface FilePart extends FileVersion {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How many bytes there are of a range in a file of this size. */
export function bytesIn({ first, length }: ByteRange, size: number): number {
  return Math.min(length, size - first);
}
