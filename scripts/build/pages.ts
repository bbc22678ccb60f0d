import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BASE_URL_MARK } from '../../src/http/web/asset-paths.ts';
import { renderSite } from '../../src/pages/site/site.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { browserBuild } from './browser-files.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

/**
 * Makes the folder `assets`: the files that the service serves. Unchanged files are not touched and the others are replaced
 * atomically, so that several runs may do this while a service reads.
 */
export async function makePages(dist = DIST): Promise<void> {
  const assets = join(dist, 'assets');
  const { files, browserFiles } = await browserBuild();
  const texts = renderSite(BASE_URL_MARK, browserFiles);
  const site = new Map([...files, ...[...texts].map(([path, text]) => [path, Buffer.from(text)] as const)]);
  mkdirSync(assets, { recursive: true });
  // Files that pages refer to are written before the pages.
  const changed = [...site]
    .map(([path, bytes]) => ({ target: join(assets, path), bytes }))
    .filter(({ target, bytes }) => !hasContent(target, bytes));
  if (changed.length > 0) writeAll(dist, changed);
  for (const path of listFiles(assets)) if (!site.has(path)) rmSync(join(assets, path), { force: true });
}

function writeAll(dist: string, files: readonly { readonly target: string; readonly bytes: Uint8Array }[]): void {
  // Drafts are not among the assets, because a program that watches those must not see half a file.
  const draft = mkdtempSync(join(dist, 'draft-'));
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

if (isCommand(import.meta.filename)) {
  try {
    await makePages();
  } catch (error) {
    failWith(error);
  }
}
