import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BASE_URL_MARK } from '../src/http/web/asset-paths.ts';
import { renderSite } from '../src/pages/site.ts';
import { failWith, isCommand } from './command.ts';

const DIST = join(import.meta.dirname, '..', 'dist');

/**
 * Makes `assets` in a folder: what the service serves as it stands, but for its address. A file that is right already is left
 * alone and another changes at once, so that any number of runs may do this beside a service that reads.
 */
export function makePages(dist = DIST): void {
  const assets = join(dist, 'assets');
  const site = renderSite(BASE_URL_MARK);
  mkdirSync(assets, { recursive: true });
  const changed = [...site]
    .map(([path, text]) => ({ target: join(assets, path), text }))
    .filter(({ target, text }) => readOrNothing(target) !== text);
  if (changed.length > 0) writeAll(dist, changed);
  for (const path of listFiles(assets)) if (!site.has(path)) rmSync(join(assets, path), { force: true });
}

function writeAll(dist: string, files: readonly { readonly target: string; readonly text: string }[]): void {
  // Not among the assets: whoever watches those must not see half of a file.
  const draft = mkdtempSync(join(dist, 'draft-'));
  try {
    for (const { target, text } of files) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(join(draft, 'file'), text);
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

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (isCommand(import.meta.filename)) {
  try {
    makePages();
  } catch (error) {
    failWith(error);
  }
}
