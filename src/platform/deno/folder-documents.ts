import type { Documents, StoredFile } from '../../ports/documents.ts';
import { noDocuments } from '../../providers/absent.ts';
import { type GuardPlatform, guardCalls } from '../../providers/guarded-call.ts';
import { DOCUMENT_LIMITS, readFile, type S3Platform, s3Documents } from '../../providers/s3-documents.ts';
import type { Config } from '../../service/config.ts';

/** The part of Deno that this adapter uses. */
interface OpenFile extends Disposable {
  readonly readable: ReadableStream<Uint8Array>;
  /** Writes some of the bytes, and answers how many. */
  write(bytes: Uint8Array): Promise<number>;
  sync(): Promise<void>;
}
declare const Deno: {
  readonly errors: { readonly NotFound: new () => Error };
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<void>;
  open(
    path: string,
    options: { read?: boolean; write?: boolean; createNew?: boolean; mode?: number },
  ): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
};

/** Only the service may read uploaded files. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** The folder or bucket of the configuration. */
export function denoDocuments({ documents }: Pick<Config, 'documents'>, platform: S3Platform): Documents {
  if (documents === undefined) return noDocuments;
  return 'folder' in documents ? folderDocuments(documents.folder, platform) : s3Documents(documents, platform);
}

/**
 * Stores files in a folder of this machine. A file is either complete or absent, and it is on the disk when `put`
 * resolves: it is written under another name, synced and renamed, and then the folder is synced.
 */
function folderDocuments(folder: string, platform: GuardPlatform, limits = DOCUMENT_LIMITS): Documents {
  const call = guardCalls('documents', limits, platform);
  return {
    provider: 'folder',
    async put(key, file) {
      return (await call(() => put(folder, key, file))) ?? 'unavailable';
    },
    async read(key) {
      return (await call(() => read(folder, key))) ?? 'unavailable';
    },
    async removeAll(keys) {
      const removed = await call(async () => {
        for (const key of keys) await removeIfThere(pathOf(folder, key));
        return 'removed' as const;
      });
      return removed ?? 'unavailable';
    },
  };
}

async function put(folder: string, key: string, { bytes }: StoredFile): Promise<'stored'> {
  await Deno.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const path = pathOf(folder, key);
  const unfinished = `${path}.part`;
  await removeIfThere(unfinished);
  {
    using file = await Deno.open(unfinished, { write: true, createNew: true, mode: FILE_MODE });
    // Not by the file's stream: that one keeps what was written until it is closed, which comes after the sync.
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(await file.write(rest));
    await file.sync();
  }
  await Deno.rename(unfinished, path);
  using directory = await Deno.open(folder, { read: true });
  await directory.sync();
  return 'stored';
}

async function read(folder: string, key: string): Promise<Uint8Array<ArrayBuffer> | 'missing' | undefined> {
  try {
    const file = await Deno.open(pathOf(folder, key), { read: true });
    // The stream closes the file at its end and when it is cancelled.
    return await readFile(file.readable);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 'missing';
    throw error;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Keys never come from callers. The check makes sure that a path stays in the folder anyway. */
function pathOf(folder: string, key: string): string {
  if (!/^[0-9a-z]+$/.test(key)) throw new Error('This is not an object key');
  return `${folder}/${key}`;
}
