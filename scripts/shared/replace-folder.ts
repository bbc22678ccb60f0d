import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Gives a folder exactly these files, by their paths in it. Unchanged files are not touched and the others are replaced
 * atomically, in this order, so that several runs may do this while a program reads.
 */
export function replaceFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true });
  const changed = [...files]
    .map(([path, bytes]) => ({ target: join(folder, path), bytes }))
    .filter(({ target, bytes }) => !hasContent(target, bytes));
  if (changed.length > 0) writeAll(dirname(folder), changed);
  for (const path of listFiles(folder)) if (!files.has(path)) rmSync(join(folder, path), { force: true });
}

function writeAll(beside: string, files: readonly { readonly target: string; readonly bytes: Uint8Array }[]): void {
  // Drafts are not in the folder itself, because a program that watches it must not see half a file.
  const draft = mkdtempSync(join(beside, 'draft-'));
  try {
    for (const { target, bytes } of files) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(join(draft, 'file'), bytes);
      renameSync(join(draft, 'file'), target);
    }
  } finally {
    rmSync(draft, { recursive: true });
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function hasContent(file: string, bytes: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
