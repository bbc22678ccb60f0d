import { bytesIn, type RangedFile } from '../../ports/ranged-file.ts';

/** The part of Deno that this adapter uses. */
interface OpenFile extends Disposable {
  stat(): Promise<{ readonly size: number; readonly mtime: Date | null }>;
  seek(offset: number, whence: number): Promise<number>;
  /** Reads some of the bytes, and answers how many; null at the end. */
  read(bytes: Uint8Array): Promise<number | null>;
}
declare const Deno: { open(path: URL, options: { read: boolean }): Promise<OpenFile> };

const FROM_START = 0;

/** A file of this machine. It is opened for each read, so that a file which takes its place is found. */
export function denoFile(path: URL): RangedFile {
  return {
    async read(range) {
      using file = await Deno.open(path, { read: true });
      const { size, mtime } = await file.stat();
      if (range.first >= size) return undefined;
      const bytes = new Uint8Array(bytesIn(range, size));
      await file.seek(range.first, FROM_START);
      for (let count = 0; count < bytes.length; ) {
        const read = await file.read(bytes.subarray(count));
        if (read === null) throw new Error('The file was cut while it was read');
        count += read;
      }
      // Without the inode, so that machines with copies of one file name it alike.
      const version = [mtime?.getTime() ?? 0, size].map((part) => part.toString(36));
      return { size, etag: `"${version.join('-')}"`, bytes };
    },
  };
}
